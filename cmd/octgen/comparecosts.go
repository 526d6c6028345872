package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/score"
)

// The values of comparison.CostsOf, beside none.
const (
	ofA    = "a"
	ofB    = "b"
	ofBoth = "both"
	ofEach = "each"
)

// shareCosts has the rows a and b, the same ones as two trees read them, cost the same:
// by A's matrix, or where A has none by B's. It returns whose that is.
func shareCosts(a, b *dataset.Dataset) (of string) {
	switch {
	case a.Cost == nil && b.Cost == nil:
		return ""
	case !slices.Equal(a.Classes, b.Classes):
		return ofEach
	case a.Cost == nil:
		a.Cost = b.Cost
		return ofB
	case b.Cost != nil && slices.Equal(a.Cost, b.Cost):
		return ofBoth
	}
	b.Cost = a.Cost
	return ofA
}

// costsOf are what the tree's answers cost, row by row.
func costsOf(t *tree.Tree, rows *dataset.Dataset) []float64 {
	costs := make([]float64, rows.N())
	for i := range costs {
		costs[i] = rows.CostsOf(i)[t.Predict(rows.Row(i))]
	}
	return costs
}

// significance is the level of verdicts in words.
const significance = 0.05

// printCosts says by which matrix the costs are, another one than B's own, if other, and
// what the test of them does.
func printCosts(w io.Writer, of string, other bool, d *score.Difference) {
	text := ""
	switch of {
	case "":
		return
	case ofA:
		text = "by the cost matrix of A, for both"
		if other {
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
	if d == nil {
		return
	}
	mean := fmt.Sprintf("A costs %s per row more than B", asIs(d.Mean))
	if d.Mean < 0 {
		mean = fmt.Sprintf("A costs %s per row less than B", asIs(-d.Mean))
	}
	if d.StandardError != nil {
		mean += fmt.Sprintf(" (standard error %s)", asIs(*d.StandardError))
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
