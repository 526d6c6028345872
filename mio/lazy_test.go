package mio

import (
	"strings"
	"testing"
)

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
