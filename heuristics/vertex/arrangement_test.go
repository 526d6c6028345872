package vertex

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/pulse"
	"gonum.org/v1/gonum/mat"
)

// drawBlock draws rows with repeated and collinear points and dependent features, and planes: left,
// right or both. Of equal rows only the first has any.
func drawBlock(rng *rand.Rand, n, p, grid int) (x []float64, sides []uint8) {
	x, sides = make([]float64, n*p), make([]uint8, n)
	seen := map[string]bool{}
	for i := range n {
		for j := range p {
			v := rng.NormFloat64()
			if grid > 0 {
				v = math.Round(v * float64(grid))
			}
			if j == 2 && grid > 0 {
				v = 2*x[i*p] - x[i*p+1] + 1
			}
			x[i*p+j] = v
		}
		key := fmt.Sprint(x[i*p : (i+1)*p])
		if !seen[key] {
			sides[i] = uint8(1 + rng.IntN(3))
		}
		seen[key] = true
	}
	return x, sides
}

// walk pivots along random edges, artificial ones first, and returns the number of pivots.
func walk(a *arrangement, rng *rand.Rand, pivots int, visit func()) int {
	done := 0
	for tries := 0; done < pivots && tries < 20*pivots; tries++ {
		k := rng.IntN(a.q)
		for j, v := range a.basis {
			if v == artificial {
				k = j
			}
		}
		m, down := a.meetings(k)
		if m.v == artificial || down.v != artificial && rng.IntN(2) == 0 {
			m = down
		}
		if m.v == artificial {
			continue
		}
		a.pivot(k, m)
		done++
		visit()
	}
	return done
}

// TestTablesAfterManyPivots: after 10,000 pivots, inverse, activities and table equal recomputed
// ones, also between refreshes.
func TestTablesAfterManyPivots(t *testing.T) {
	for _, c := range []struct{ n, p, grid int }{{200, 8, 0}, {300, 3, 3}, {60, 20, 0}, {50, 1, 5}} {
		rng := rand.New(rand.NewPCG(7, uint64(c.n)))
		x, sides := drawBlock(rng, c.n, c.p, c.grid)
		a := newArrangement(pulse.New(context.Background()), x, c.n, c.p, sides, 1, nil)
		if done := walk(a, rng, 10_000, func() {}); done < 10_000 {
			t.Fatalf("%d x %d: %d pivots", c.n, c.p, done)
		}
		table, act, z := append([]float64(nil), a.table...), append([]float64(nil), a.act...), append([]float64(nil), a.z...)
		if !a.settle() {
			t.Fatalf("%d x %d: singular basis", c.n, c.p)
		}
		for name, pair := range map[string][2][]float64{"table": {table, a.table}, "activities": {act, a.act}, "z": {z, a.z}} {
			size, worst := 1.0, 0.0
			for k, v := range pair[1] {
				size = max(size, math.Abs(v))
				worst = max(worst, math.Abs(v-pair[0][k]))
			}
			if worst > 1e-8*size {
				t.Errorf("%d x %d: %s off by %g of %g after %d pivots, %d rebuilt", c.n, c.p, name, worst, size, a.pivots, a.rebuilt)
			}
		}
	}
}

// checkExtreme checks that z, with y its plus-functions, is an extreme point of the explicit
// polyhedron of one decision: feasible, with as many independent active constraints as unknowns (w
// of the features, gamma, and every y).
func checkExtreme(t *testing.T, a *arrangement, z []float64) {
	t.Helper()
	type y struct {
		row  int
		sign float64 // y >= sign (a.z) + 1
	}
	var ys []y
	for i := range a.n {
		for side := range 2 {
			if m := a.margin[side][i]; m == m {
				ys = append(ys, y{i, float64(1 - 2*side)})
			}
		}
	}
	unknowns := a.q + len(ys)
	var active [][]float64
	for k, y := range ys {
		v, size := 1.0, 1.0
		for j, r := range a.rows[y.row*a.q : (y.row+1)*a.q] {
			v += y.sign * r * z[j]
			size += math.Abs(r * z[j])
		}
		plus := max(v, 0)
		if v >= -1e-9*size { // y >= sign a.z + 1 is active: y is its right-hand side
			row := make([]float64, unknowns)
			for j, r := range a.rows[y.row*a.q : (y.row+1)*a.q] {
				row[j] = -y.sign * r
			}
			row[a.q+k] = 1
			active = append(active, row)
		}
		if plus <= 1e-9*size { // y >= 0 is active
			row := make([]float64, unknowns)
			row[a.q+k] = 1
			active = append(active, row)
		}
	}
	if r := rank(active, unknowns); r != unknowns {
		t.Fatalf("no extreme point: active constraints have rank %d, there are %d unknowns", r, unknowns)
	}
}

