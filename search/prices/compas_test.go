package prices

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree/constraint"
)

// compas returns the COMPAS data of two races, without race among the features, and the race of
// each row: 0 African-American, 1 Caucasian.
func compas(t *testing.T) (*dataset.Dataset, []int) {
	f, err := os.Open(filepath.Join(datatest.Dir(t), "compas.csv"))
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	ds := &dataset.Dataset{Classes: []string{"0", "1"}}
	var race []int
	for c, name := range all[0][:8] {
		if c != 2 {
			ds.Features = append(ds.Features, name)
		}
	}
	for _, r := range all[1:] {
		if r[2] != "African-American" && r[2] != "Caucasian" {
			continue
		}
		group := 0
		if r[2] == "Caucasian" {
			group = 1
		}
		race = append(race, group)
		for c, v := range r[:8] {
			x := 0.0
			switch {
			case c == 2:
				continue
			case v == "Male" || v == "M":
				x = 1
			case v == "Female" || v == "F":
			default:
				fmt.Sscan(v, &x)
			}
			ds.X = append(ds.X, x)
		}
		y := 0
		if r[8] == "1" {
			y = 1
		}
		ds.Y, ds.Weight, ds.Count = append(ds.Y, y), append(ds.Weight, 1), append(ds.Count, 1)
	}
	return ds, race
}

// parity returns the rows of |rate_0 - rate_1| <= d over the rows for which of is true.
func parity(ds *dataset.Dataset, race []int, d float64, of func(i int) bool) []constraint.Row {
	w := [2]float64{}
	for i, g := range race {
		if of(i) {
			w[g] += ds.Weight[i]
		}
	}
	up := constraint.Row{Text: "parity", Class: 1, G: make([]float64, ds.N()), H: d + 1e-9}
	down := up
	down.G = make([]float64, ds.N())
	for i, g := range race {
		if of(i) {
			up.G[i] = ds.Weight[i] / w[g] * float64(1-2*g)
			down.G[i] = -up.G[i]
		}
	}
	return []constraint.Row{up, down}
}

// TestCOMPAS: statistical parity on COMPAS is proved optimal, and a tighter limit costs more.
func TestCOMPAS(t *testing.T) {
	ds, race := compas(t)
	everybody := func(int) bool { return true }
	for depth := 1; depth <= 2; depth++ {
		last := 0.0
		for _, d := range []float64{0.2, 0.1, 0.05, 0.01} {
			r, err := Solve(context.Background(), ds, Options{Depth: depth, Rows: parity(ds, race, d, everybody), Step: 1, WorkLimit: 1e10})
			if err != nil {
				t.Fatal(err)
			}
			if r.Status != mio.Optimal || r.Objective < last {
				t.Errorf("depth %d, parity %v: %v, objective %v, bound %v; the one before has %v", depth, d, r.Status, r.Objective, r.Bound, last)
			}
			last = r.Objective
		}
	}
}
