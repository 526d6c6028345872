package vertex

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// bruteExtremePoints returns the basic feasible solutions of p by trying every
// choice of r columns, r the rank of A.
func bruteExtremePoints(p StandardForm) (points [][]float64) {
	rows := make([][]float64, p.Rows)
	for i := range rows {
		rows[i] = append([]float64(nil), p.A[i*p.Cols:(i+1)*p.Cols]...)
	}
	r := rank(rows, p.Cols)
	var choose func(from int, chosen []int)
	choose = func(from int, chosen []int) {
		if len(chosen) == r {
			if x, ok := basicSolution(p, chosen); ok {
				points = append(points, x)
			}
			return
		}
		for j := from; j < p.Cols; j++ {
			choose(j+1, append(chosen[:len(chosen):len(chosen)], j))
		}
	}
	choose(0, nil)
	return points
}

// basicSolution solves for the chosen columns by least squares and accepts what
// satisfies all rows and is nonnegative.
func basicSolution(p StandardForm, chosen []int) ([]float64, bool) {
	q := len(chosen)
	columns := mat.NewDense(p.Rows, q, nil)
	for i := range p.Rows {
		for k, j := range chosen {
			columns.Set(i, k, p.A[i*p.Cols+j])
		}
	}
	var solution mat.VecDense
	if err := solution.SolveVec(columns, mat.NewVecDense(p.Rows, p.B)); err != nil {
		return nil, false
	}
	xb := solution.RawVector().Data
	x := make([]float64, p.Cols)
	for a, j := range chosen {
		x[j] = xb[a]
		if !(xb[a] >= -1e-9) || xb[a] > 1e9 {
			return nil, false
		}
	}
	for i := range p.Rows {
		v := -p.B[i]
		for j, a := range p.A[i*p.Cols : (i+1)*p.Cols] {
			v += a * x[j]
		}
		if !(math.Abs(v) < 1e-6) {
			return nil, false
		}
	}
	return x, true
}

// TestExtremePointSearch: on small polyhedra, with rows that depend on others, the
// search finds the best of all extreme points of a linear, a concave and a
// discontinuous objective, and every point that it evaluates is feasible.
func TestExtremePointSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	found, runs := 0, 0
	for range 60 {
		m, c := 2+rng.IntN(3), 6+rng.IntN(4)
		p := StandardForm{Rows: m, Cols: c, A: make([]float64, m*c), B: make([]float64, m)}
		inside := make([]float64, c)
		for j := range inside {
			inside[j] = float64(rng.IntN(4))
		}
		for i := range m {
			for j := range c {
				v := float64(rng.IntN(7) - 2)
				if i == m-1 && m > 2 {
					v = p.A[j] + p.A[c+j] // depends on the first two rows
				}
				p.A[i*c+j] = v
				p.B[i] += v * inside[j]
			}
		}
		points := bruteExtremePoints(p)
		cost := make([]float64, c)
		for j := range cost {
			cost[j] = rng.NormFloat64()
		}
		for k, f := range []func(x []float64) float64{
			func(x []float64) float64 { return dot(cost, x) },
			func(x []float64) float64 { return -dot(x, x) },
			func(x []float64) float64 {
				n := 0.0
				for j, v := range x {
					if v > 1e-9 {
						n += 1 + cost[j]/10
					}
				}
				return n
			},
		} {
			best := math.Inf(1)
			for _, x := range points {
				best = min(best, f(x))
			}
			res, err := ExtremePointSearch(context.Background(), p, func(x []float64) float64 {
				for i := range m {
					v := -p.B[i]
					for j, a := range p.A[i*c : (i+1)*c] {
						v += a * x[j]
					}
					if math.Abs(v) > 1e-6 {
						t.Fatalf("row %d is violated by %v", i, v)
					}
				}
				return f(x)
			}, ExtremePointOptions{Tabu: TabuOptions{Iterations: 500}})
			if err != nil {
				t.Fatalf("%v; there are %d extreme points", err, len(points))
			}
			runs++
			if res.Objective < best-1e-6 {
				t.Errorf("objective %d: %v is better than the best extreme point, %v", k, res.Objective, best)
			}
			if res.Objective <= best+1e-6 {
				found++
			}
		}
	}
	if found*100 < 90*runs {
		t.Errorf("the best extreme point was found %d times of %d", found, runs)
	}
}

// TestExtremePointSearchInput: empty polyhedra, bad bases, NaN, one point.
func TestExtremePointSearchInput(t *testing.T) {
	ctx, zero := context.Background(), func([]float64) float64 { return 0 }
	if _, err := ExtremePointSearch(ctx, StandardForm{1, 2, []float64{1, 1}, []float64{-1}}, zero, ExtremePointOptions{}); !errors.Is(err, ErrNoExtremePoint) {
		t.Errorf("error %v, want ErrNoExtremePoint", err)
	}
	if _, err := ExtremePointSearch(ctx, StandardForm{2, 2, []float64{1, 1, 2, 2}, []float64{1, 3}}, zero, ExtremePointOptions{}); !errors.Is(err, ErrNoExtremePoint) {
		t.Errorf("error %v, want ErrNoExtremePoint", err)
	}
	square := StandardForm{2, 4, []float64{1, 0, 1, 0, 0, 1, 0, 1}, []float64{1, 1}}
	for _, basis := range [][]int{{0, 0}, {0, 2}, {0}, {0, 9}} {
		if _, err := ExtremePointSearch(ctx, square, zero, ExtremePointOptions{Basis: basis}); err == nil {
			t.Errorf("basis %v is accepted", basis)
		}
	}
	for name, p := range map[string]StandardForm{
		"sizes": {1, 2, []float64{1}, []float64{1}}, "NaN": {1, 1, []float64{math.NaN()}, []float64{1}}, "b": {1, 1, []float64{1}, []float64{math.Inf(1)}},
	} {
		if _, err := ExtremePointSearch(ctx, p, zero, ExtremePointOptions{}); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	res, err := ExtremePointSearch(ctx, square, func(x []float64) float64 { return -x[0] - 2*x[1] }, ExtremePointOptions{Basis: []int{2, 3}, Floor: -3, HasFloor: true})
	if err != nil || res.Objective != -3 || !res.Stats.Optimal {
		t.Errorf("%+v, %v", res, err)
	}
	res, err = ExtremePointSearch(ctx, square, func([]float64) float64 { return math.NaN() }, ExtremePointOptions{Tabu: TabuOptions{Iterations: 5}})
	if err != nil || res.X == nil {
		t.Errorf("NaN objectives: %+v, %v", res, err)
	}
	one := StandardForm{1, 1, []float64{1}, []float64{2}}
	res, err = ExtremePointSearch(ctx, one, func(x []float64) float64 { return x[0] }, ExtremePointOptions{})
	if err != nil || res.X[0] != 2 || !res.Stats.LocalOptimum {
		t.Errorf("one point: %+v, %v", res, err)
	}
}
