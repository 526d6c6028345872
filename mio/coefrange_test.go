package mio

import (
	"strings"
	"testing"
)

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
