package sparse

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// oracle finds the best tree of any depth for sets of points, at most 14, as bit masks.
type oracle struct {
	ds      *dataset.Dataset
	rows    [][]int // of the points
	excess  []float64
	lambda  float64
	minLeaf float64
	values  []float64 // of the sets; NaN if not known
}

func newOracle(ds *dataset.Dataset, alpha, minLeaf float64) *oracle {
	of, first := ds.Points()
	o := &oracle{ds: ds, rows: make([][]int, len(first)), excess: ds.Excess(), lambda: alpha * tree.ErrorScale(ds), minLeaf: minLeaf}
	for i, q := range of {
		o.rows[q] = append(o.rows[q], i)
	}
	o.values = make([]float64, 1<<len(first))
	for i := range o.values {
		o.values[i] = math.NaN()
	}
	return o
}

// best is the least excess plus lambda per split.
func (o *oracle) best(mask int) float64 {
	if !math.IsNaN(o.values[mask]) {
		return o.values[mask]
	}
	ds, k := o.ds, o.ds.K()
	cost, weight := make([]float64, k), 0.0
	for q, rows := range o.rows {
		if mask>>q&1 == 0 {
			continue
		}
		for _, i := range rows {
			weight += ds.Weight[i]
			for c := range cost {
				cost[c] += o.excess[i*k+c]
			}
		}
	}
	v := math.Inf(1)
	if tree.EnoughWeight(weight, o.minLeaf) {
		for _, c := range cost {
			v = min(v, c)
		}
	}
	for j := range ds.P() {
		for q := range o.rows {
			if mask>>q&1 == 0 {
				continue
			}
			left := 0
			for r := range o.rows {
				if mask>>r&1 == 1 && ds.Row(o.rows[r][0])[j] < ds.Row(o.rows[q][0])[j] {
					left |= 1 << r
				}
			}
			if left != 0 {
				v = min(v, o.lambda+o.best(left)+o.best(mask&^left))
			}
		}
	}
	o.values[mask] = v
	return v
}

// randomData draws at most 12 points with ties, contradictions, weights and costs.
func randomData(rng *rand.Rand) *dataset.Dataset {
	ds := datatest.Tied(rng, rng.IntN(9), 4)
	switch rng.IntN(6) {
	case 0: // weights without a common unit
		for i := range ds.Weight {
			ds.Weight[i] = math.Exp(4 * rng.Float64())
		}
	case 1, 2:
		ds.Cost = make([]float64, ds.N()*ds.K())
		for i := range ds.Cost {
			if ds.Cost[i] = float64(rng.IntN(4)); rng.IntN(8) == 0 {
				ds.Cost[i] += rng.Float64()
			}
		}
	}
	return ds
}

// TestBruteForce: on small data, the optimum is that of all trees, with any rule switched off.
func TestBruteForce(t *testing.T) {
	cases := 2000
	if os.Getenv("OCTGEN_LONG") != "" {
		cases = 40000
	}
	for seed := range cases {
		rng := rand.New(rand.NewPCG(uint64(seed), 38))
		ds := randomData(rng)
		o := Options{Alpha: []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.37, 1}[rng.IntN(7)] * (1 + float64(rng.IntN(2))*rng.Float64())}
		if rng.IntN(3) == 0 {
			o.MinLeaf = min([]float64{1, 1.5, 2, 3, 4}[rng.IntN(5)], total(ds))
		}
		bit := func(i int) bool { return rng.IntN(6) == i }
		o.Rules = Rules{NoMerge: bit(0), NoTwo: bit(0), NoSegment: bit(0), NoSpread: bit(0), NoStep: bit(0)}
		all := newOracle(ds, o.Alpha, o.MinLeaf)
		want := all.best(1<<len(all.rows)-1) / tree.ErrorScale(ds)
		r, err := Solve(context.Background(), ds, o)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if r.Status != mio.Optimal || math.Abs(r.Objective-want) > 1e-9*max(1, want) || r.Bound != r.Objective {
			t.Fatalf("seed %d: %v, objective %v, bound %v %s; brute force %v, %+v\n%s", seed, r.Status, r.Objective, r.Bound, r.Blurred, want, o, r.Tree)
		}
		for i := range r.Tree.Nodes {
			if n := &r.Tree.Nodes[i]; n.Leaf() && !tree.EnoughWeight(sum(n.Weight), o.MinLeaf) {
				t.Fatalf("seed %d: a leaf weighs %v", seed, sum(n.Weight))
			}
		}
	}
}

// TestStopped: a search whose table is full, or whose work is done, ends with a tree and a bound.
func TestStopped(t *testing.T) {
	full := 0
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 39))
		ds := &dataset.Dataset{Features: []string{"x", "y"}, Classes: []string{"a", "b"}}
		for range 150 {
			ds.X = append(ds.X, float64(rng.IntN(40)), float64(rng.IntN(3)))
			ds.Y, ds.Weight, ds.Count = append(ds.Y, rng.IntN(2)), append(ds.Weight, 1), append(ds.Count, 1)
		}
		o := Options{Alpha: 0.02, Memory: 1}
		if seed%3 == 0 {
			o = Options{Alpha: 0.02, WorkLimit: 20_000 << rng.IntN(6)}
		}
		r, err := Solve(context.Background(), ds, o)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if r.Bound > r.Objective || (r.Status == mio.Optimal) != (r.Bound == r.Objective) {
			t.Errorf("seed %d: %v, objective %v, bound %v", seed, r.Status, r.Objective, r.Bound)
		}
		if r.Limit == mio.LimitMemory {
			full++
		}
		again, err := Solve(context.Background(), ds, o)
		if err != nil || again.Bound != r.Bound || again.Tree.String() != r.Tree.String() {
			t.Errorf("seed %d: bound %v, then %v, %v", seed, r.Bound, again.Bound, err)
		}
		o.Memory, o.WorkLimit = 0, 0
		if best, err := Solve(context.Background(), ds, o); err != nil || best.Objective > r.Objective+1e-9 || best.Objective < r.Bound-1e-9 {
			t.Errorf("seed %d: objective %v with more memory, %v with bound %v with less; %v", seed, best.Objective, r.Objective, r.Bound, err)
		}
	}
	if full == 0 {
		t.Error("no table was full")
	}
}

func total(ds *dataset.Dataset) float64 { return sum(ds.Weight) }

func sum(v []float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}
