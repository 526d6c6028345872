//go:build cgo && !nohighs

package study

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate/oct"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// This file is what the tests of single defects know of octgen beside adapter_test.go.

// load reads a file of examples/ or of the shared collection, without which the test
// is skipped, as an instance of depth 1.
func load(t *testing.T, e engine, file string) *instance {
	t.Helper()
	for _, dir := range []string{filepath.Join("..", "..", "examples"), os.Getenv("OCTGEN_DATA"), filepath.Join("..", "..", "..", "shared", "data")} {
		path := filepath.Join(dir, file)
		if _, err := os.Stat(path); dir == "" || err != nil {
			continue
		}
		ds, err := dataset.Load(path, dataset.LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		in := &instance{engine: e, drawnBy: file, y: ds.Y, k: ds.K(), w: ds.Weight, depth: 1, start: "none"}
		for i := range ds.N() {
			in.x = append(in.x, ds.Row(i))
		}
		return in
	}
	t.Skipf("%s is neither in examples/ nor in $OCTGEN_DATA nor in ../shared/data", file)
	return nil
}

// request is a fit that differs from the engine's usual one.
type request struct {
	minMaxScale bool
	crossCheck  bool
	solver      string
	start       string
	limit       time.Duration
}

// ask has the engine answer the instance as requested; agrees is the word of the
// cross-check, and of the check's error.
func (in *instance) ask(q request) (a *answer, agrees bool) {
	o := in.options()
	o.CrossCheck, o.Solve.TimeLimit = q.crossCheck, q.limit
	if q.minMaxScale {
		o.Method.(*problem.OCT).Scale = string(oct.MinMaxScale)
	}
	if q.solver != "" {
		o.Solver = q.solver
	}
	if q.start != "" {
		o.Start = q.start
	}
	a = noAnswer()
	res, err := fit.Run(context.Background(), in.data(), o)
	a.err, a.refused = err, errors.Is(err, fit.ErrInput)
	if res != nil {
		a.read(res)
	}
	return a, err == nil && (res.CrossCheck == nil || res.CrossCheck.Agrees)
}

// overconfident is a solver that calls its start optimal, with a bound that it may
// leave open.
type overconfident struct {
	name string
	open bool
}

func init() {
	solvers.Register(overconfident{"overconfident", false})
	solvers.Register(overconfident{"overconfident-open", true})
}

func (s overconfident) Name() string   { return s.name }
func (overconfident) Version() string  { return "1" }
func (overconfident) Available() error { return nil }
func (overconfident) Capabilities() solvers.Capabilities {
	return solvers.Capabilities{Discrete: true, Start: true, Threads: true, TimeLimit: true, Seed: true, Indicator: true}
}

func (s overconfident) Solve(_ context.Context, m *mio.Model, o solvers.Options) (*mio.Solution, error) {
	v := m.Objective(o.Start)
	sol := &mio.Solution{Status: mio.Optimal, Values: slices.Clone(o.Start), Objective: v, Bound: v, Solver: s.name, Raw: "optimal"}
	if s.open {
		sol.Bound = 0
	}
	sol.Gap = mio.Gap(sol.Objective, sol.Bound)
	return sol, nil
}
