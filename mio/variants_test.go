package mio

import (
	"math"
	"slices"
	"strings"
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

// lazyModel is min -x - y, x + y <= 2 and, lazily, x + y <= 1.
func lazyModel(t *testing.T) *Model {
	t.Helper()
	b := NewBuilder("lazy")
	x, y := b.AddBinary(-1, "x"), b.AddBinary(-1, "y")
	r := b.AddRow(-Inf, 2, "both")
	b.Add(r, x, 1)
	b.Add(r, y, 1)
	b.BeginLazy()
	r = b.AddRow(-Inf, 1, "late")
	b.Add(r, x, 1)
	b.Add(r, y, 1)
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestWithRows(t *testing.T) {
	m := lazyModel(t)
	more := []Linear{{Lower: -Inf, Upper: 1, Index: []int32{1}, Value: []float64{2}}}
	both := []float64{1, 1}
	for _, c := range []struct {
		name  string
		more  []Linear
		lazy  bool
		rows  string
		broke []string // by the point (1, 1)
	}{
		{"the lazy row left out", nil, false, "both", nil},
		{"kept", nil, true, "both late", []string{"late"}},
		{"instead of it", more, false, "both cut_1", []string{"cut_1"}},
		{"before it", more, true, "both cut_1 late", []string{"cut_1", "late"}},
	} {
		got, err := m.WithRows(c.more, "cut", c.lazy)
		if err != nil {
			t.Fatal(err)
		}
		var rows, broke []string
		for i := range got.NumRows() {
			rows = append(rows, got.RowName(i))
		}
		for _, v := range Violations(got, both, 1e-9) {
			broke = append(broke, v.Name)
		}
		if strings.Join(rows, " ") != c.rows || strings.Join(broke, " ") != strings.Join(c.broke, " ") || (got.NumLazy() == 1) != c.lazy {
			t.Errorf("%s: rows %v, broken %v, %d lazy", c.name, rows, broke, got.NumLazy())
		}
		if got.Objective(both) != m.Objective(both) || got.NumDiscrete() != 2 || got.ColName(1) != "y" {
			t.Errorf("%s: the columns differ", c.name)
		}
	}
}

func TestRelaxed(t *testing.T) {
	m := lazyModel(t)
	r := m.Relaxed()
	if m.NumDiscrete() != 2 || r.NumDiscrete() != 0 || r.NumLazy() != 1 {
		t.Errorf("%d discrete columns, relaxed %d", m.NumDiscrete(), r.NumDiscrete())
	}
}

func TestLazyRowsAreLinear(t *testing.T) {
	b := NewBuilder("m")
	x := b.AddBinary(0, "x")
	b.BeginLazy()
	b.AddQuad(b.AddRow(0, 1, "r"), x, x, 1)
	if _, err := b.Model(); err == nil || !strings.Contains(err.Error(), "lazy row r") {
		t.Errorf("quadratic: %v", err)
	}
	b = NewBuilder("m")
	x = b.AddBinary(0, "x")
	b.BeginLazy()
	b.AddIndicator(b.AddRow(0, 1, "r"), x, true)
	if _, err := b.Model(); err == nil || !strings.Contains(err.Error(), "lazy row r") {
		t.Errorf("indicator: %v", err)
	}
}

// TestFixed: discrete columns are fixed at the nearest integer within their bounds, others stay.
func TestFixed(t *testing.T) {
	m := small(t)
	for _, c := range []struct{ y, want float64 }{{2.4, 2}, {-3, 0}, {7, 5}} {
		f := m.Fixed([]float64{0.3, c.y})
		if f.NumDiscrete() != 0 || !slices.Equal(f.ColLower(), []float64{0, c.want}) || !slices.Equal(f.ColUpper(), []float64{5, c.want}) {
			t.Errorf("y = %v: %d discrete columns in %v to %v", c.y, f.NumDiscrete(), f.ColLower(), f.ColUpper())
		}
	}
	if m.NumDiscrete() != 1 || m.ColUpper()[1] != 5 {
		t.Error("the model was changed")
	}
}

// TestDiscrete: continuous columns become integer ones, in a model of its own.
func TestDiscrete(t *testing.T) {
	m := small(t)
	if d := m.Discrete(); d.NumDiscrete() != 2 || !sharesMatrix(d, m) {
		t.Errorf("%d discrete columns", d.NumDiscrete())
	}
	if m.NumDiscrete() != 1 {
		t.Error("the model was changed")
	}
}
