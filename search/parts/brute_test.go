//go:build cgo && !nohighs

package parts

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	_ "github.com/octgen/octgen/solvers/highs"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/internal/treetest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/tree"
)

// solver returns HiGHS on one thread.
func solver(t testing.TB) Solve {
	t.Helper()
	s, err := solvers.Lookup("highs")
	if err != nil {
		t.Fatal(err)
	}
	return func(ctx context.Context, m *mio.Model, l Limits) (*mio.Solution, error) {
		o := solvers.Options{Threads: 1, AbsGap: l.AbsGap}
		if l.First {
			o.Raw = map[string]string{"mip_max_improving_sols": "1"}
		}
		return s.Solve(ctx, m, o)
	}
}

// randomData draws rows of one or two features on a coarse grid, with ties, repeated and
// contradictory points, and sometimes weights.
func randomData(rng *rand.Rand, n int) *dataset.Dataset {
	p, k := 1+rng.IntN(2), 2+rng.IntN(2)
	d := &dataset.Dataset{}
	for j := range p {
		d.Features = append(d.Features, fmt.Sprintf("x%d", j+1))
	}
	for c := range k {
		d.Classes = append(d.Classes, fmt.Sprintf("c%d", c+1))
	}
	levels, weighted := []int{2, 3, 5, 8, 60}[rng.IntN(5)], rng.IntN(2) == 0
	for i := range n {
		for range p {
			d.X = append(d.X, float64(rng.IntN(levels)))
		}
		d.Y = append(d.Y, rng.IntN(k))
		if i < k {
			d.Y[i] = i
		}
		w := 1.0
		if weighted {
			w = []float64{0.3, 0.5, 1, 2.5}[rng.IntN(4)]
		}
		d.Weight = append(d.Weight, w)
		d.Count = append(d.Count, 1)
	}
	return d
}

// instance returns a random problem and its optimum.
func instance(t *testing.T, rng *rand.Rand, trial int) (*dataset.Dataset, Options, float64) {
	ds, o := drawn(t, rng, trial)
	return ds, o, optimum(t, ds, o.Form)
}

// drawn returns a random problem.
func drawn(t *testing.T, rng *rand.Rand, trial int) (*dataset.Dataset, Options) {
	f := hyperplane.Options{Depth: 1 + trial%2, Mu: []float64{0.0173, 0.0871, 0.2113}[rng.IntN(3)], Margin: hyperplane.Right}
	if rng.IntN(3) == 0 {
		f.Alpha = []float64{0.01, 0.07, 0.31}[rng.IntN(3)]
	}
	if rng.IntN(4) == 0 {
		f.MaxSplits = 1 + rng.IntN(2)
	}
	ds := randomData(rng, []int{9, 7}[trial%2])
	return ds, Options{Form: f, Solve: solver(t), Seed: uint64(trial)}
}

// optimum is the least objective, by trying all divisions of the rows.
func optimum(t *testing.T, ds *dataset.Dataset, f hyperplane.Options) float64 {
	want := 0.0
	if d, err := f.Data(context.Background(), ds); err == nil {
		h := &treetest.Hyperplanes{Mu: f.Mu}
		for i := range d.Len() {
			h.X, h.Y, h.Weight = append(h.X, d.Scaled(i)), append(h.Y, d.Class(i)), append(h.Weight, d.Weight(i))
		}
		way := h.Served
		if f.Margin == hyperplane.All {
			way = h.All
		}
		want = way(1<<d.Len()-1, f.Depth, d.Baseline(), f.Alpha, f.MaxSplits)
	} else { // the single leaf
		want = tree.NewLeaf(ds, 0).Evaluate(ds).ErrorWeight
		for c := range ds.K() {
			want = min(want, tree.NewLeaf(ds, c).Evaluate(ds).ErrorWeight)
		}
		want /= tree.ErrorScale(ds)
	}
	return want
}

// TestCells: the optimum of both margins is found and proved by directions alone.
func TestCells(t *testing.T) {
	alone(t, Cells, func(int) int { return 1 }, false, []hyperplane.Margin{hyperplane.Right, hyperplane.All})
}

// TestPlaced: the optimum is found and proved by clauses alone, at depth 1 to 3.
func TestPlaced(t *testing.T) {
	alone(t, Placed, func(trial int) int { return 1 + trial%3 }, true, []hyperplane.Margin{hyperplane.Right})
}

// alone checks that a method proves nearly all optima, and nothing else.
func alone(t *testing.T, way func(context.Context, *dataset.Dataset, Options) (*Result, error), depth func(int) int, free bool, margins []hyperplane.Margin) {
	trials := 200
	if text := os.Getenv("OCTGEN_CASES"); text != "" {
		trials, _ = strconv.Atoi(text)
	}
	rng := rand.New(rand.NewPCG(14, 47))
	proved := 0
	for trial := range trials {
		ds, o := drawn(t, rng, 2*trial)
		o.Form.Depth, o.Form.Margin = depth(trial), margins[trial%len(margins)]
		if free {
			o.Form.Alpha, o.Form.MaxSplits = 0, 0
		}
		want := optimum(t, ds, o.Form)
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		r, err := way(ctx, ds, o)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		if r.Bound > want+1e-6 || r.Objective < want-1e-6 {
			t.Errorf("trial %d, %+v: objective %v, bound %v; brute force has %v", trial, o.Form, r.Objective, r.Bound, want)
		}
		if r.Status == mio.Optimal {
			proved++
		}
	}
	if t.Logf("%d of %d proved", proved, trials); proved < trials*9/10 {
		t.Errorf("%d of %d proved", proved, trials)
	}
}

