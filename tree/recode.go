package tree

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
)

// Recode returns the splits of t as splits on the features of ds, with leaves of class 0.
// Features are the same by name, and where t and ds both have encoders, by what these make
// of a column: dates may be counted from another day, and columns have other categories.
// Rows go the same ways; of categories that t does not know those of an ordinal column go
// by their order. A split on categories that ds lacks is left out, with the side that no
// row goes to. A feature that ds has not is an error, and so is one of another kind.
func (t *Tree) Recode(ds *dataset.Dataset) (*Tree, error) {
	r := recoder{t: t, ds: ds, out: NewLeaf(ds, 0)}
	if t.Encoder != nil && ds.Encoder != nil {
		r.sources = t.Encoder.Sources()
	}
	return r.out, r.grow(0, 0)
}

type recoder struct {
	t, out  *Tree
	ds      *dataset.Dataset
	sources []int // (p of t) columns of t's encoder; nil where features go by name
}

// grow puts what is at node i of t in the place of the leaf at.
func (r *recoder) grow(i, at int) error {
	n := &r.t.Nodes[i]
	if n.Split == nil {
		return nil
	}
	s, swapped, err := r.split(n.Split)
	if err != nil {
		return err
	}
	left, right := n.Left, n.Right
	if swapped {
		left, right = right, left
	}
	if len(s.Terms) == 0 { // all rows go one way
		if 0 < s.Threshold {
			return r.grow(left, at)
		}
		return r.grow(right, at)
	}
	l, rt := r.out.Grow(at, s, 0, 0)
	if err := r.grow(left, l); err != nil {
		return err
	}
	return r.grow(right, rt)
}

// split is a split on the features of ds; swapped says that its sides are the other way
// round. One without terms compares 0.
func (r *recoder) split(s *Split) (out *Split, swapped bool, err error) {
	weights := make(map[int]float64, len(s.Terms))
	b, same := s.Threshold, true
	for _, term := range s.Terms {
		c, err := r.feature(term.Feature, s)
		if err != nil {
			return nil, false, err
		}
		if c.rank != nil {
			b, same = *c.rank, false
		}
		same = same && c.factor == 1 && c.offset == 0
		b -= term.Weight * c.offset
		if c.factor != 0 {
			weights[c.feature] += term.Weight * c.factor
		}
	}
	out = &Split{Threshold: b}
	for j, w := range weights {
		if w != 0 {
			out.Terms = append(out.Terms, Term{Feature: j, Weight: w})
		}
	}
	slices.SortFunc(out.Terms, func(x, y Term) int { return x.Feature - y.Feature })
	if same || len(out.Terms) != 1 || out.Terms[0].Weight == 1 {
		return out, false, nil
	}
	w := out.Terms[0].Weight
	if w < 0 { // x > b/w, whose other side is x < the next number
		return Univariate(out.Terms[0].Feature, math.Nextafter(b/w, math.Inf(1))), true, nil
	}
	return Univariate(out.Terms[0].Feature, b/w), false, nil
}

// recoded is a feature of t as factor times one of ds, plus offset.
type recoded struct {
	feature        int
	factor, offset float64
	rank           *float64 // threshold in place of that of a split on an ordinal column
}

func (r *recoder) feature(f int, s *Split) (recoded, error) {
	name := r.t.Features[f]
	direct := recoded{feature: slices.Index(r.ds.Features, name), factor: 1}
	if r.sources != nil {
		from := &r.t.Encoder.Columns[r.sources[f]]
		at := slices.IndexFunc(r.ds.Encoder.Columns, func(c dataset.SourceColumn) bool { return c.Name == from.Name })
		if at >= 0 {
			return r.column(f, s, from, &r.ds.Encoder.Columns[at], direct)
		}
	}
	if direct.feature < 0 {
		return direct, &FeatureError{name}
	}
	return direct, nil
}

// FeatureError says that data have not a feature of a tree.
type FeatureError struct{ Name string }

func (e *FeatureError) Error() string { return fmt.Sprintf("there is no feature %q", e.Name) }

// column is feature for a column that both encoders have.
func (r *recoder) column(f int, s *Split, from, to *dataset.SourceColumn, direct recoded) (recoded, error) {
	none := recoded{} // 0 in every row
	switch {
	case from.Kind != to.Kind || (from.Date == nil) != (to.Date == nil):
		return none, fmt.Errorf("the column %q is %s in the tree, %s in the data", from.Name, kindOf(from), kindOf(to))
	case from.Kind == dataset.Ordinal:
		if slices.Equal(from.Categories, to.Categories) {
			return direct, nil
		}
		if !s.IsUnivariate() {
			return none, fmt.Errorf("the ordered categories of column %q differ between the tree and the data", from.Name)
		}
		rank := rankOf(from.Categories, to.Categories, s.Threshold)
		direct.rank = &rank
		return direct, nil
	case from.Kind == dataset.OneHot && direct.feature < 0:
		category := r.t.Features[f][len(from.Name)+1:]
		if len(to.Categories) == 2 && to.Categories[0] == category { // 1 less the feature of the other
			return recoded{slices.Index(r.ds.Features, from.Name+"="+to.Categories[1]), -1, 1, nil}, nil
		}
		return none, nil
	case from.Kind == dataset.Subsets && direct.feature < 0:
		return none, fmt.Errorf("the sets of categories of column %q differ between the tree and the data", from.Name)
	case direct.feature < 0 && from.Route && r.t.Features[f] != from.Name+"="+"?": // the data have no gaps to route
		direct.feature = slices.Index(r.ds.Features, from.Name)
	case direct.feature < 0: // of missing values, which the data have not
		return none, nil
	case from.Date != nil && r.t.Features[f] == from.Name:
		a, err := time.Parse(time.DateOnly, from.Date.First)
		b, err2 := time.Parse(time.DateOnly, to.Date.First)
		if err != nil || err2 != nil {
			return none, fmt.Errorf("the dates of the column %q are counted from %q in the tree, from %q in the data", from.Name, from.Date.First, to.Date.First)
		}
		direct.offset = math.Round(b.Sub(a).Hours() / 24)
	}
	return direct, nil
}

func kindOf(c *dataset.SourceColumn) string {
	if c.Date != nil {
		return "one of dates"
	}
	return string(c.Kind)
}

// rankOf is the threshold between the categories of an ordinal column that stands for one
// between others of it: both lists are sorted alike.
func rankOf(from, to []string, threshold float64) float64 {
	rank := -0.5
	for k, category := range to {
		if at := slices.Index(from, category); at >= 0 && float64(at) < threshold {
			rank = float64(k) + 0.5
		}
	}
	return rank
}
