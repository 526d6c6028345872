package report

import (
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/internal/datatest"
)

// curvesOf runs a spec of experiments/constraints, the tasks whose names match, and returns
// its frontiers.
func curvesOf(t *testing.T, name, only string) []tradeoff {
	t.Helper()
	t.Setenv("OCTGEN_DATA", datatest.Dir(t))
	dir := t.TempDir()
	o := run.Options{Dir: dir, Workers: 2, Only: regexp.MustCompile(only)}
	if got := execute(t, filepath.Join("..", "constraints", name+".yaml"), o); got.Failed != 0 || got.Done == 0 {
		t.Fatalf("%+v", got)
	}
	s, err := Summarise(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(dir); err != nil {
		t.Fatal(err)
	}
	return s.tradeoffs()
}

// holdsItself: every tree of a curve is proved and holds its limit on the training rows, and
// errors do not rise as the limit loosens.
func holdsItself(t *testing.T, curve tradeoff) {
	t.Helper()
	var errors []float64
	for i := range curve.points {
		p := &curve.points[i]
		if p.ends.infeasible == p.ends.all {
			continue
		}
		if !p.allProved() || p.held != p.trees {
			t.Errorf("%s %v: %s, held by %d of %d", curve.name, p.limit, p.proof(), p.held, p.trees)
		}
		if curve.atMost && p.train.Max > p.limit+1e-9 || !curve.atMost && p.train.Min < p.limit-1e-9 {
			t.Errorf("%s %v: from %v to %v on training rows", curve.name, p.limit, p.train.Min, p.train.Max)
		}
		errors = append(errors, p.trainError.Mean)
	}
	if curve.atMost {
		slices.Reverse(errors)
	}
	if !slices.IsSorted(errors) {
		t.Errorf("%s: errors %v as the limit tightens", curve.name, errors)
	}
}

// TestCompasCurve: the least errors at depth 2 under limits on the difference of two races'
// rates, means of three folds, are those that docs/constraints.md has.
func TestCompasCurve(t *testing.T) {
	want := map[string][]float64{ // proved, so that they are the same for every engine
		"parity d2": {41.834, 41.364, 39.598, 37.079, 34.413, 32.785},
		"odds d2":   {41.713, 41.048, 38.910, 35.993, 33.644, 32.656},
	}
	curves := curvesOf(t, "compas", "/(CART|(parity|odds) d2 .*)/")
	if len(curves) != len(want) {
		t.Fatalf("%d curves", len(curves))
	}
	for _, curve := range curves {
		holdsItself(t, curve)
		for i := range curve.points {
			if p := &curve.points[i]; math.Abs(p.trainError.Mean-want[curve.name][i]) > 6e-4 {
				t.Errorf("%s %v: %v %% errors, want %v", curve.name, p.limit, p.trainError.Mean, want[curve.name][i])
			}
		}
	}
}

// TestRecallCurve: the recall of malignant cases costs errors, and beside a capacity most of
// it cannot be had, by a proof.
func TestRecallCurve(t *testing.T) {
	want := []float64{3.184, 3.184, 3.184, 3.660, 5.307, 7.687}
	curves := curvesOf(t, "recall", "")
	for _, curve := range curves {
		holdsItself(t, curve)
		for i := range curve.points {
			p := &curve.points[i]
			switch capacity := curve.name != "recall"; {
			case capacity && p.limit >= 0.98 && p.ends.infeasible != 5:
				t.Errorf("%s %v: %s", curve.name, p.limit, p.proof())
			case !capacity && math.Abs(p.trainError.Mean-want[i]) > 6e-4:
				t.Errorf("%s %v: %v %% errors, want %v", curve.name, p.limit, p.trainError.Mean, want[i])
			}
		}
	}
	if len(curves) != 2 {
		t.Errorf("%d curves", len(curves))
	}
}
