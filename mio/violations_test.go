package mio

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestViolations(t *testing.T) {
	m := mixed(t)
	for _, c := range []struct {
		x    []float64
		tol  float64
		want []Violation
	}{
		{[]float64{1.5, 2, 1}, 0, nil},
		{[]float64{1, 4.25, 1}, 0, []Violation{{RowViolation, "range", 1.25}, {BoundViolation, "i", 1.25}, {RowViolation, "equal", 1}, {IntegralityViolation, "i", 0.25}}},
		{[]float64{1, 4.25, 1}, 1, []Violation{{RowViolation, "range", 1.25}, {BoundViolation, "i", 1.25}}},
		{[]float64{1.5, 0.5, 0.5}, 0, []Violation{{IntegralityViolation, "i", 0.5}, {IntegralityViolation, "b", 0.5}}},
		{[]float64{math.NaN(), 1, 0}, 1, []Violation{{RowViolation, "range", Inf}, {RowViolation, "equal", Inf}, {RowViolation, "free", Inf}, {BoundViolation, "c", Inf}}},
	} {
		got := Violations(m, c.x, c.tol)
		if d := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); d != "" {
			t.Errorf("%v, tolerance %v (-want +got):\n%s", c.x, c.tol, d)
		}
	}
}

// The worst of each kind is Check's, and there is one beyond the tolerance
// exactly where Check says so.
func TestViolationsAsCheck(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawNonlinearModel(t)
		x := make([]float64, m.NumCols())
		for j := range x {
			x[j] = rapid.SampledFrom([]float64{-3, -1, 0, 0.25, 0.5, 1, 2, 7}).Draw(t, "x")
		}
		tol := rapid.SampledFrom([]float64{0, 0.25, 1}).Draw(t, "tolerance")
		r, list := Check(m, x, tol), Violations(m, x, tol)
		if r.Feasible != (len(list) == 0) {
			t.Fatalf("Check says feasible %v, but there are %d violations", r.Feasible, len(list))
		}
		worst := map[ViolationKind]Violation{}
		for _, v := range list {
			if _, ok := worst[v.Kind]; !ok {
				worst[v.Kind] = v
			}
		}
		for kind, v := range worst {
			if d := cmp.Diff(r.Worst[kind], v); d != "" {
				t.Fatalf("%v (-check +list):\n%s", kind, d)
			}
		}
	})
}

// drawNonlinearModel draws a model with rows and columns of all kinds.
func drawNonlinearModel(t *rapid.T) *Model {
	b := NewBuilder("drawn")
	number := rapid.SampledFrom([]float64{-2, -1, -0.5, 0, 0.5, 1, 2})
	var cols []Col
	for range rapid.IntRange(2, 6).Draw(t, "columns") {
		l := number.Draw(t, "lower")
		if kind := rapid.SampledFrom([]VarType{Continuous, Integer, Binary}).Draw(t, "type"); kind == Binary {
			cols = append(cols, b.AddBinary(1, "b"+string(rune('0'+len(cols)))))
		} else {
			cols = append(cols, b.AddCol(1, l, l+2, kind, "c", len(cols)))
		}
	}
	b.AddBinary(0, "on")
	for i := range rapid.IntRange(1, 6).Draw(t, "rows") {
		l := number.Draw(t, "row")
		r := b.AddRow(l, l+rapid.SampledFrom([]float64{0, 1, Inf}).Draw(t, "width"), "r", i)
		for _, c := range cols {
			b.Add(r, c, number.Draw(t, "coefficient"))
		}
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			b.AddIndicator(r, Col(len(cols)), true)
		case 1:
			b.AddQuad(r, cols[0], cols[1], 1)
		}
	}
	if rapid.Bool().Draw(t, "set") {
		b.AddSOS(1, "", cols, []float64{1, 2, 3, 4, 5, 6}[:len(cols)])
		b.AddSOS(2, "", cols, []float64{1, 2, 3, 4, 5, 6}[:len(cols)])
	}
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	return m
}
