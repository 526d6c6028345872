package prices

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/internal/treetest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// tried is the outcome of a tree.
type tried struct {
	value float64
	sums  string // of the rows, as a key
	g     []float64

	low, high int // ranks of classes
}

// everyTree lists the outcomes of all trees on these rows, without repeats.
func everyTree(ds *dataset.Dataset, rows []int, depth, splits int, price float64, op *Options) map[int][]tried {
	minLeaf, cs := op.MinLeaf, op.Rows
	all := map[int]map[string]tried{}
	add := func(n int, o tried) {
		o.sums = fmt.Sprintf("%.9f %.9f %d %d", o.value, o.g, o.low, o.high)
		if all[n] == nil {
			all[n] = map[string]tried{}
		}
		all[n][o.sums] = o
	}
	weight := 0.0
	for _, i := range rows {
		weight += ds.Weight[i]
	}
	excess := ds.Excess()
	if tree.EnoughWeight(weight, minLeaf) && len(rows) > 0 {
		for k := range ds.K() {
			o := tried{g: make([]float64, len(cs))}
			class := make([]float64, ds.K())
			if op.Monotone != nil {
				o.low, o.high = op.Rank[k], op.Rank[k]
			}
			for _, i := range rows {
				class[ds.Y[i]] += ds.Weight[i]
				o.value += excess[i*ds.K()+k]
				for c := range cs {
					if cs[c].Class == k {
						o.g[c] += cs[c].G[i]
					}
				}
			}
			if constraint.PureEnough(class, k, op.Purity) {
				add(0, o)
			}
		}
	}
	if depth > 0 && splits > 0 {
		for j := range ds.P() {
			for _, v := range ds.Distinct(j)[:max(1, len(ds.Distinct(j)))] {
				var left, right []int
				for _, i := range rows {
					if ds.At(i, j) <= v {
						left = append(left, i)
					} else {
						right = append(right, i)
					}
				}
				if len(left) == 0 || len(right) == 0 {
					continue
				}
				l := everyTree(ds, left, depth-1, splits-1, price, op)
				r := everyTree(ds, right, depth-1, splits-1, price, op)
				for n, list := range everyPair(j, l, r, splits, price, op) {
					for _, o := range list {
						add(n, o)
					}
				}
			}
		}
	}
	out := map[int][]tried{}
	for n, m := range all {
		for _, o := range m {
			out[n] = append(out[n], o)
		}
	}
	return out
}

// everyPair lists the outcomes of trees that split on feature j, with one of l and one of r.
func everyPair(j int, l, r map[int][]tried, splits int, price float64, op *Options) map[int][]tried {
	all := map[int][]tried{}
	for a, ls := range l {
		for b, rs := range r {
			if a+b+1 > splits {
				continue
			}
			for _, x := range ls {
				for _, y := range rs {
					o := tried{value: x.value + y.value + price, g: make([]float64, len(op.Rows)), low: min(x.low, y.low), high: max(x.high, y.high)}
					if op.Monotone != nil && (op.Monotone[j] > 0 && x.high > y.low || op.Monotone[j] < 0 && y.high > x.low) {
						continue
					}
					for c := range op.Rows {
						o.g[c] = x.g[c] + y.g[c]
					}
					all[a+b+1] = append(all[a+b+1], o)
				}
			}
		}
	}
	return all
}

// everyBelow is everyTree below the node at of fixed splits.
func everyBelow(ds *dataset.Dataset, fixed *tree.Tree, at int, rows []int, depth, splits int, price float64, op *Options) map[int][]tried {
	n := &fixed.Nodes[at]
	if n.Leaf() {
		return everyTree(ds, rows, depth, splits, price, op)
	}
	var left, right []int
	for _, i := range rows {
		if n.Split.Left(ds.Row(i)) {
			left = append(left, i)
		} else {
			right = append(right, i)
		}
	}
	switch {
	case len(left) == 0:
		return everyBelow(ds, fixed, n.Right, right, depth, splits, price, op)
	case len(right) == 0:
		return everyBelow(ds, fixed, n.Left, left, depth, splits, price, op)
	case depth == 0 || splits == 0:
		return nil
	}
	l := everyBelow(ds, fixed, n.Left, left, depth-1, splits-1, price, op)
	return everyPair(n.Split.Terms[0].Feature, l, everyBelow(ds, fixed, n.Right, right, depth-1, splits-1, price, op), splits, price, op)
}

