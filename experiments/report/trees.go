package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/internal/atomicfile"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/page"
)

// A page has all trees up to manyTrees. Beyond that it has the trees of one split of each data, and
// in total about treeBytes of them in addition to those shown first.
const (
	manyTrees = 300
	treeBytes = 1 << 20
)

// treeSection returns the trees of the folder, nil for none. It names those that are lost.
func (s *Summary) treeSection(dir string) (*treeSection, error) {
	if len(s.trees)+len(s.LostTrees) == 0 {
		return nil, nil
	}
	sec := &treeSection{Lost: s.LostTreesText(), Total: len(s.trees)}
	for _, d := range s.Spec.DataNames() {
		c, ok := s.choose(d)
		if !ok {
			continue
		}
		shown, err := s.dataTrees(sec, dir, d, c)
		if err != nil {
			return nil, err
		}
		sec.Data = append(sec.Data, *shown)
	}
	return sec, nil
}

// Full reports whether the page has no room for more trees.
func (sec *treeSection) Full() bool { return sec.bytes > treeBytes }

// dataTrees returns the trees of one data.
func (s *Summary) dataTrees(sec *treeSection, dir, data string, c choice) (*dataTrees, error) {
	shown := &dataTrees{Name: data, Says: s.praiseChoice(data, c), First: make([]treeFigure, 0, 2)}
	splits := s.splitsOf(data)
	for at, m := range s.Spec.MethodNames() {
		var trees []*tree.Tree
		for _, r := range s.shown(data, m) {
			t, err := run.ReadTree(dir, r.ID)
			if err != nil {
				return nil, fmt.Errorf("%s of %s: %w", run.TreesFolder+"/"+r.ID+".json", dir, err)
			}
			trees = append(trees, t)
			chosen := r.Split == c.split
			isFirst := chosen && (m == c.best || m == c.beside)
			if !isFirst && (sec.Full() || sec.Total > manyTrees && !chosen) {
				continue
			}
			f := treeFigure{Record: r, Division: s.division(data, r.Split), MethodAt: at, SplitAt: slices.Index(splits, r.Split), Width: widthOf(t)}
			var o page.Options
			if isFirst || sec.Total <= manyTrees {
				o.Histograms = r.Histograms
			}
			if f.HTML, err = page.Component(t, o); err != nil {
				return nil, err
			}
			shown.pages = append(shown.pages, treePage{r, t})
			sec.Drawn++
			if isFirst {
				shown.First = append(shown.First, f)
				continue
			}
			sec.bytes += len(f.HTML)
			shown.Others = append(shown.Others, f)
		}
		if st, ok := s.stable(m, trees); ok {
			shown.Stable = append(shown.Stable, st)
		}
	}
	if len(shown.First) == 2 && shown.First[0].Method != c.best {
		slices.Reverse(shown.First)
	}
	s.linkPages(shown, splits)
	return shown, nil
}

// linkPages makes the table of the trees of a data, a line for each division and a column for each method.
func (s *Summary) linkPages(shown *dataTrees, splits []string) {
	j := s.judge()
	t := &htmlTable{Label: "Trees of " + clean(shown.Name), Head: heads(append([]string{"division"}, s.Spec.MethodNames()...)...)}
	for _, split := range splits {
		row := htmlRow{Head: s.division(shown.Name, split)}
		for _, m := range s.Spec.MethodNames() {
			row.Cells = append(row.Cells, s.linkTo(shown, split, m, j))
		}
		t.Rows = append(t.Rows, row)
	}
	shown.Table, shown.Caption = t, "Each with its "+j.axis+"; a link leads to the page of the tree."
}

// linkTo is the cell of one tree: its figure, and whether it is proved.
func (s *Summary) linkTo(shown *dataTrees, split, method string, j *judge) htmlCell {
	for _, r := range s.shown(shown.Name, method) {
		if r.Split != split {
			continue
		}
		cell := htmlCell{Text: "tree"}
		if v, ok := s.find(shown.Name, method, j.metric).values[split]; ok {
			cell.Text, cell.Value = number(v, j.digits)+j.unit, strconv.FormatFloat(v, 'g', -1, 64)
		}
		if metric.Proved(r.Result) {
			cell.Text += ", proved"
		}
		if slices.ContainsFunc(shown.pages, func(p treePage) bool { return p.record == r }) {
			cell.Link = run.TreesFolder + "/" + r.ID + ".html"
		}
		return cell
	}
	return htmlCell{Text: dash}
}

// writePages writes the pages of the trees that the report links to.
func (sec *treeSection) writePages(dir string) error {
	for i := range sec.Data {
		for _, p := range sec.Data[i].pages {
			name := filepath.Join(dir, run.TreesFolder, p.record.ID+".html")
			o := page.Options{
				Histograms: p.record.Histograms,
				Notes:      []string{fmt.Sprintf("Method %s on %s, %s.", p.record.Method, p.record.Data, p.record.Split)},
			}
			if err := atomicfile.Write(name, func(w io.Writer) error { return page.WriteHTML(w, p.tree, o) }); err != nil {
				return fmt.Errorf("cannot write %s: %w", name, err)
			}
		}
	}
	return nil
}

