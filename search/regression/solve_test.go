package regression

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
)

// loss is the loss of a tree in units of y, computed in two passes, with the least weight of its leaves.
func loss(q *Problem, t *Node, rows []int) (sse, least float64) {
	if t.Left == nil {
		w, s := 0.0, 0.0
		for _, i := range rows {
			w, s = w+q.weight(i), s+q.weight(i)*q.Y[i]
		}
		if q.Quantile > 0 { // the best answer is one of the numbers
			sse = math.Inf(1)
			for _, at := range rows {
				sum := 0.0
				for _, i := range rows {
					d := q.Y[i] - q.Y[at]
					sum += q.weight(i) * max(q.Quantile*d, (q.Quantile-1)*d)
				}
				sse = min(sse, sum)
			}
			return sse, w
		}
		for _, i := range rows {
			d := q.Y[i] - s/w
			sse += q.weight(i) * d * d
		}
		return sse, w
	}
	var left, right []int
	for _, i := range rows {
		if q.X[i*q.P+t.Feature] < t.Threshold {
			left = append(left, i)
		} else {
			right = append(right, i)
		}
	}
	l, wl := loss(q, t.Left, left)
	r, wr := loss(q, t.Right, right)
	return l + r, min(wl, wr)
}

func (q *Problem) weight(i int) float64 {
	if q.W == nil {
		return 1
	}
	return q.W[i]
}

func (q *Problem) all() []int {
	rows := make([]int, len(q.Y))
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// brute is the least loss of a tree of the depth and so many splits, penalty a split, with enough weight in each leaf; +Inf for none.
func brute(q *Problem, rows []int, depth, splits int, penalty float64) float64 {
	best, w := loss(q, leafNode, rows)
	if w < q.MinLeaf {
		best = math.Inf(1)
	}
	if depth == 0 || splits == 0 {
		return best
	}
	for f := range q.P {
		for _, at := range rows {
			var left, right []int
			for _, i := range rows {
				if q.X[i*q.P+f] < q.X[at*q.P+f] {
					left = append(left, i)
				} else {
					right = append(right, i)
				}
			}
			if len(left) > 0 {
				for k := max(0, splits-1-full(depth-1)); k <= min(splits-1, full(depth-1)); k++ {
					best = min(best, penalty+brute(q, left, depth-1, k, penalty)+brute(q, right, depth-1, splits-1-k, penalty))
				}
			}
		}
	}
	return best
}

// TestBruteForce: random cases with ties, weights, equal rows, a least leaf, a penalty and quantiles, up to depth 3.
func TestBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for k := range datatest.Some(40000) {
		n, p, depth := 2+r.IntN(9), 1+r.IntN(3), r.IntN(4)
		if depth == 3 {
			n = min(n, 8)
		}
		q := Problem{P: p, Depth: depth}
		if r.IntN(3) == 0 {
			q.MaxSplits = 1 + r.IntN(7)
		}
		for range n {
			for range p {
				q.X = append(q.X, float64(r.IntN(5)))
			}
			y := float64(r.IntN(4))
			if r.IntN(2) == 0 {
				y = r.NormFloat64() * 100
			}
			q.Y = append(q.Y, y)
		}
		if r.IntN(2) == 0 {
			for range n {
				q.W = append(q.W, float64(1+r.IntN(3)))
			}
		}
		if r.IntN(2) == 0 {
			q.MinLeaf = float64(1 + r.IntN(4))
		}
		if r.IntN(2) == 0 {
			q.Penalty = 0.3 * r.Float64()
		}
		q.Quantile = []float64{0, 0, 0.5, 0.5, 0.9, 0.2}[r.IntN(6)]
		check(t, fmt.Sprint(k), &q)
	}
}

func check(t *testing.T, name string, q *Problem) {
	t.Helper()
	rows := q.all()
	sst, _ := loss(q, leafNode, rows)
	res := Solve(context.Background(), *q)
	sse, least := loss(q, res.Tree, rows)
	splits := full(q.Depth)
	if q.MaxSplits > 0 {
		splits = min(splits, q.MaxSplits)
	}
	want := brute(q, rows, q.Depth, splits, q.Penalty*sst)
	if math.IsInf(want, 1) {
		want = sst // fewer rows than a leaf has: the single leaf stands
	}
	got := sse + q.Penalty*sst*float64(res.Tree.Splits())
	if res.Status != mio.Optimal || math.Abs(got-want) > 1e-9*sst || sst > 1e-20 && math.Abs(res.Value*sst-got) > 1e-9*sst || least < q.MinLeaf && res.Tree.Splits() > 0 || res.Tree.Splits() > splits {
		t.Fatalf("%s: %v, loss %v (said %v), want %v, least leaf %v of %v, problem %+v", name, res.Status, got, res.Value*sst, want, least, q.MinLeaf, *q)
	}
}

