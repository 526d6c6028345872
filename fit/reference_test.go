//go:build cgo && !nohighs

package fit_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"github.com/octgen/octgen/internal/datatest"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// optimum is a row of univariate-optima.csv.
type optimum struct {
	dataset string
	rows    int
	depth   int
	errors  float64
}

// optima reads the proven optima beside the shared data, or skips the test.
func optima(t *testing.T) []optimum {
	t.Helper()
	for _, dir := range []string{os.Getenv("OCTGEN_DATA"), "../../shared/data"} {
		if dir == "" {
			continue
		}
		f, err := os.Open(filepath.Join(dir, "../reference/univariate-optima.csv"))
		if err != nil {
			continue
		}
		defer f.Close()
		records, err := csv.NewReader(f).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		var all []optimum
		for _, r := range records[1:] {
			o := optimum{dataset: r[0]}
			o.rows, _ = strconv.Atoi(r[1])
			o.depth, _ = strconv.Atoi(r[4])
			o.errors, _ = strconv.ParseFloat(r[5], 64)
			all = append(all, o)
		}
		return all
	}
	t.Skip("univariate-optima.csv is in no folder reference beside the shared data")
	return nil
}

// slowDepth2 are the datasets whose depth-2 proof takes more than ten seconds;
// with OCTGEN_LONG they are proved too.
var slowDepth2 = map[string]bool{"wine": true}

// TestReferenceOptima: whenever the result says optimal it has the errors of
// the reference, and the sets named here are proved.
func TestReferenceOptima(t *testing.T) {
	few := map[string]bool{"iris": true, "monks-1": true, "hayes-roth": true, "wine": true}
	depth2 := map[string]bool{
		"iris": true, "seeds": true, "wine": true, "monks-1": true, "monks-2": true, "monks-3": true,
		"hayes-roth": true, "balance-scale": true, "teaching-assistant": true,
	}
	for _, o := range optima(t) {
		switch {
		case !datatest.All() && !few[o.dataset]:
			continue
		case o.depth == 1 && o.rows <= 1000:
		case o.depth == 2 && depth2[o.dataset] && (long() || !slowDepth2[o.dataset]):
		default:
			continue
		}
		t.Run(fmt.Sprintf("%s depth %d", o.dataset, o.depth), func(t *testing.T) {
			began := time.Now()
			res, err := fit.Run(context.Background(), data(t, o.dataset), fit.Options{Method: whole(o.depth, 0, 1), Engine: problem.MIO})
			if err != nil {
				t.Fatal(err)
			}
			if res.Status != mio.Optimal.String() || res.Solver.Status != mio.Optimal.String() || res.Train.Errors != o.errors {
				t.Errorf("%s, by the solver %s, with %v errors, the optimum is %v", res.Status, res.Solver.Status, res.Train.Errors, o.errors)
			}
			t.Logf("%.1f s, %d nodes, %d rows, %d nonzeros", time.Since(began).Seconds(), res.Solver.Nodes, res.Formulation.Rows, res.Formulation.Nonzeros)
		})
	}
}

// TestOCTHNeverWorse: from the CART start OCT-H never ends worse, and every
// figure is confirmed.
func TestOCTHNeverWorse(t *testing.T) {
	for _, c := range []struct {
		name  string
		depth int
		alpha float64
	}{{"iris", 2, 0.001}, {"breast-cancer-wisconsin", 1, 0.01}, {"breast-cancer-wisconsin", 2, 0.01}} {
		ds := data(t, c.name)
		res, err := fit.Run(context.Background(), ds, fit.Options{
			Method: &problem.OCTH{Shape: shape(c.depth, c.alpha, 1)},
			Solve:  solvers.Options{TimeLimit: time.Duration(datatest.Some(4)) * time.Second},
		})
		if err != nil {
			t.Fatalf("%s depth %d: %v", c.name, c.depth, err)
		}
		if s := res.Solver; s.StartObjective == nil || *res.Train.Objective > *s.StartObjective+1e-9 {
			t.Errorf("%s depth %d: objective %v, start %v", c.name, c.depth, *res.Train.Objective, s.StartObjective)
		}
		if c := res.Check; !c.OK() || !*c.Feasible || !*c.ObjectiveMatches || !c.ErrorsMatch {
			t.Errorf("check: %+v", c)
		}
		t.Logf("%s depth %d: start %.4g, %.4g with %v errors", c.name, c.depth, *res.Solver.StartObjective, *res.Train.Objective, res.Train.Errors)
	}
}

// TestTunedByProgram: the solves of a tuned method by a solver prove what those of the
// search prove.
func TestTunedByProgram(t *testing.T) {
	ds := data(t, "hayes-roth")
	search, err := fit.Run(context.Background(), ds, tuneOptions("oct-tuned", 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, solver := range []string{"", "highs"} {
		o := tuneOptions("oct-tuned", 1)
		o.Engine, o.Solver = problem.MIO, solver
		res, err := fit.Run(context.Background(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		if res.Engine != "mio" || res.Status != "optimal" || *res.Prover != "solver" || res.Solver.Name != "highs" || res.Tuning.Solves == 0 {
			t.Errorf("solver %q: %+v, %+v", solver, res, res.Solver)
		}
		if diff := cmp.Diff(points(search.Tuning), points(res.Tuning), cmpopts.EquateApprox(1e-9, 1e-9)); diff != "" {
			t.Errorf("solver %q: %s", solver, diff)
		}
	}
}

// TestLimitBrackets: where a time limit ends the solve, bound <= optimum <=
// incumbent.
func TestLimitBrackets(t *testing.T) {
	for _, o := range optima(t) {
		if o.dataset != "sonar" || o.depth < 2 || o.depth > 3 {
			continue
		}
		ds := data(t, o.dataset)
		res, err := fit.Run(context.Background(), ds, fit.Options{
			Method: oct(o.depth, 0, 1), Engine: problem.MIO, Start: "cart",
			Solve: solvers.Options{TimeLimit: time.Duration(datatest.Some(4)) * time.Second},
		})
		if err != nil {
			t.Fatal(err)
		}
		if o.depth == 2 && res.Status == mio.Optimal.String() { // on a fast machine
			if res.Train.Errors != o.errors {
				t.Errorf("depth 2: proved with %v errors, the optimum is %v", res.Train.Errors, o.errors)
			}
			continue
		}
		if res.Status != mio.Feasible.String() || res.Limit != mio.LimitTime.String() || res.Bound == nil || res.Gap == nil || res.Prover == nil {
			t.Fatalf("depth %d: %+v", o.depth, res)
		}
		lhat := res.Train.ErrorWeight / *res.Train.Objective // alpha is 0
		for _, bound := range []*float64{res.Bound, res.Solver.Bound} {
			if bound != nil && *bound*lhat > o.errors+1e-6 || res.Train.Errors < o.errors {
				t.Errorf("depth %d: bound %v, %v errors, the optimum is %v", o.depth, *bound*lhat, res.Train.Errors, o.errors)
			}
		}
	}
}