// TestBruteForce: the optimum is proved, and no bound of a single method exceeds it.
func TestBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 5))
	ctx := context.Background()
	positive := 0
	by := map[string]int{}
	for trial := range 120 {
		ds, o, want := instance(t, rng, trial)
		r, err := Prove(ctx, ds, o)
		if err != nil {
			t.Fatalf("trial %d: %v", trial, err)
		}
		if r.Status != mio.Optimal || math.Abs(r.Objective-want) > 1e-6 || math.Abs(r.Bound-want) > 1e-6 {
			t.Errorf("trial %d, %+v: %v, objective %v, bound %v by %s; brute force has %v", trial, o.Form, r.Status, r.Objective, r.Bound, r.By, want)
		}
		if want > 1e-9 {
			positive++
			by[string(r.By)]++
		}
		for name, way := range map[string]func(context.Context, *dataset.Dataset, Options) (*Result, error){
			"data": Data, "rows": Rows, "chunks": Chunks, "subsystems": Subsystems, "cells": Cells, "clauses": Placed,
		} {
			if name == "subsystems" && o.Form.Depth > 1 {
				continue
			}
			r, err := way(ctx, ds, o)
			if err != nil {
				t.Fatalf("trial %d, %s: %v", trial, name, err)
			}
			if r.Bound > want+1e-6 {
				t.Errorf("trial %d, %s, %+v: the bound %v is above the optimum %v", trial, name, o.Form, r.Bound, want)
			}
			if r.Status == mio.Optimal && math.Abs(r.Objective-want) > 1e-6 {
				t.Errorf("trial %d, %s, %+v: optimal %v, brute force has %v", trial, name, o.Form, r.Objective, want)
			}
		}
	}
	if positive < 60 || by["subsystems"]+by["cells"] < 10 || by["rows"] < 10 {
		t.Errorf("%d instances with errors, provers %v", positive, by)
	}
}

// TestMarginAll: bounds hold for margin all, and a tree reported as optimal keeps
// the margin for all rows.
func TestMarginAll(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 6))
	ctx := context.Background()
	proved := 0
	for trial := range 40 {
		ds, o, right := instance(t, rng, trial)
		o.Form.Margin = hyperplane.All
		r, err := Prove(ctx, ds, o)
		if err != nil {
			t.Fatal(err)
		}
		if all := optimum(t, ds, o.Form); r.Bound > all+1e-6 || r.Objective < all-1e-6 || all < right-1e-6 {
			t.Errorf("trial %d: objective %v, bound %v; the optimum is %v, of right rows %v", trial, r.Objective, r.Bound, all, right)
		}
		d, err := o.Form.Data(ctx, ds)
		if err != nil {
			continue
		}
		if m := d.LeastMargin(r.Tree); m < o.Form.Mu-hyperplane.MarginSlack {
			t.Errorf("trial %d: a margin of %v, want at least %v", trial, m, o.Form.Mu)
		}
		if v := tree.Objective(r.Tree.Evaluate(ds).ErrorWeight, tree.ErrorScale(ds), o.Form.Alpha, r.Tree.Terms()); math.Abs(v-r.Objective) > 1e-9 {
			t.Errorf("trial %d: the objective is %v, stated %v", trial, v, r.Objective)
		}
		if r.Status == mio.Optimal {
			proved++
		}
	}
	if proved < 20 {
		t.Errorf("%d of 40 proved", proved)
	}
}

// TestLimits: ended contexts and deadlines leave a valid bound and a tree.
func TestLimits(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 7))
	for trial := range 30 {
		ds, o, want := instance(t, rng, trial)
		ctx, cancel := context.WithCancel(context.Background())
		calls, solve := rng.IntN(6), o.Solve
		o.Solve = func(ctx context.Context, m *mio.Model, l Limits) (*mio.Solution, error) {
			if calls--; calls < 0 {
				cancel()
			}
			return solve(ctx, m, l)
		}
		if trial%3 == 0 {
			cancel()
		}
		r, err := Prove(ctx, ds, o)
		if err != nil {
			t.Fatalf("trial %d: %v", trial, err)
		}
		if r.Tree == nil || r.Bound > want+1e-6 || r.Objective < want-1e-6 {
			t.Errorf("trial %d: objective %v, bound %v, optimum %v", trial, r.Objective, r.Bound, want)
		}
		if r.Status != mio.Optimal && r.Limit != mio.LimitInterrupt {
			t.Errorf("trial %d: %v with limit %q", trial, r.Status, r.Limit)
		}
		cancel()
	}
}