// read is a file of numbers, the target last.
func read(t testing.TB, name string) *Problem {
	t.Helper()
	f, err := os.Open(filepath.Join(datatest.Dir(t), name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	q := &Problem{P: len(records[0]) - 1}
	for _, record := range records[1:] {
		for j, field := range record {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil {
				t.Fatal(err)
			}
			if j < q.P {
				q.X = append(q.X, v)
			} else {
				q.Y = append(q.Y, v)
			}
		}
	}
	return q
}

// TestOptima: the published sets, whose optima two programs agree on.
func TestOptima(t *testing.T) {
	for name, want := range map[string][]float64{
		"servo":             {269.038924972, 160.362805467, 117.826564890},
		"airfoil":           {60265.5188250, 56081.9176671, 50895.7179730},
		"yacht":             {19789.0575879, 19585.2748596, 19396.7068491},
		"optical":           {25694337.2677, 18970066.9360, 5522297.33770},
		"enb-cool":          {7157.96912430, 4906.21221460, 3237.55040926},
		"quantbnb-qsar":     {7.77757802716, 5.80345051484, 4.19751662766},
		"quantbnb-fish":     {8.96914058842, 7.32769758566, 5.54682346552},
		"quantbnb-concrete": {17.6387961418, 12.0577650313, 8.04643564572},
	} {
		t.Run(name, func(t *testing.T) {
			q := read(t, "regression/"+name+".csv")
			for k, want := range want {
				if q.Depth = 2 + k; q.Depth > 3 && !datatest.All() {
					break
				}
				res := Solve(t.Context(), *q)
				got, _ := loss(q, res.Tree, q.all())
				if res.Status != mio.Optimal || math.Abs(got-want) > 1e-9*want {
					t.Errorf("depth %d: %v, %v, want %v", q.Depth, res.Status, got, want)
				}
			}
		})
	}
}

// TestLimits: an end before the proof leaves a tree and a bound below its value.
func TestLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	q := Problem{P: 6, Depth: 4, WorkLimit: 100_000}
	for range 300 {
		for range q.P {
			q.X = append(q.X, r.Float64())
		}
		q.Y = append(q.Y, r.NormFloat64())
	}
	res := Solve(t.Context(), q)
	if res.Status != mio.Feasible || res.Limit != mio.LimitIterations || !(res.Bound < res.Value) || !(res.Value < 1) {
		t.Errorf("%+v", res)
	}
	q.WorkLimit, q.Depth = 0, 3
	best := Solve(t.Context(), q)
	if best.Status != mio.Optimal || best.Value < res.Bound {
		t.Errorf("%+v after %+v", best, res)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if res := Solve(ended, q); res.Status != mio.Feasible || res.Limit != mio.LimitInterrupt || res.Bound > res.Value {
		t.Errorf("%+v", res)
	}
}

// TestNumbers: constant numbers, one row, huge and tiny ones, an outlier.
func TestNumbers(t *testing.T) {
	for name, c := range map[string]struct {
		y      []float64
		splits int
		value  float64
	}{
		"constant": {[]float64{7, 7, 7, 7}, 0, 0},
		"thirds":   {[]float64{1.0 / 3, 1.0 / 3, 1.0 / 3, 1.0 / 3}, 0, 0},
		"one row":  {[]float64{3}, 0, 0},
		"two":      {[]float64{1, 1, 2, 2}, 1, 0},
		"huge":     {[]float64{1e300, 1e300, -1e300, -1e300}, 1, 0},
		"largest":  {[]float64{math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64, -math.MaxFloat64}, 1, 0},
		"tiny":     {[]float64{1e-300, 1e-300, 2e-300, 2e-300}, 1, 0},
		"outlier":  {[]float64{1, 2, 3, 1e15}, 1, 1.0 / 3 * 2 / 1e30 / 0.75 * 3},
	} {
		q := Problem{P: 1, Depth: 1, Y: c.y}
		for i := range c.y {
			q.X = append(q.X, float64(i))
		}
		res := Solve(t.Context(), q)
		if res.Status != mio.Optimal || res.Tree.Splits() != c.splits || math.Abs(res.Value-c.value) > 1e-9 {
			t.Errorf("%s: %+v, %d splits", name, res, res.Tree.Splits())
		}
	}
}

func BenchmarkSolve(b *testing.B) {
	for _, name := range []string{"servo", "airfoil", "yacht", "optical", "enb-cool", "quantbnb-qsar", "quantbnb-fish", "quantbnb-concrete"} {
		for _, depth := range []int{2, 3, 4} {
			b.Run(fmt.Sprintf("%s/%d", name, depth), func(b *testing.B) {
				q := read(b, "regression/"+name+".csv")
				q.Depth = depth
				for b.Loop() {
					Solve(b.Context(), *q)
				}
			})
		}
	}
	b.Run("100000x10/2", func(b *testing.B) {
		r := rand.New(rand.NewPCG(7, 8))
		q := Problem{P: 10, Depth: 2}
		for range 100_000 {
			y := 0.0
			for j := range q.P {
				x := math.Round(r.NormFloat64()*1000) / 1000
				q.X = append(q.X, x)
				if x > float64(j)/10 {
					y += x
				}
			}
			q.Y = append(q.Y, y+r.NormFloat64())
		}
		for b.Loop() {
			Solve(b.Context(), q)
		}
	})
}