// drawRows draws constraints: rates, recalls, precisions and pairs of groups.
func drawRows(t *rapid.T, ds *dataset.Dataset) []constraint.Row {
	var all []constraint.Row
	for range rapid.IntRange(1, 2).Draw(t, "constraints") {
		k := rapid.IntRange(0, ds.K()-1).Draw(t, "class")
		limit := float64(rapid.IntRange(0, 10).Draw(t, "limit")) / 10
		r := constraint.Row{Text: "r", Class: k, G: make([]float64, ds.N())}
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			for i, w := range ds.Weight {
				r.G[i], r.H = w, r.H+limit*w
			}
		case 1:
			for i, w := range ds.Weight {
				if ds.Y[i] == k {
					r.G[i], r.H = -w, r.H-limit*w
				}
			}
		case 2:
			for i, w := range ds.Weight {
				r.G[i] = limit * w
				if ds.Y[i] == k {
					r.G[i] -= w
				}
			}
		case 3:
			group := make([]int, ds.N())
			for i := range group {
				group[i] = rapid.IntRange(0, 1).Draw(t, "group")
			}
			if pair := parity(ds, group, limit/2, func(int) bool { return true }); !math.IsNaN(pair[0].G[0]) {
				pair[0].Class, pair[1].Class = k, k
				all = append(all, pair...)
			}
			continue
		}
		r.Slack = 1e-9
		all = append(all, r)
	}
	return all
}

// TestBruteForce: bounds are never above the value of the best feasible tree, trees never below it,
// and problems reported as infeasible are infeasible.
func TestBruteForce(t *testing.T) { bruteForced(t, 20, false) }

// TestBelowBruteForce is TestBruteForce below fixed splits.
func TestBelowBruteForce(t *testing.T) { bruteForced(t, 50, true) }