// widthOf returns the best display width of a tree, in rem: hyperplanes need more.
func widthOf(t *tree.Tree) int {
	if t.Terms() > t.Splits() {
		return 15 * (1 + t.Depth())
	}
	return 10 * (1 + t.Depth())
}

// splitsOf lists the splits of a data with a result, in order.
func (s *Summary) splitsOf(data string) []string {
	var splits []string
	for i := range s.records { // by split
		if r := &s.records[i]; r.Data == data && !slices.Contains(splits, r.Split) {
			splits = append(splits, r.Split)
		}
	}
	return splits
}

// praiseChoice describes the trees that are shown first.
func (s *Summary) praiseChoice(data string, c choice) string {
	text := c.best + s.meanText(data, c.best)
	if c.beside != "" {
		text += ", " + c.beside + s.meanText(data, c.beside)
	}
	text += "."
	if n := len(s.shown(data, c.best)); n > 1 {
		text += fmt.Sprintf(" Shown first: %s, where the %s of %s is nearest to its mean", s.division(data, c.split), s.judge().short, c.best)
		if c.proved {
			text += " among its proved trees"
		}
		text += "."
	}
	if !c.proved {
		text += " No tree of " + c.best + " is proved optimal."
	}
	return text
}

// meanText returns a method's mean figure in a sentence.
func (s *Summary) meanText(data, method string) string {
	j := s.judge()
	r := s.find(data, method, j.metric)
	if r.N == 0 {
		return " (no " + j.name + ")"
	}
	text := ": " + number(r.Mean, j.digits)
	if finite(r.StdError) {
		text += " ± " + number(r.StdError, j.digits)
	}
	if j == &byError {
		return text + " % test error"
	}
	return text + " " + j.name
}

// use describes how the trees of several folds use a feature.
type use struct {
	name      string
	trees     int     // trees that use it
	roots     int     // trees that use it at the root
	low, high float64 // its thresholds in univariate splits, NaN for none
}

// mostFeatures is the maximum number of features in the table of one method.
const mostFeatures = 8

// stable describes how the splits of a method's trees agree; it returns false for fewer than two
// trees or without a split.
func (s *Summary) stable(method string, trees []*tree.Tree) (stability, bool) {
	uses := usesOf(trees)
	if len(trees) < 2 || len(uses) == 0 {
		return stability{}, false
	}
	all := 0
	root := uses[0]
	for _, u := range uses {
		if u.trees == len(trees) {
			all++
		}
		if u.roots > root.roots {
			root = u
		}
	}
	of := fmt.Sprintf("of %d", len(trees))
	st := stability{Method: method, Table: &htmlTable{
		Label: "Splits of " + clean(method),
		Head:  heads("feature", "trees with it", "at the root", "thresholds"),
	}}
	st.Says = fmt.Sprintf("%s at the root in %d %s trees; %d of %d features are in every tree", root.name, root.roots, of, all, len(uses))
	for _, u := range uses[:min(mostFeatures, len(uses))] {
		st.Table.Rows = append(st.Table.Rows, htmlRow{Head: u.name, Cells: []htmlCell{
			{Text: fmt.Sprintf("%d %s", u.trees, of), Value: strconv.Itoa(u.trees), Bar: number(100*float64(u.trees)/float64(len(trees)), 0)},
			{Text: strconv.Itoa(u.roots), Value: strconv.Itoa(u.roots)},
			{Text: u.thresholds()},
		}})
	}
	if more := len(uses) - mostFeatures; more > 0 {
		st.Says += fmt.Sprintf("; %d rarer ones are not listed", more)
	}
	return st, true
}

// usesOf lists the features of trees, the most used first.
func usesOf(trees []*tree.Tree) []*use {
	by := make(map[string]*use)
	for _, t := range trees {
		seen := make(map[string]bool) // in this tree
		for i := range t.Nodes {
			split := t.Nodes[i].Split
			if split == nil {
				continue
			}
			for _, term := range split.Terms {
				name := clean(t.Features[term.Feature])
				u := by[name]
				if u == nil {
					u = &use{name: name, low: math.NaN(), high: math.NaN()}
					by[name] = u
				}
				if !seen[name] {
					seen[name] = true
					u.trees++
				}
				if i == 0 {
					u.roots++
				}
				if split.IsUnivariate() {
					u.add(split.Threshold)
				}
			}
		}
	}
	return slices.SortedFunc(maps.Values(by), func(a, b *use) int {
		return cmp.Or(cmp.Compare(b.trees, a.trees), cmp.Compare(b.roots, a.roots), cmp.Compare(a.name, b.name))
	})
}

func (u *use) add(threshold float64) {
	if math.IsNaN(u.low) {
		u.low, u.high = threshold, threshold
	}
	u.low, u.high = min(u.low, threshold), max(u.high, threshold)
}

func (u *use) thresholds() string {
	write := func(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
	switch {
	case math.IsNaN(u.low):
		return dash
	case u.low == u.high:
		return write(u.low)
	}
	return write(u.low) + " to " + write(u.high)
}
