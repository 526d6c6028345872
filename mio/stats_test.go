package mio

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStats(t *testing.T) {
	b := NewBuilder("stats")
	b.SetSense(Maximize)
	b.AddOffset(-3)
	x := b.AddCol(2, 0, 1, Integer, "x")
	y := b.AddBinary(0, "y")
	z := b.AddCol(-0.25, -7, 1e6, Integer, "z")
	u := b.AddCol(0, -Inf, Inf, Continuous, "u")
	b.AddCol(0, 4, 4, Continuous, "v")
	b.AddQuadCost(u, u, 1)
	b.Add(b.AddRow(5, 5, "equal"), x, 100)
	b.Add(b.AddRow(-Inf, 8, "less"), y, -0.01)
	b.Add(b.AddRow(-2, Inf, "greater"), z, 1)
	r := b.AddRow(-1, 9, "range")
	b.Add(r, u, 1)
	b.AddIndicator(r, y, true)
	b.Add(b.AddRow(-Inf, Inf, "free"), u, 1)
	q := b.AddRow(-Inf, 0, "quadratic")
	b.AddQuad(q, x, u, 1)
	b.AddQuad(q, x, x, 1)
	b.AddSOS(1, "", []Col{x, y}, []float64{1, 2})
	b.AddSOS(2, "", []Col{x, y, z}, []float64{1, 2, 3})
	want := Stats{
		Sense:    "maximize",
		Columns:  ColumnStats{Total: 5, Binary: 2, Integer: 1, Continuous: 2, Free: 1, Fixed: 1, Empty: 1},
		Rows:     RowStats{Total: 6, Equal: 1, Less: 2, Greater: 1, Range: 1, Free: 1, Empty: 1, Quadratic: 1, Indicator: 1},
		Nonzeros: 5, Matrix: Spread{0.01, 100}, Costs: Spread{0.25, 2}, Bounds: Spread{1, 1e6}, RightSides: Spread{1, 9}, Offset: -3,
		QuadraticCosts: 1, QuadraticTerms: 2, SOS1: 1, SOS2: 1,
	}
	if d := cmp.Diff(want, frozen(t, b).Stats()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	empty := frozen(t, NewBuilder("empty")).Stats()
	if d := cmp.Diff(Stats{Sense: "minimize"}, empty); d != "" {
		t.Errorf("no columns and no rows (-want +got):\n%s", d)
	}
}

func TestCoefRange(t *testing.T) {
	b := NewBuilder("")
	x := b.AddCol(0, 0, 1, Continuous, "x")
	for i, v := range []float64{2, -1e-3, 0.5} {
		b.Add(b.AddRow(0, 1, []string{"left", "right_label", "left"}[i], i+1, 7), x, v)
	}
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	r := m.CoefRange()
	if want := (CoefRange{1e-3, 2, "right_label", "left"}); r != want || r.Ratio() != 2000 || r.Warning() != "" {
		t.Errorf("got %+v, ratio %v, %q; want %+v", r, r.Ratio(), r.Warning(), want)
	}
	r.Max = 1e6
	if w := r.Warning(); !strings.Contains(w, "rows right_label") || !strings.Contains(w, "rows left") {
		t.Errorf("warning %q names no blocks", w)
	}
	empty, err := NewBuilder("").Model()
	if err != nil {
		t.Fatal(err)
	}
	if r := empty.CoefRange(); r.Ratio() != 1 || r.Warning() != "" {
		t.Errorf("empty model: %+v", r)
	}
}
