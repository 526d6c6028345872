//go:build cgo && !nohighs

package fit_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate/gto"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// TestRLPIsNative: without a solver's name rlp proves the optimum that HiGHS finds
// for the linear program, for the same bytes each time.
func TestRLPIsNative(t *testing.T) {
	for _, name := range []string{"iris", "heart-cleveland", "sonar"} {
		ds := data(t, name)
		native, err := fit.Run(context.Background(), ds, fit.Options{Method: new(problem.RLP)})
		if err != nil {
			t.Fatal(err)
		}
		lp, err := fit.Run(context.Background(), ds, fit.Options{Method: new(problem.RLP), Solver: "highs"})
		if err != nil {
			t.Fatal(err)
		}
		s := native.Solver
		if native.Engine != "search" || native.Status != "optimal" || *native.Prover != "search" ||
			s.Name != "none" || s.Status != mio.Optimal.String() || *s.Gap != 0 || *s.Bound != *s.Objective || !*native.Check.ObjectiveMatches {
			t.Errorf("%s: native rlp ended %+v, check %+v", name, s, native.Check)
		}
		if lp.Engine != "mio" || *lp.Prover != "solver" || lp.Solver.Name != "highs" || math.Abs(*lp.Train.Objective-*native.Train.Objective) > 1e-7 {
			t.Errorf("%s: native objective %v, %s %v", name, *native.Train.Objective, lp.Solver.Name, *lp.Train.Objective)
		}
	}
}

// TestInterruptedPlanes: a context that is done before the run leaves a tree that is
// checked, and no proof.
func TestInterruptedPlanes(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, m := range []problem.Method{new(problem.RLP), new(problem.MSMT)} {
		name := m.Info().Name
		res, err := fit.Run(ctx, data(t, "iris"), fit.Options{Method: m})
		if err != nil || !res.Check.OK() || res.Status != mio.Feasible.String() || res.Limit != mio.LimitInterrupt.String() {
			t.Fatalf("%s: %v, %+v", name, err, res)
		}
		limit := ""
		switch {
		case res.Heuristic != nil:
			limit = res.Heuristic.Limit
		case res.Solver.Status == mio.Feasible.String():
			limit = res.Solver.Limit
		}
		if limit != mio.LimitInterrupt.String() {
			t.Errorf("%s: heuristic %+v, solver %+v; want an interrupt", name, res.Heuristic, res.Solver)
		}
	}
}

// TestFixedStructureMethods: epts and frank-wolfe, from each start that suits the
// structure, are never above it, and formulate confirms what they say.
func TestFixedStructureMethods(t *testing.T) {
	ds := data(t, "heart-cleveland")
	structure := gto.FullStructure(2, 0, 1)
	f, err := gto.Options{Structure: structure, Objective: gto.ProductError, OmitNames: true}.Build(context.Background(), ds)
	if err != nil {
		t.Fatal(err)
	}
	fixed := problem.Structured{Structure: structure.Text(ds.Classes)}
	for _, m := range []problem.Method{
		&problem.EPTS{Vertices: problem.Vertices{Structured: fixed, Iterations: 300}}, &problem.FrankWolfe{Vertices: problem.Vertices{Structured: fixed}},
	} {
		name := m.Info().Name
		for _, start := range []string{"auto", "cart", "msmt", "rlp", "frank-wolfe", "oc1"} {
			res, err := fit.Run(context.Background(), ds, fit.Options{Method: m, Start: start})
			if err != nil {
				t.Errorf("%s from %s: %v", name, start, err)
				continue
			}
			if h := res.Heuristic; res.Solver != nil || *h.Iterations < 1 || name == "epts" && *h.Iterations > 300 {
				t.Errorf("%s from %s: solver %+v, heuristic %+v", name, start, res.Solver, h)
			}
			if got := *res.Train.Objective; !*res.Check.ObjectiveMatches || math.Abs(got-f.Objective(res.Tree)) > 1e-9*(1+got) {
				t.Errorf("%s from %s: objective %v, but the tree has %v", name, start, got, f.Objective(res.Tree))
			}
		}
	}
	_, err = fit.Run(context.Background(), ds, fit.Options{Method: &problem.FrankWolfe{Vertices: problem.Vertices{Structured: problem.Structured{Objective: string(gto.CountError)}}}})
	if !errors.Is(err, fit.ErrInput) {
		t.Errorf("frank-wolfe on the count error: %v", err)
	}
	_, err = fit.Run(context.Background(), ds, fit.Options{Method: new(problem.EPTS), Start: "local-search"})
	if !errors.Is(err, fit.ErrInput) {
		t.Errorf("epts from univariate local search: %v", err)
	}
}

// TestOneClassPlanes: data of one class are a leaf, proved, whatever the method.
func TestOneClassPlanes(t *testing.T) {
	ds := xor(t)
	one := ds.Subset([]int{0})
	for _, m := range []problem.Method{new(problem.RLP), new(problem.EPTS), new(problem.FrankWolfe), new(problem.FMRLP), new(problem.FMRLPP), new(problem.MSMT)} {
		res, err := fit.Run(context.Background(), one, fit.Options{Method: m})
		if err != nil || res.Tree.Splits() != 0 || res.Train.Errors != 0 {
			t.Errorf("%s: %v, %+v", m.Info().Name, err, res)
		}
	}
}

// TestStartSeed: a start has its seed beside a solver that has none.
func TestStartSeed(t *testing.T) {
	lies.change = func(*mio.Model, *mio.Solution) {}
	start := func(seed int) float64 {
		res, err := fit.Run(context.Background(), data(t, "bupa"), fit.Options{
			Method: new(problem.GTO), Start: "oc1", Solver: "liar", Solve: solvers.Options{Seed: seed},
		})
		if err != nil {
			t.Fatal(err)
		}
		return *res.Solver.StartObjective
	}
	if one, again, two := start(1), start(1), start(2); one != again || one == two {
		t.Errorf("starts of objective %v and %v with seed 1, %v with seed 2", one, again, two)
	}
}

// TestStartsOfTheirOwn: an answer is never worse than that of the algorithm made for its problem,
// with the same structure and seed: gto than epts, fm than fm-rlp.
func TestStartsOfTheirOwn(t *testing.T) {
	ctx := context.Background()
	of := func(ds *dataset.Dataset, m problem.Method, o fit.Options) float64 {
		o.Method = m
		res, err := fit.Run(ctx, ds, o)
		if err != nil || !res.Check.OK() {
			t.Fatalf("%s: %v, %+v", m.Info().Name, err, res)
		}
		return *res.Train.Objective
	}
	for _, name := range []string{"blood-transfusion", "wdbc", "hepatitis", "iris", "wine", "seeds"} {
		ds := data(t, name)
		for _, o := range gto.Objectives() {
			s := problem.Structured{Objective: string(o)}
			own := of(ds, &problem.EPTS{Vertices: problem.Vertices{Structured: s}}, fit.Options{})
			got := of(ds, &problem.GTO{Structured: s}, fit.Options{Engine: problem.Heuristic})
			if got > own*(1+1e-9)+1e-6 {
				t.Errorf("%s, %s error: gto has %v, epts %v", name, o, got, own)
			}
		}
	}
	for _, name := range []string{"hepatitis", "heart-cleveland", "pima"} {
		ds := data(t, name)
		own := of(ds, new(problem.FMRLP), fit.Options{})
		if got := of(ds, new(problem.FM), fit.Options{Engine: problem.Heuristic}); got > own {
			t.Errorf("%s: fm has %v features, fm-rlp %v", name, got, own)
		}
	}
}
