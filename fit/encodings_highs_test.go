//go:build cgo && !nohighs

package fit_test

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	octprogram "github.com/octgen/octgen/formulate/oct"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/solvers"
	_ "github.com/octgen/octgen/solvers/highs"
)

// solvable are the encodings of OCT whose optimum is that of trees and whose rows HiGHS
// takes.
func solvable() []string {
	var names []string
	for _, e := range octprogram.Encodings() {
		if f := octprogram.FactsOf(e); !f.BelowTrees && !f.Indicators {
			names = append(names, string(e))
		}
	}
	return names
}

// TestEncodingsAgree: every encoding, solved by HiGHS without a start, has the optimum of
// the exact search: 1,000 random instances each with OCTGEN_LONG=1.
func TestEncodingsAgree(t *testing.T) {
	cases := datatest.Some(25)
	if os.Getenv("OCTGEN_LONG") != "" {
		cases = 1000
	}
	ctx := context.Background()
	for _, e := range solvable() {
		t.Run(e, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(19, 4))
			for n := 0; n < cases; {
				ds := datatest.Tied(rng, 6, 3)
				s := shape(1+rng.IntN(2), []float64{0, 0, 0.05, 0.3}[rng.IntN(4)], 0)
				if rng.IntN(3) == 0 {
					s.MaxSplits = 1 + rng.IntN(3)
				}
				if rng.IntN(3) == 0 && !octprogram.FactsOf(formulate.Encoding(e)).FreeLeaves {
					s.MinLeaf = 1 + float64(rng.IntN(3))
				}
				want, err := fit.Run(ctx, ds, fit.Options{Method: &problem.OCT{Shape: s}, Engine: problem.Search})
				if err != nil || want.Solver == nil || want.Solver.Name != "treesearch" {
					continue // too little weight, or a single leaf
				}
				n++
				got, err := fit.Run(ctx, ds, fit.Options{
					Method: &problem.OCT{Shape: s, Encoded: problem.Encoded{Encoding: e}}, Engine: problem.MIO, Solver: "highs", Start: "none",
					Solve: solvers.Options{Threads: 1},
				})
				if err != nil {
					t.Fatalf("case %d, %+v: %v\n%v", n, s, err, ds)
				}
				if got.Status != "optimal" || math.Abs(*got.Objective-*want.Objective) > 1e-9 {
					t.Fatalf("case %d, %+v: %s with %v, the search has %v\n%+v", n, s, got.Status, *got.Objective, *want.Objective, ds)
				}
			}
		})
	}
}

// TestEncodingsOnStrongTree: at depth 2, on the data that the encodings flow, cut and
// binoct were published for, each has the search's optimum where it ends within a minute,
// and never a bound above it.
func TestEncodingsOnStrongTree(t *testing.T) {
	datatest.Long(t)
	files, err := filepath.Glob(filepath.Join(datatest.Dir(t), "strongtree", "*.csv"))
	if err != nil || len(files) == 0 {
		t.Skip("no folder strongtree among the data")
	}
	ctx := context.Background()
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".csv")
		ds := datatest.Load(t, "strongtree/"+name)
		want, err := fit.Run(ctx, ds, fit.Options{Method: &problem.OCT{Shape: shape(2, 0, 0)}, Engine: problem.Search})
		if err != nil || want.Status != "optimal" {
			t.Fatalf("%s: the search is %v, %v", name, want.Status, err)
		}
		for _, e := range solvable() {
			got, err := fit.Run(ctx, ds, fit.Options{
				Method: &problem.OCT{Shape: shape(2, 0, 0), Encoded: problem.Encoded{Encoding: e}}, Engine: problem.MIO, Solver: "highs", Start: "none",
				Solve: solvers.Options{Threads: 1, TimeLimit: time.Minute},
			})
			if err != nil {
				t.Errorf("%s, %s: %v", name, e, err)
				continue
			}
			bound := math.Inf(-1)
			if got.Bound != nil {
				bound = *got.Bound
			}
			if bound > *want.Objective+1e-6 || got.Status == "optimal" && math.Abs(*got.Objective-*want.Objective) > 1e-6 || *got.Objective < *want.Objective-1e-6 {
				t.Errorf("%s, %s: %s with %v and bound %v, the search has %v", name, e, got.Status, *got.Objective, bound, *want.Objective)
			}
			t.Logf("%s, %s: %s, objective %.6g of %.6g, bound %.6g, %.1f s", name, e, got.Status, *got.Objective, *want.Objective, bound, got.Seconds)
		}
	}
}

// TestLazyRowsStopped: where the time ends a solve with lazy rows, its tree and a bound of
// the whole model are the answer.
func TestLazyRowsStopped(t *testing.T) {
	ds := data(t, "iris")
	for _, limit := range []time.Duration{time.Millisecond, 300 * time.Millisecond} {
		for _, start := range []string{"none", "cart"} {
			res, err := fit.Run(context.Background(), ds, fit.Options{
				Method: &problem.OCT{Shape: shape(2, 0, 0), Encoded: problem.Encoded{Encoding: "cut"}}, Engine: problem.MIO, Solver: "highs", Start: start,
				Solve: solvers.Options{Threads: 1, TimeLimit: limit},
			})
			if err != nil {
				t.Errorf("%v from %s: %v", limit, start, err)
				continue
			}
			if res.Tree == nil || res.Objective == nil || *res.Objective < 0.06-1e-9 || res.Bound != nil && *res.Bound > 0.06+1e-9 {
				t.Errorf("%v from %s: %+v", limit, start, res.Solver)
			}
		}
	}
}

// TestLazyRowsTell: what is told of a solve with lazy rows is true of the whole model: no
// incumbent below the optimum, bounds that only rise.
func TestLazyRowsTell(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 5))
	told := 0
	for range 20 {
		ds := datatest.Tied(rng, 6, 3)
		o := fit.Options{
			Method: &problem.OCT{Shape: shape(2, 0, 0), Encoded: problem.Encoded{Encoding: "cut"}}, Engine: problem.MIO, Solver: "highs", Start: "none",
			Solve: solvers.Options{Threads: 1},
		}
		var events []solvers.Event
		o.Notify = func(e fit.Event) {
			if e.Progress != nil {
				events = append(events, *e.Progress)
			}
		}
		res, err := fit.Run(context.Background(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		last := math.Inf(-1)
		for _, e := range events {
			if e.Objective < *res.Objective-1e-9 || e.Bound < last-1e-12 || e.Values != nil {
				t.Errorf("told %+v after the bound %v, the optimum is %v", e, last, *res.Objective)
			}
			last = e.Bound
			told++
		}
	}
	if told == 0 {
		t.Error("nothing was told")
	}
}
