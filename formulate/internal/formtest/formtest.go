// Package formtest holds helpers for the tests of the formulations: random data and trees, golden
// files, a solver.
package formtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/tree"
)

// Data returns n rows of p features on a coarse grid (ties, repeated points, contradictions) with k
// classes and, sometimes, weights.
func Data(rng *rand.Rand, n, p, k int) *dataset.Dataset {
	d := &dataset.Dataset{}
	for j := range p {
		d.Features = append(d.Features, fmt.Sprintf("f%d", j))
	}
	for c := range k {
		d.Classes = append(d.Classes, fmt.Sprintf("c%d", c))
	}
	levels, weighted := []int{2, 3, 5, 8, 60}[rng.IntN(5)], rng.IntN(2) == 0
	unit := []float64{1, 1, 0.25, 3}[rng.IntN(4)]
	for i := range n {
		for range p {
			d.X = append(d.X, float64(rng.IntN(levels))*unit-1)
		}
		d.Y = append(d.Y, rng.IntN(k))
		if i < k {
			d.Y[i] = i
		}
		w := 1.0
		if weighted {
			w = []float64{0.3, 0.5, 1, 2.5}[rng.IntN(4)]
		}
		d.Weight = append(d.Weight, w)
		d.Count = append(d.Count, 1)
	}
	return d
}

// Tiny returns six rows, two of them equal, with two features and three classes: its models are
// small enough to be compared with the equations by eye.
func Tiny(t testing.TB) *dataset.Dataset {
	t.Helper()
	d, err := dataset.New([]float64{
		1, 5,
		2, 5,
		2, 7,
		4, 7,
		4, 7,
		4, 5,
	}, []int{0, 1, 0, 2, 2, 1}, []string{"a", "b"}, []string{"x", "y", "z"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Every returns every step-th row of d.
func Every(d *dataset.Dataset, step int) *dataset.Dataset {
	var rows []int
	for i := 0; i < d.N(); i += step {
		rows = append(rows, i)
	}
	return d.Subset(rows)
}

// Tree grows a tree within the given depth with random univariate splits, some of them vacuous, and
// random labels.
func Tree(rng *rand.Rand, d *dataset.Dataset, depth int) *tree.Tree {
	t := tree.NewLeaf(d, rng.IntN(d.K()))
	var grow func(leaf, depth int)
	grow = func(leaf, depth int) {
		if depth == 0 || rng.IntN(5) == 0 {
			return
		}
		j := rng.IntN(d.P())
		b := d.At(rng.IntN(d.N()), j) + []float64{0, 0.1, 100}[min(2, rng.IntN(8))]
		l, r := t.Grow(leaf, tree.Univariate(j, b), rng.IntN(d.K()), rng.IntN(d.K()))
		grow(l, depth-1)
		grow(r, depth-1)
	}
	grow(0, depth)
	return t
}

// Built reports whether Build returned a model to test: not if the single leaf is optimal. Other
// errors of Build end the test.
func Built(t testing.TB, err error) bool {
	t.Helper()
	if err != nil && !errors.Is(err, formulate.ErrSingleLeaf) {
		t.Fatal(err)
	}
	return err == nil
}

// CheckSize compares the size of a model with its closed form; of describes the model.
func CheckSize(t testing.TB, of any, m *mio.Model, want formulate.Size) {
	t.Helper()
	if got := Size(m); got != want {
		t.Fatalf("%+v: built %+v, closed form %+v", of, got, want)
	}
}

// SamePredictions compares the predictions of a decoded tree with those of norm(t) on the training
// rows.
func SamePredictions(t testing.TB, of any, d *dataset.Dataset, decoded, norm *tree.Tree) {
	t.Helper()
	for i := range d.N() {
		if got, want := decoded.Predict(d.Row(i)), norm.Predict(d.Row(i)); got != want {
			t.Fatalf("%+v: row %d: decoded tree predicts %d, norm(t) %d", of, i, got, want)
		}
	}
}

// Size returns the size of a model.
func Size(m *mio.Model) formulate.Size {
	return formulate.Size{
		Rows: int64(m.NumRows()), Cols: int64(m.NumCols()),
		Binaries: int64(m.NumDiscrete()), Nonzeros: int64(m.NumNonzeros()),
	}
}

// Solver returns HiGHS, which the test must import, on one thread.
func Solver(t testing.TB) mio.SolveFunc {
	t.Helper()
	s, err := solvers.Lookup("highs")
	if err != nil {
		t.Fatal(err)
	}
	return solvers.Func(s, solvers.Options{Threads: 1})
}

// Plain is Solver, but solves models that HiGHS reports as infeasible again without its presolve,
// which is sometimes wrong about that (1.10, for some models under constraints).
func Plain(t testing.TB) mio.SolveFunc {
	t.Helper()
	s, err := solvers.Lookup("highs")
	if err != nil {
		t.Fatal(err)
	}
	first, second := Solver(t), solvers.Func(s, solvers.Options{Threads: 1, Raw: map[string]string{"presolve": "off"}})
	return func(ctx context.Context, m *mio.Model) (*mio.Solution, error) {
		sol, err := first(ctx, m)
		if err != nil || sol.Status != mio.Infeasible {
			return sol, err
		}
		return second(ctx, m)
	}
}

// Solve solves a model to proven optimality.
func Solve(t testing.TB, m *mio.Model) *mio.Solution {
	t.Helper()
	sol, err := Solver(t)(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	if sol.Status != mio.Optimal {
		t.Fatalf("%s is %s, expected %s", m.Name(), sol.Status, mio.Optimal)
	}
	return sol
}