func bruteForced(t *testing.T, times int, fixed bool) {
	optimal, feasible, infeasible, none := 0, 0, 0, 0
	datatest.Times(t, times, func(t *rapid.T) {
		ds := datatest.Random(t, 9, 2, 3)
		o := Options{Depth: rapid.IntRange(1, 2).Draw(t, "depth"), Rows: drawRows(t, ds)}
		o.leastCells = rapid.IntRange(0, 1).Draw(t, "cells")
		if fixed {
			o.Depth = rapid.IntRange(1, 3).Draw(t, "depth below")
			o.Fixed = treetest.Upper(t, ds, o.Depth, 3)
			if o.Depth == 3 && o.Fixed.Splits() < 2 {
				o.Depth = 2
			}
		}
		if rapid.Bool().Draw(t, "splits cost") {
			o.Alpha = 0.05
		} else {
			o.Step = 0.25
		}
		if rapid.IntRange(0, 3).Draw(t, "costs of answers") == 0 {
			o.Step = 0
			ds.Cost = make([]float64, ds.N()*ds.K())
			for i := range ds.Cost {
				ds.Cost[i] = rapid.SampledFrom([]float64{0, 0, 0.3, 1, 2.5}).Draw(t, "cost")
			}
		}
		o.MaxSplits = rapid.IntRange(0, 2).Draw(t, "splits")
		o.labelSteps = rapid.SampledFrom([]int{0, 0, 4, 6}).Draw(t, "steps for labels") // enough for one leaf
		total := 0.0
		for _, w := range ds.Weight {
			total += w
		}
		o.MinLeaf = min(total, rapid.SampledFrom([]float64{0, 0, 1, 2.5}).Draw(t, "minimum leaf"))
		if rapid.Bool().Draw(t, "structure") {
			o.Purity = float64(rapid.IntRange(0, 10).Draw(t, "purity")) / 10
			if rapid.Bool().Draw(t, "monotone") {
				for range ds.P() {
					o.Monotone = append(o.Monotone, int8(rapid.IntRange(-1, 1).Draw(t, "sign")))
				}
				o.Rank = rapid.Permutation([]int{0, 1, 2}[:ds.K()]).Draw(t, "rank")
			}
			if rapid.Bool().Draw(t, "alone") {
				o.Rows = nil
			}
		}
		most := 1<<o.Depth - 1
		if o.MaxSplits > 0 {
			most = min(most, o.MaxSplits)
		}
		scale := tree.ErrorScale(ds)
		rows := make([]int, ds.N())
		for i := range rows {
			rows[i] = i
		}
		best := math.Inf(1)
		of := everyTree
		if fixed {
			of = func(ds *dataset.Dataset, rows []int, depth, splits int, price float64, op *Options) map[int][]tried {
				return everyBelow(ds, op.Fixed, 0, rows, depth, splits, price, op)
			}
		}
		for _, all := range of(ds, rows, o.Depth, most, o.Alpha*scale, &o) {
			for _, one := range all {
				held := true
				for c := range o.Rows {
					held = held && one.g[c] <= o.Rows[c].H+max(o.Rows[c].Slack, 1e-11)
				}
				if held {
					best = min(best, one.value/scale)
				}
			}
		}
		if rapid.IntRange(0, 3).Draw(t, "a start") == 0 {
			o.Start = append(o.Start, treetest.Upper(t, ds, o.Depth+1, 3)) // sometimes too deep
		}
		r, err := Solve(context.Background(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		if r.Tree != nil && (r.Tree.Depth() > o.Depth || r.Tree.Splits() > most) {
			t.Fatalf("a tree of depth %d with %d splits", r.Tree.Depth(), r.Tree.Splits())
		}
		if r.Bound > best+1e-9 || r.Objective < best-1e-9 {
			t.Fatalf("objective %v, bound %v; the best is %v", r.Objective, r.Bound, best)
		}
		switch r.Status {
		case mio.Optimal:
			optimal++
			if fixed && !keeps(o.Fixed, r.Tree, ds) {
				t.Fatal("the fixed splits differ")
			}
			if math.Abs(r.Objective-best) > 1e-9 {
				t.Fatalf("objective %v is said to be the best; that is %v", r.Objective, best)
			}
		case mio.Infeasible:
			infeasible++
			if best < math.Inf(1) || len(r.Broken) == 0 && o.Rows != nil {
				t.Fatalf("said to be infeasible by %q; the best is %v", r.Broken, best)
			}
		case mio.Feasible:
			feasible++
		default:
			none++
		}
	})
	t.Logf("optimal %d, feasible %d, infeasible %d, none %d", optimal, feasible, infeasible, none)
}

// keeps reports whether a tree begins with the splits of fixed that separate rows, ignoring
// thresholds.
func keeps(fixed, of *tree.Tree, ds *dataset.Dataset) bool {
	fixed = fixed.Collapse(ds)
	var same func(a, b int, rows []int) bool
	same = func(a, b int, rows []int) bool {
		x, y := &fixed.Nodes[a], &of.Nodes[b]
		if x.Leaf() {
			return true
		}
		if y.Leaf() || x.Split.Terms[0].Feature != y.Split.Terms[0].Feature {
			return false
		}
		var sides [2][]int
		for _, i := range rows {
			left := x.Split.Left(ds.Row(i))
			if left != y.Split.Left(ds.Row(i)) {
				return false
			}
			if left {
				sides[0] = append(sides[0], i)
			} else {
				sides[1] = append(sides[1], i)
			}
		}
		return same(x.Left, y.Left, sides[0]) && same(x.Right, y.Right, sides[1])
	}
	rows := make([]int, ds.N())
	for i := range rows {
		rows[i] = i
	}
	return same(0, 0, rows)
}

// TestColumns: with few or priced columns, with and without a constraint, the value is that of the
// best set of columns.
func TestColumns(t *testing.T) {
	datatest.Check(t, func(t *rapid.T) {
		ds := datatest.Random(t, 9, 4, 2)
		o := Options{Depth: 2, Step: 0.25, Columns: make([]int, ds.P())}
		if rapid.Bool().Draw(t, "constraint") {
			o.Rows = drawRows(t, ds)
		}
		for j := range o.Columns {
			o.Columns[j] = j % 3
		}
		count := min(ds.P(), 3)
		if rapid.Bool().Draw(t, "splits stay") {
			o.Fixed = treetest.Upper(t, ds, 2, 3)
		}
		o.MaxColumns = rapid.IntRange(0, 2).Draw(t, "columns")
		if o.MaxColumns == 0 || rapid.Bool().Draw(t, "prices") {
			for range count {
				o.ColumnCost = append(o.ColumnCost, float64(rapid.IntRange(0, 3).Draw(t, "price"))/10)
			}
		}
		best := math.Inf(1)
		for set := range 1 << count {
			var features []int
			n, price := 0, 0.0
			for c := range count {
				if set>>c&1 == 0 {
					continue
				}
				n++
				if o.ColumnCost != nil {
					price += o.ColumnCost[c]
				}
			}
			for j, c := range o.Columns {
				if set>>c&1 != 0 {
					features = append(features, j)
				}
			}
			if o.MaxColumns > 0 && n > o.MaxColumns {
				continue
			}
			part := Options{Depth: 2, Step: 0.25, Rows: o.Rows}
			if o.Fixed != nil {
				fixed := o.Fixed.Collapse(ds)
				if slices.ContainsFunc(fixed.FeaturesUsed(), func(j int) bool { return !slices.Contains(features, j) }) {
					continue
				}
				part.Fixed = fixed.Onto(ds.WithFeatures(features), features)
			}
			r, err := Solve(context.Background(), ds.WithFeatures(features), part)
			if err != nil {
				t.Fatal(err)
			}
			best = min(best, r.Objective+price)
		}
		r, err := Solve(context.Background(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(r.Objective-best) > 1e-9 && r.Objective != best {
			t.Fatalf("%v, objective %v, bound %v; the best set has %v", r.Status, r.Objective, r.Bound, best)
		}
		if r.Status != mio.Optimal && r.Status != mio.Infeasible {
			t.Fatalf("%v, objective %v, bound %v", r.Status, r.Objective, r.Bound)
		}
	})
}

// TestFirstTreeInWindow: if splits have a penalty and neither the single leaf nor a tree of an
// evaluation is pure enough, the window finds the first tree, and the problem is not reported as
// infeasible.
func TestFirstTreeInWindow(t *testing.T) {
	ds, err := dataset.New([]float64{0, 0, 0, 0, 0, 1, 1, 0}, []int{0, 1, 0, 0}, []string{"a", "b"}, []string{"no", "yes"})
	if err != nil {
		t.Fatal(err)
	}
	ds.Weight = []float64{3, 6, 1, 1}
	none := constraint.Row{Text: "recall:no>=0", Class: 0, G: []float64{-3, 0, -1, -1}, Slack: 1e-9}
	r, err := Solve(context.Background(), ds, Options{
		Depth: 2, Alpha: 0.05, Purity: 0.6, Monotone: []int8{0, 1}, Rank: []int{0, 1}, Rows: []constraint.Row{none, none},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Status != mio.Optimal || math.Abs(r.Objective-0.85) > 1e-9 {
		t.Errorf("%v, objective %v; want optimal, 0.85", r.Status, r.Objective)
	}
}
