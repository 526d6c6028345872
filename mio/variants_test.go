package mio

import (
	"math"
	"slices"
	"sync"
	"testing"
)

// small is  min 1 + x + 2y  s.t.  0 <= x + y <= 1 (a),  x <= 1 (b).
func small(tb testing.TB) *Model {
	b := NewBuilder("small")
	b.AddOffset(1)
	x := b.AddCol(1, 0, 5, Continuous, "x")
	y := b.AddCol(2, 0, 5, Integer, "y")
	r := b.AddRow(0, 1, "a")
	b.Add(r, x, 1)
	b.Add(r, y, 1)
	b.Add(b.AddRow(-Inf, 1, "b"), x, 1)
	return frozen(tb, b)
}

func sharesMatrix(a, b *Model) bool {
	return &a.start[0] == &b.start[0] && &a.index[0] == &b.index[0] && &a.value[0] == &b.value[0] && a.RowView() == b.RowView()
}

func TestWithRowBounds(t *testing.T) {
	m := small(t)
	lower, upper := []float64{2, -Inf}, []float64{3, Inf}
	v := m.WithRowBounds(lower, upper)
	if !slices.Equal(v.RowLower(), lower) || !slices.Equal(v.RowUpper(), upper) {
		t.Errorf("row bounds are %v, %v", v.RowLower(), v.RowUpper())
	}
	if !slices.Equal(m.RowLower(), []float64{0, -Inf}) || !slices.Equal(m.RowUpper(), []float64{1, 1}) {
		t.Error("the row bounds of the original changed")
	}
	if !sharesMatrix(m, v) || &m.cost[0] != &v.cost[0] || v.RowName(1) != "b" || v.Name() != "small" {
		t.Error("the variant does not share what it has in common")
	}
	if !Check(v, []float64{2, 0}, 0).Feasible || Check(m, []float64{2, 0}, 0).Feasible {
		t.Error("check does not follow the row bounds")
	}
	nan := math.NaN()
	wantPanic(t, "wrong length", func() { m.WithRowBounds([]float64{0}, []float64{1, 1}) })
	wantPanic(t, "wrong length", func() { m.WithRowBounds([]float64{0, 0}, []float64{1, 1, 1}) })
	wantPanic(t, "row b: a bound is NaN", func() { m.WithRowBounds([]float64{0, nan}, []float64{1, 1}) })
	wantPanic(t, "row a: the lower bound 2 exceeds the upper bound 1", func() { m.WithRowBounds([]float64{2, 0}, []float64{1, 1}) })
	wantPanic(t, "row a: the lower bound is +Inf", func() { m.WithRowBounds([]float64{Inf, 0}, []float64{Inf, 1}) })
	wantPanic(t, "row b: the upper bound is -Inf", func() { m.WithRowBounds([]float64{0, -Inf}, []float64{1, -Inf}) })
}

func TestWithCost(t *testing.T) {
	m := small(t)
	v := m.WithCost(Maximize, -4, []float64{0, 3})
	if v.Sense() != Maximize || v.Offset() != -4 || v.Objective([]float64{9, 2}) != 2 {
		t.Errorf("variant: %v, offset %v, objective %v", v.Sense(), v.Offset(), v.Objective([]float64{9, 2}))
	}
	if m.Sense() != Minimize || m.Offset() != 1 || m.Objective([]float64{9, 2}) != 14 {
		t.Error("the objective of the original changed")
	}
	if !sharesMatrix(m, v) || &m.rowLower[0] != &v.rowLower[0] || v.ColName(1) != "y" {
		t.Error("the variant does not share what it has in common")
	}
	wantPanic(t, "wrong length", func() { m.WithCost(Minimize, 0, []float64{1}) })
	wantPanic(t, "cost is not finite", func() { m.WithCost(Minimize, 0, []float64{1, math.NaN()}) })
	wantPanic(t, "cost is not finite", func() { m.WithCost(Minimize, 0, []float64{-Inf, 1}) })
	wantPanic(t, "offset is not finite", func() { m.WithCost(Minimize, Inf, []float64{1, 1}) })
}

// TestVariantAllocation: a variant is one small allocation, whatever the size
// of the model.
func TestVariantAllocation(t *testing.T) {
	m := small(t)
	lower, upper, cost := m.RowLower(), m.RowUpper(), m.Costs()
	if n := testing.AllocsPerRun(20, func() { m.WithRowBounds(lower, upper) }); n > 1 {
		t.Errorf("WithRowBounds: %v allocations", n)
	}
	if n := testing.AllocsPerRun(20, func() { m.WithCost(Minimize, 0, cost) }); n > 1 {
		t.Errorf("WithCost: %v allocations", n)
	}
}

// TestRowViewConcurrent: models and their variants may be read concurrently;
// the row view is made once for all of them.
func TestRowViewConcurrent(t *testing.T) {
	m := small(t)
	views := make([]*RowView, 8)
	var wg sync.WaitGroup
	for k := range views {
		v := m
		if k%2 == 1 {
			v = m.WithCost(Minimize, 0, []float64{float64(k), 0})
		}
		wg.Go(func() { views[k] = v.RowView() })
	}
	wg.Wait()
	for _, v := range views {
		if v != views[0] {
			t.Fatal("there are several row views")
		}
	}
	if pos := &views[0].Pos[0]; pos != &m.RowView().Pos[0] {
		t.Error("the row view is made anew")
	}
	if !slices.Equal(views[0].Start, []int32{0, 2, 3}) || !slices.Equal(views[0].Pos, []int32{0, 2, 1}) {
		t.Errorf("row view %+v", *views[0])
	}
}