// rank returns the rank of rows by elimination with full pivoting.
func rank(rows [][]float64, columns int) int {
	r := 0
	for ; r < len(rows); r++ {
		bi, bj, best := -1, -1, 1e-9
		for i := r; i < len(rows); i++ {
			for j, v := range rows[i] {
				if math.Abs(v) > best {
					bi, bj, best = i, j, math.Abs(v)
				}
			}
		}
		if bi < 0 {
			break
		}
		rows[r], rows[bi] = rows[bi], rows[r]
		for i := r + 1; i < len(rows); i++ {
			if f := rows[i][bj] / rows[r][bj]; f != 0 {
				subtract(rows[i], rows[r], f)
				rows[i][bj] = 0
			}
		}
	}
	return r
}

// exactPoint solves for the tight planes with margins 1, with code independent of settle.
func exactPoint(t *testing.T, a *arrangement) []float64 {
	t.Helper()
	var rows, right []float64
	for _, v := range a.basis {
		if v == artificial {
			t.Fatal("a basis position without a plane")
		}
		rows = append(rows, a.rows[int(v>>1)*a.q:int(v>>1+1)*a.q]...)
		right = append(right, float64(v&1)*2-1)
	}
	var factors mat.QR
	factors.Factorize(mat.NewDense(a.q, a.q, rows))
	z := make([]float64, a.q)
	if err := factors.SolveVecTo(mat.NewVecDense(a.q, z), false, mat.NewVecDense(a.q, right)); err != nil {
		t.Fatal("the basis: ", err)
	}
	return z
}

// TestWalkVisitsExtremePoints: every vertex of a random walk is an extreme point with exact
// margins, on continuous, repeated, collinear and dependent data.
func TestWalkVisitsExtremePoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 40 {
		n, p := 2+rng.IntN(14), 1+rng.IntN(4)
		x, sides := drawBlock(rng, n, p, rng.IntN(3))
		a := newArrangement(pulse.New(context.Background()), x, n, p, sides, rng.Uint64(), nil)
		if a.q == 0 {
			continue
		}
		full := func() bool {
			for _, v := range a.basis {
				if v == artificial {
					return false
				}
			}
			return true
		}
		walk(a, rng, 30, func() {
			if full() {
				checkExtreme(t, a, exactPoint(t, a))
			}
		})
	}
}

// TestCheckExtremeCanFail: a point off a plane is not extreme.
func TestCheckExtremeCanFail(t *testing.T) {
	rows := [][]float64{{1, 2}, {2, 4}}
	if r := rank(rows, 2); r != 1 {
		t.Errorf("rank %d, want 1", r)
	}
	rows = [][]float64{{1, 2}, {2, 4.1}}
	if r := rank(rows, 2); r != 2 {
		t.Errorf("rank %d, want 2", r)
	}
}

// TestExpressDependentFeatures: a start with weights on dependent features keeps its activities.
func TestExpressDependentFeatures(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for range 50 {
		ds := gaussianRows(t, rng, 12)
		m, err := newMarginRows(ds)
		if err != nil {
			t.Fatal(err)
		}
		sides := make([]uint8, m.n)
		for i := range sides {
			sides[i] = 3
		}
		a := newArrangement(pulse.New(context.Background()), m.x, m.n, m.p, sides, 1, nil)
		if len(a.features) != m.p-2 {
			t.Fatalf("%d of %d features kept, two depend on the others", len(a.features), m.p)
		}
		h := randomPlanes(rng, 1, m.p)[0]
		a.place(a.express(m, h))
		for i := range m.n {
			if want := h.activity(m.row(i)); math.Abs(a.act[i]-want) > 1e-8*(1+math.Abs(want)) {
				t.Fatalf("row %d: activity %v, the start has %v", i, a.act[i], want)
			}
		}
	}
}

// gaussianRows draws rows of five features, of which the third and the fifth depend on the others.
func gaussianRows(t *testing.T, rng *rand.Rand, n int) *dataset.Dataset {
	t.Helper()
	x, y := make([]float64, 0, 5*n), make([]int, n)
	for i := range y {
		a, b, c := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
		x = append(x, a, b, 3-a+2*b, c, a-c)
		y[i] = i % 2
	}
	ds, err := dataset.New(x, y, []string{"a", "b", "c", "d", "e"}, []string{"no", "yes"})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}
