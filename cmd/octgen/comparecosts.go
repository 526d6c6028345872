package main

import (
	"fmt"
	"io"
	"slices"
)

// The values of comparison.CostsOf, beside none.
const (
	ofA    = "a"
	ofB    = "b"
	ofBoth = "both"
	ofEach = "each"
)

// shareCosts has the rows, which are those of both trees, cost the same for both: by A's
// matrix, or where A has none by B's.
func (x *comparison) shareCosts() {
	a, b := x.A.rows, x.B.rows
	switch {
	case a.Cost == nil && b.Cost == nil:
	case !slices.Equal(a.Classes, b.Classes):
		x.CostsOf = ofEach
	case a.Cost == nil:
		x.CostsOf, a.Cost = ofB, b.Cost
	case slices.Equal(a.Cost, b.Cost):
		x.CostsOf = ofBoth
	default:
		x.CostsOf, b.Cost = ofA, a.Cost
	}
}

// costs are what the tree's answers cost, row by row.
func (t *comparedTree) costs() []float64 {
	costs := make([]float64, t.rows.N())
	for i := range costs {
		costs[i] = t.rows.CostsOf(i)[t.tree.Predict(t.rows.Row(i))]
	}
	return costs
}

// printCosts says by which matrix the costs are, and what the test of them does.
func (x *comparison) printCosts(w io.Writer) {
	text := ""
	switch x.CostsOf {
	case "":
		return
	case ofA:
		text = "by the cost matrix of A, for both"
		if x.B.tree.Encoder.CostMatrix != nil {
			text += "; that of B is another one"
		}
	case ofB:
		text = "by the cost matrix of B, for both"
	case ofBoth:
		text = "by the cost matrix that both have"
	case ofEach:
		text = "each by its own cost matrix, since the trees know different classes: not to be compared"
	}
	label(w, "costs", text)
	d := x.CostDifference
	if d == nil {
		return
	}
	mean := fmt.Sprintf("A costs %s per row more than B", figure(d.Mean))
	if d.Mean < 0 {
		mean = fmt.Sprintf("A costs %s per row less than B", figure(-d.Mean))
	}
	if d.StandardError != nil {
		mean += fmt.Sprintf(" (standard error %s)", figure(*d.StandardError))
	}
	verdict := "the difference may be chance"
	switch {
	case d.Differ == 0:
		verdict = "the trees cost the same on every row"
	case d.PValue < significance && d.Mean < 0:
		verdict = "hardly chance: A is cheaper"
	case d.PValue < significance:
		verdict = "hardly chance: B is cheaper"
	}
	label(w, "cost test", fmt.Sprintf("%s; p = %s (%s): %s", mean, figure(d.PValue), d.Test, verdict))
}
