package solvers_test

import (
	"context"
	"strings"
	"testing"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// nonlinearParts are the parts of a model that not every solver takes: how to
// add one to a model with a continuous column, a binary one and a row, what an
// error calls it, and the capability it needs.
var nonlinearParts = []struct {
	name string
	add  func(b *mio.Builder)
	want string
	caps solvers.Capabilities
}{
	{"quadratic objective", func(b *mio.Builder) { b.AddQuadCost(0, 0, 1) }, "quadratic terms", solvers.Capabilities{Discrete: true, Quadratic: true}},
	{"quadratic row", func(b *mio.Builder) { b.AddQuad(0, 0, 1, 1) }, "quadratic terms", solvers.Capabilities{Discrete: true, Quadratic: true}},
	{"indicator", func(b *mio.Builder) { b.AddIndicator(0, 1, true) }, "indicator rows", solvers.Capabilities{Discrete: true, Indicator: true}},
	{"SOS", func(b *mio.Builder) { b.AddSOS(1, "", []mio.Col{0, 1}, []float64{1, 2}) }, "SOS sets", solvers.Capabilities{Discrete: true, SOS: true}},
}

func nonlinearModel(t *testing.T, add func(b *mio.Builder)) *mio.Model {
	b := mio.NewBuilder("")
	x := b.AddCol(1, 0, 1, mio.Continuous, "x")
	b.AddBinary(1, "p")
	b.Add(b.AddRow(0.5, mio.Inf, "cover"), x, 1)
	add(b)
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestNonlinearParts: a solver that lacks only the capability refuses the model
// before it is asked; one that has only that capability takes it.
func TestNonlinearParts(t *testing.T) {
	all := solvers.Capabilities{Discrete: true, Quadratic: true, Indicator: true, SOS: true}
	for _, p := range nonlinearParts {
		m := nonlinearModel(t, p.add)
		lacking := all
		lacking.Quadratic = lacking.Quadratic && !p.caps.Quadratic
		lacking.Indicator = lacking.Indicator && !p.caps.Indicator
		lacking.SOS = lacking.SOS && !p.caps.SOS
		f := &fake{name: "lacking", caps: lacking}
		_, err := solvers.Checked(f).Solve(context.Background(), m, solvers.Options{})
		if err == nil || !strings.Contains(err.Error(), "solver lacking") || !strings.Contains(err.Error(), p.want) {
			t.Errorf("%s: error %v does not name the solver and %q", p.name, err, p.want)
		}
		if len(f.asked) != 0 {
			t.Errorf("%s: the solver was asked", p.name)
		}
		f = &fake{name: "able", caps: p.caps}
		if _, err := solvers.Checked(f).Solve(context.Background(), m, solvers.Options{}); err != nil || len(f.asked) != 1 {
			t.Errorf("%s: asked %d times, error %v", p.name, len(f.asked), err)
		}
	}
}
