//go:build cgo && !nohighs

package fit_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/solvers"
)

// TestStartGain: the result says which start was used and what the solver added
// to it.
func TestStartGain(t *testing.T) {
	for start, want := range map[string]struct {
		name        string
		start, gain float64
	}{
		"cart": {"cart", 1, 0.3}, "auto": {"treesearch", 0.7, 0}, "local-search": {"local-search", 0.7, 0},
	} {
		res, err := fit.Run(context.Background(), xor(t), fit.Options{
			Method: oct(2, 0.1, 1), Engine: problem.MIO, Start: start,
		})
		if err != nil {
			t.Fatal(err)
		}
		s := res.Solver
		if s.Start != want.name || math.Abs(*s.StartObjective-want.start) > 1e-9 || math.Abs(*s.StartGain-want.gain) > 1e-9 {
			t.Errorf("%s: start %s of objective %v, gain %v; want %+v", start, s.Start, *s.StartObjective, *s.StartGain, want)
		}
	}
}

// TestAutoStartOCTH: before the solver adds anything, the automatic start of
// OCT-H on Iris has at most two errors.
func TestAutoStartOCTH(t *testing.T) {
	lies.change = func(*mio.Model, *mio.Solution) {}
	res, err := fit.Run(context.Background(), data(t, "iris"), fit.Options{
		Method: &problem.OCTH{Shape: shape(2, 0.001, 1)}, Solver: "liar",
	})
	if err != nil {
		t.Fatal(err)
	}
	if s := res.Solver; res.Train.Errors > 2 || s.Start == "cart" || *s.StartGain != 0 || *s.StartSeconds <= 0 {
		t.Errorf("%v errors, start %q", res.Train.Errors, s.Start)
	}
}

// TestStartNames: every heuristic of the table makes a start for each program
// that it suits, and is refused by name for others.
func TestStartNames(t *testing.T) {
	lies.change = func(*mio.Model, *mio.Solution) {}
	s := shape(2, 0.1, 1)
	problems := map[string]problem.Method{"oct": &problem.OCT{Shape: s}, "oct-h": &problem.OCTH{Shape: s}, "gto": &problem.GTO{Structured: levels(2)}, "fm": new(problem.FM)}
	suits := map[string][]string{
		"oct": {"cart", "treesearch", "local-search", "c45", "oc1"}, "gto": {"cart", "msmt", "frank-wolfe", "c45", "epts", "oc1", "rlp", "fm-tree"},
		"oct-h": {"cart", "treesearch", "local-search", "msmt", "c45", "oc1", "rlp", "epts", "alternating", "fm-tree"}, "fm": {"rlp", "sbe", "fm-rlp"},
	}
	known := 0
	for _, name := range problem.Starters() {
		for form, names := range suits {
			res, err := fit.Run(context.Background(), data(t, "iris"), fit.Options{
				Method: problems[form], Start: name, Solver: "liar",
				Starters: []problem.Method{
					&problem.LocalSearch{Restarted: problem.Restarted{Restarts: 2}}, &problem.Alternating{Restarted: problem.Restarted{Restarts: 2}},
				},
			})
			switch {
			case !slices.Contains(names, name):
				if !errors.Is(err, fit.ErrInput) || !strings.Contains(err.Error(), name+" makes no starts for "+form) {
					t.Errorf("%s for %s: %v", name, form, err)
				}
				continue
			case err != nil:
				t.Errorf("%s for %s: %v", name, form, err)
			case strings.TrimPrefix(res.Solver.Start, "pruned ") != name:
				t.Errorf("%s for %s: started from %q", name, form, res.Solver.Start)
			}
			known++
		}
		if _, err := fit.Run(context.Background(), xor(t), fit.Options{Method: new(problem.RLP), Start: name}); !errors.Is(err, fit.ErrInput) {
			t.Errorf("%s for rlp: %v", name, err)
		}
	}
	if known != 26 {
		t.Errorf("%d starts, want all of the table: %v", known, problem.Starters())
	}
}

// TestAutoStartGTO: the automatic start of GTO is the best of what auto runs, and
// on Iris that is not a tree with univariate splits.
func TestAutoStartGTO(t *testing.T) {
	lies.change = func(*mio.Model, *mio.Solution) {}
	objective := func(start string) float64 {
		res, err := fit.Run(context.Background(), data(t, "iris"), fit.Options{Method: new(problem.GTO), Start: start, Solver: "liar"})
		if err != nil {
			t.Fatal(err)
		}
		return *res.Solver.StartObjective
	}
	best := math.Inf(1)
	var auto []string
	for _, s := range new(problem.GTO).Info().Starts {
		if s.Auto {
			auto, best = append(auto, s.Name), min(best, objective(s.Name))
		}
	}
	if got := objective("auto"); !verify.Same(got, best) || got >= objective("cart") {
		t.Errorf("auto starts at %v, the best of %v at %v, cart at %v", got, auto, best, objective("cart"))
	}
}

// TestLocalSearchMethod: with both kinds of splits, the figures are the tree's.
func TestLocalSearchMethod(t *testing.T) {
	for splits, want := range map[string]mio.Limit{problem.UnivariateSplits: mio.NoLimit, problem.HyperplaneSplits: mio.LimitIterations} {
		res, err := fit.Run(context.Background(), data(t, "iris"), fit.Options{
			Method: &problem.LocalSearch{Shape: shape(2, 0.01, 1), Splits: splits, Restarted: problem.Restarted{Restarts: 2}},
		})
		if err != nil {
			t.Fatal(err)
		}
		if res.Heuristic.Splits != splits || res.Heuristic.Limit != want.String() || res.Solver != nil || !res.Check.OK() {
			t.Errorf("%s: %+v", splits, res.Heuristic)
		}
		if res.Train.Errors > 6 {
			t.Errorf("%s: %v errors", splits, res.Train.Errors)
		}
	}
	res, err := fit.Run(context.Background(), data(t, "iris"), fit.Options{
		Method: &problem.LocalSearch{Shape: shape(4, 0.001, 1)}, Solve: solvers.Options{TimeLimit: 50 * time.Millisecond},
	})
	if err != nil || res.Heuristic.Limit != mio.LimitTime.String() {
		t.Errorf("%v, %+v", err, res)
	}
}
