package problem_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio/verify"
)

// TestVerticesBuildNoModel: the error that a search over structures is held against is
// that of its tree, and takes memory for the data, not for a program of them.
func TestVerticesBuildNoModel(t *testing.T) {
	const n, p, depth, decisions = 10_000, 4, 6, 1<<6 - 1
	x, y := make([]float64, n*p), make([]int, n)
	for i := range y {
		y[i] = i % 2
		for j := range p {
			x[i*p+j] = float64((i + y[i]) * (j + 7) % 1009)
		}
	}
	ds, err := dataset.New(x, y, []string{"a", "b", "c", "d"}, []string{"u", "v"})
	if err != nil {
		t.Fatal(err)
	}
	of := problem.Structured{Levels: problem.Levels{Depth: depth}}
	for _, m := range []problem.Method{&problem.EPTS{Vertices: problem.Vertices{Structured: of}}, &problem.FrankWolfe{Vertices: problem.Vertices{Structured: of}}} {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		bound, err := m.On(ctx, problem.NewData(ds), 0)
		if err != nil {
			t.Fatal(err)
		}
		g, err := bound.Grow(ctx, problem.Task{})
		if err != nil {
			t.Fatal(err)
		}
		own := g.Objective(g.Tree)
		runtime.ReadMemStats(&after)
		if !verify.Near(*g.Claims, own) {
			t.Errorf("%s claims %v, its tree has %v", g.Name, *g.Claims, own)
		}
		// A row of the program has a row for every decision, with p + 3 nonzeros.
		program := uint64(n) * decisions * (p + 3) * 16
		if used := after.TotalAlloc - before.TotalAlloc; used > program/2 {
			t.Errorf("%s took %d bytes, the program would have %d", g.Name, used, program)
		}
	}
}
