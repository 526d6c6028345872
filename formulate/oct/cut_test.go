package oct

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/mio"
)

// randomCut returns a cut encoding of random data.
func randomCut(t *testing.T, rng *rand.Rand) (*Formulation, *cut) {
	t.Helper()
	for {
		d := formtest.Data(rng, 4+rng.IntN(12), 1+rng.IntN(3), 2+rng.IntN(2))
		f, err := Options{Depth: 1 + rng.IntN(3), Encoding: Cut}.Build(context.Background(), d)
		if formtest.Built(t, err) {
			return f, f.enc.(*cut)
		}
	}
}

// eachCut calls do with every set of nodes in 1..n that contains the root and the parents of its
// nodes.
func eachCut(n int, do func(within []bool)) {
	within := make([]bool, n+1)
	within[1] = true
	var from func(t int)
	from = func(t int) {
		if t > n {
			do(within)
			return
		}
		within[t] = false
		from(t + 1)
		if within[t/2] {
			within[t] = true
			from(t + 1)
		}
	}
	from(2)
}

// value returns the left-hand side of a constraint at a point.
func value(r mio.Linear, x []float64) float64 {
	sum := 0.0
	for k, j := range r.Index {
		sum += r.Value[k] * x[j]
	}
	return sum
}

// TestLeastCut: at random points, the constraints found belong to the rows of data with a violated
// cut, and each is the most violated of all cuts.
func TestLeastCut(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 1))
	found := 0
	for range 150 {
		f, e := randomCut(t, rng)
		x := make([]float64, f.model.NumCols())
		scale := rng.Float64()
		for j := range x {
			if rng.IntN(3) > 0 {
				x[j] = scale * rng.Float64() / float64(1+rng.IntN(e.num))
			}
		}
		for i := range e.g.N {
			x[e.colG(i, 0)] = rng.Float64()
		}
		worst := make([]float64, e.g.N) // maximum violation of a cut
		for i := range worst {
			worst[i] = math.Inf(-1)
			eachCut(e.nodes(), func(within []bool) {
				sum := 0.0
				e.terms(i, int(e.g.Y[i]), within, func(c mio.Col, v float64) { sum += v * x[c] })
				worst[i] = max(worst[i], sum)
			})
		}
		rows := f.Violated(x, 1e-9)
		of := map[int]float64{}
		for _, r := range rows {
			of[int(r.Index[0])-int(e.colG(0, 0))] = value(r, x)
		}
		for i, w := range worst {
			got, ok := of[i]
			if ok != (w > 1e-9) || ok && math.Abs(got-w) > 1e-9 {
				t.Fatalf("row %d: found %v by %v; the worst cut is broken by %v", i, ok, got, w)
			}
		}
		found += len(rows)
	}
	if found < 300 {
		t.Errorf("only %d cuts", found)
	}
}

// TestCutOfTree: if the point of a tree marks incorrect rows as correct, the constraints found
// belong to these rows, and the lazy constraints reject the point as well.
func TestCutOfTree(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 2))
	refused := 0
	for range 300 {
		f, e := randomCut(t, rng)
		x, err := f.Start(context.Background(), formtest.Tree(rng, f.g.DS, e.depth))
		if err != nil {
			t.Fatal(err)
		}
		if rows := f.Violated(x, 1e-9); len(rows) > 0 {
			t.Fatalf("%d rows against the point of a tree", len(rows))
		}
		wrong := map[int32]bool{}
		for i := range e.g.N {
			if c := e.colG(i, 0); x[c] == 0 && rng.IntN(2) == 0 {
				x[c], wrong[int32(c)] = 1, true
			}
		}
		rows := f.Violated(x, 1e-9)
		for _, r := range rows {
			if !wrong[r.Index[0]] || value(r, x) != 1 {
				t.Fatalf("a row of value %v against column %d", value(r, x), r.Index[0])
			}
		}
		if len(rows) != len(wrong) {
			t.Fatalf("%d constraints for %d false claims", len(rows), len(wrong))
		}
		eager, err := f.model.WithRows(nil, "", false)
		if err != nil {
			t.Fatal(err)
		}
		if r := mio.Check(eager, x, 1e-9); !r.Feasible {
			t.Fatal(r.Err())
		}
		if r := mio.Check(f.model, x, 1e-9); r.Feasible != (len(wrong) == 0) {
			t.Fatalf("with %d false claims the lazy constraints give %v", len(wrong), r.Err())
		}
		refused += len(wrong)
	}
	if refused < 300 {
		t.Errorf("only %d false claims", refused)
	}
}

func TestCutNeedsFreeLeaves(t *testing.T) {
	_, err := Options{Depth: 1, MinLeaf: 2, Encoding: Cut}.Build(context.Background(), formtest.Tiny(t))
	if err == nil || !strings.Contains(err.Error(), "minimum leaf weight 2") || !strings.Contains(err.Error(), "use threshold or flow") {
		t.Errorf("%v", err)
	}
}

func TestLazy(t *testing.T) {
	for _, e := range Encodings() {
		f, err := Options{Depth: 1, Encoding: e}.Build(context.Background(), formtest.Tiny(t))
		if err != nil {
			t.Fatal(err)
		}
		_, lazy := formulate.Lazy(f)
		if lazy != (e == Cut) {
			t.Errorf("%s: lazy %v", e, lazy)
		}
		if rows := f.Violated(make([]float64, f.model.NumCols()), 0); !lazy && rows != nil {
			t.Errorf("%s: %d rows", e, len(rows))
		}
	}
}
