package gto

import (
	"math"

	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/tree"
)

// Decode returns the tree of a feasible point of the model, with all decisions and leaves of the
// structure. Every split has a weight: a decision with w = 0 gets one on the first non-constant
// feature, too small to affect any training row (tree.Tree's Collapse removes such splits).
//
// With the count error, a row whose margins the point claims must keep them. If a solver's
// tolerances left a margin slightly below 1, the decision is scaled up; a margin that is not
// positive is an error.
func (f *Formulation) Decode(values []float64) (*tree.Tree, error) {
	if err := point.Length(values, f.model.NumCols()); err != nil {
		return nil, err
	}
	planes := f.planes(values)
	if f.opts.Objective == CountError {
		if err := f.restoreMargins(planes, values); err != nil {
			return nil, err
		}
	}
	return f.toTree(planes)
}

// planes reads w and gamma.
func (f *Formulation) planes(values []float64) []plane {
	planes := make([]plane, f.layout.decisions)
	for d := range planes {
		planes[d].w = make([]float64, f.g.p)
		for jx := range planes[d].w {
			planes[d].w[jx] = values[f.colW(jx, d)]
		}
		planes[d].gamma = values[f.colGamma(d)]
		planes[d].clean()
	}
	return planes
}

// restoreMargins scales up decisions whose minimum margin, among the rows that the point counts as
// correct, is below 1.
func (f *Formulation) restoreMargins(planes []plane, values []float64) error {
	act, D := f.g.activities(planes), len(planes)
	least := make([]float64, D)
	for d := range least {
		least[d] = 1
	}
	for i := range f.g.n {
		k, err := f.claimed(i, values)
		if err != nil {
			return err
		}
		if k < 0 {
			continue
		}
		for _, s := range f.layout.leaves[k].path {
			d := s / 2
			margin := marginOf(s, act[i*D+d])
			// Solvers satisfy constraints and integrality to 1e-6; the latter is multiplied by M
			// here.
			if tolerance := min(0.5, 1e-5*f.bigM(i)+1e-5); margin < 1-tolerance {
				return point.Bad("row %d is counted as correct at leaf %d, but has margin %[4]v at decision %[3]d, expected 1", i+1, f.leafNumber(k), d+1, margin)
			}
			least[d] = min(least[d], margin)
		}
	}
	for d, m := range least {
		if m < 1-1e-12 { // not for rounding errors: that would move rows on the plane
			planes[d] = planes[d].scaled(1/m, math.Inf(1))
		}
	}
	return nil
}

// marginOf returns the distance of a row into its side of a decision.
func marginOf(slot int, activity float64) float64 {
	if slot&1 == 1 {
		return activity
	}
	return -activity
}

// claimed returns the leaf at which the point counts row i as correct, -1 if it counts as an error.
func (f *Formulation) claimed(i int, values []float64) (int, error) {
	wrong, err := point.Binary(values[f.cols.e[i]], "e", i+1)
	if err != nil || wrong {
		return -1, err
	}
	c := f.class(i)
	if !c.choice() {
		return c.leaves[0], nil
	}
	for q, k := range c.leaves {
		if on, err := point.Binary(values[at(f.cols.q[i], q)], "q", i+1, f.leafNumber(k)); err != nil || on {
			return k, err
		}
	}
	return -1, point.Bad("row %d has neither a leaf nor an error", i+1)
}

// toTree turns planes into a tree in the data's units.
func (f *Formulation) toTree(planes []plane) (*tree.Tree, error) {
	ds := f.g.ds
	t := tree.NewLeaf(ds, 0)
	if err := f.grow(t, planes, 0, 0); err != nil {
		return nil, err
	}
	t.Annotate(f.g.src) // in the data's weight
	return t, nil
}

// grow replaces the leaf of t at index node by the decision (or ^leaf) from.
func (f *Formulation) grow(t *tree.Tree, planes []plane, node, from int) error {
	if from < 0 {
		t.Nodes[node].Class = f.layout.leaves[^from].class
		return nil
	}
	s, err := f.split(planes[from], from)
	if err != nil {
		return err
	}
	left, right := t.Grow(node, s, 0, 0)
	if err := f.grow(t, planes, left, f.layout.left[from]); err != nil {
		return err
	}
	return f.grow(t, planes, right, f.layout.right[from])
}

// split returns a decision in the data's units: w_j = w'_j / sd_j, gamma = gamma' + sum_j w_j
// mean_j.
func (f *Formulation) split(h plane, d int) (*tree.Split, error) {
	s := &tree.Split{Threshold: h.gamma}
	add := func(jx int, w float64) {
		j := f.g.active[jx]
		w /= f.g.sd[j]
		s.Terms = append(s.Terms, tree.Term{Feature: j, Weight: w})
		s.Threshold += w * f.g.mean[j]
	}
	for jx, w := range h.w {
		if w != 0 {
			add(jx, w)
		}
	}
	if len(s.Terms) == 0 {
		w := f.noWeight()
		if math.Abs(h.gamma) <= vacuousWeight {
			s.Threshold = -2 * vacuousWeight // all rows go right, as 0 < 0 is false
		}
		add(0, w)
	}
	for _, term := range s.Terms {
		if term.Weight == 0 || math.IsNaN(term.Weight) || math.IsInf(term.Weight, 0) || math.IsNaN(s.Threshold) || math.IsInf(s.Threshold, 0) {
			return nil, point.Bad("decision %d cannot be written in the data's units: feature %q has standard deviation %v", d+1, f.g.ds.Features[term.Feature], f.g.sd[term.Feature])
		}
	}
	return s, nil
}

// vacuousWeight is the maximum contribution of the weight of a decision with w = 0.
const vacuousWeight = 1e-12

// noWeight returns the weight on the first feature that represents 0.
func (f *Formulation) noWeight() float64 {
	most := 0.0
	for i := range f.g.n {
		most = max(most, math.Abs(f.g.row(i)[0]))
	}
	return vacuousWeight / most
}
