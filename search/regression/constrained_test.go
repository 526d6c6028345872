package regression

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
)

// candidate is a tree of the enumeration.
type candidate struct {
	loss   float64
	w      window
	used   uint
	splits int
}

// every lists all trees that keep the constraints but those on columns.
func every(q *Problem, rows []int, depth int, fixed *Node) []candidate {
	var all []candidate
	total, weight := loss(q, leafNode, rows)
	stays := fixed != nil && fixed.Left != nil
	if !stays && (weight >= q.MinLeaf || len(rows) == len(q.Y)) {
		v := answerOf(q, rows)
		all = append(all, candidate{total, window{v, v}, 0, 0})
	}
	if depth == 0 {
		return all
	}
	for f := range q.P {
		seen := map[float64]bool{}
		for _, at := range rows {
			b := q.X[at*q.P+f]
			if stays {
				b = fixed.Threshold
			}
			if seen[b] || stays && f != fixed.Feature || q.Forbidden != nil && q.Forbidden[f] {
				continue
			}
			seen[b] = true
			var left, right []int
			for _, i := range rows {
				if q.X[i*q.P+f] < b {
					left = append(left, i)
				} else {
					right = append(right, i)
				}
			}
			if len(left) == 0 || len(right) == 0 {
				continue
			}
			var below [2]*Node
			if stays {
				below = [2]*Node{fixed.Left, fixed.Right}
			}
			for _, l := range every(q, left, depth-1, below[0]) {
				for _, r := range every(q, right, depth-1, below[1]) {
					if q.Monotone != nil && !inOrder(q.Monotone[f], l.w, r.w) {
						continue
					}
					all = append(all, candidate{
						l.loss + r.loss, window{min(l.w.low, r.w.low), max(l.w.high, r.w.high)},
						l.used | r.used | 1<<q.Columns[f], l.splits + r.splits + 1,
					})
				}
			}
		}
	}
	return all
}

// answerOf is the mean of the rows, or their quantile.
func answerOf(q *Problem, rows []int) float64 {
	sum, all := 0.0, 0.0
	for _, i := range rows {
		sum, all = sum+q.weight(i)*q.Y[i], all+q.weight(i)
	}
	if q.Quantile == 0 {
		return sum / all
	}
	best := math.Inf(1)
	for _, i := range rows {
		below := 0.0
		for _, j := range rows {
			if q.Y[j] <= q.Y[i] {
				below += q.weight(j)
			}
		}
		if below >= q.Quantile*all*(1-1e-12) {
			best = min(best, q.Y[i])
		}
	}
	return best
}

// holds is what a tree of the search comes to.
func holds(q *Problem, t *Node, rows []int) (w window, used uint, ordered bool) {
	if t.Left == nil {
		v := answerOf(q, rows)
		return window{v, v}, 0, true
	}
	var left, right []int
	for _, i := range rows {
		if q.X[i*q.P+t.Feature] < t.Threshold {
			left = append(left, i)
		} else {
			right = append(right, i)
		}
	}
	l, ul, ok := holds(q, t.Left, left)
	r, ur, also := holds(q, t.Right, right)
	ok = ok && also && (q.Monotone == nil || inOrder(q.Monotone[t.Feature], l, r))
	return window{min(l.low, r.low), max(l.high, r.high)}, ul | ur | 1<<q.Columns[t.Feature], ok
}

// TestConstraints: random cases of splits that stay, leaves in order, columns forbidden, limited and priced, against enumeration.
func TestConstraints(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	counts := map[mio.Status]int{}
	for k := range datatest.Some(40000) {
		n, p, depth := 3+r.IntN(6), 1+r.IntN(3), 1+r.IntN(3)
		if depth == 3 {
			n, p = min(n, 6), min(p, 2)
		}
		q := Problem{P: p, Depth: depth}
		for range n {
			for range p {
				q.X = append(q.X, float64(r.IntN(4)))
			}
			q.Y = append(q.Y, float64(r.IntN(5)))
		}
		for f := range p {
			q.Columns = append(q.Columns, f/(1+r.IntN(2)))
		}
		if r.IntN(3) == 0 {
			for range n {
				q.W = append(q.W, float64(1+r.IntN(3)))
			}
		}
		if r.IntN(3) == 0 {
			q.MinLeaf = float64(1 + r.IntN(3))
		}
		if r.IntN(2) == 0 {
			q.Penalty = 0.2 * r.Float64()
		}
		if r.IntN(3) == 0 {
			q.MaxSplits = 1 + r.IntN(5)
		}
		if r.IntN(3) > 0 {
			for range p {
				q.Monotone = append(q.Monotone, int8(r.IntN(3)-1))
			}
		}
		if r.IntN(3) == 0 {
			q.MaxColumns = 1 + r.IntN(p)
		}
		if r.IntN(3) == 0 {
			for range p {
				q.ColumnCost = append(q.ColumnCost, 0.2*r.Float64())
			}
		}
		if r.IntN(3) == 0 {
			q.Forbidden = make([]bool, p)
			q.Forbidden[r.IntN(p)] = true
		}
		if r.IntN(3) == 0 {
			q.Fixed = someSplits(r, &q, q.all(), depth)
		}
		q.Quantile = []float64{0, 0, 0.5, 0.9}[r.IntN(4)]
		sst, _ := loss(&q, leafNode, q.all())
		if sst < 1e-9 {
			continue
		}
		value := func(c *candidate) float64 {
			v := c.loss/sst + q.Penalty*float64(c.splits)
			for at := range q.ColumnCost {
				if c.used>>at&1 == 1 {
					v += q.ColumnCost[at]
				}
			}
			return v
		}
		allowed := func(c *candidate) bool {
			columns := 0
			for at := range p {
				columns += int(c.used >> at & 1)
			}
			return (q.MaxColumns == 0 || columns <= q.MaxColumns) && (q.MaxSplits == 0 || c.splits <= q.MaxSplits)
		}
		want := math.Inf(1)
		for _, c := range every(&q, q.all(), depth, q.Fixed) {
			if allowed(&c) {
				want = min(want, value(&c))
			}
		}
		res := Solve(context.Background(), q)
		counts[res.Status]++
		if math.IsInf(want, 1) {
			if res.Status != mio.Infeasible || res.Tree != nil {
				t.Fatalf("%d: %+v, want no tree, problem %+v", k, res, q)
			}
			continue
		}
		if res.Status != mio.Optimal {
			t.Fatalf("%d: %+v, want %v, problem %+v", k, res, want, q)
		}
		l, _ := loss(&q, res.Tree, q.all())
		_, used, ordered := holds(&q, res.Tree, q.all())
		c := candidate{loss: l, used: used, splits: res.Tree.Splits()}
		if got := value(&c); !ordered || !allowed(&c) || math.Abs(got-want) > 1e-9 || math.Abs(res.Value-want) > 1e-9 {
			t.Fatalf("%d: %v, said %v, want %v, in order %v, allowed %v, problem %+v", k, got, res.Value, want, ordered, allowed(&c), q)
		}
	}
	if counts[mio.Infeasible] == 0 || counts[mio.Optimal] < counts[mio.Infeasible] {
		t.Errorf("cases: %v", counts)
	}
}

// someSplits is a random tree whose splits part rows; nil for none.
func someSplits(r *rand.Rand, q *Problem, rows []int, depth int) *Node {
	if depth == 0 || len(rows) < 2 || r.IntN(3) == 0 {
		return nil
	}
	f := r.IntN(q.P)
	b := q.X[rows[r.IntN(len(rows))]*q.P+f] - 0.5
	var left, right []int
	for _, i := range rows {
		if q.X[i*q.P+f] < b {
			left = append(left, i)
		} else {
			right = append(right, i)
		}
	}
	if len(left) == 0 || len(right) == 0 || q.Forbidden != nil && q.Forbidden[f] {
		return nil
	}
	n := &Node{Feature: f, Threshold: b, Left: leafNode, Right: leafNode}
	if s := someSplits(r, q, left, depth-1); s != nil {
		n.Left = s
	}
	if s := someSplits(r, q, right, depth-1); s != nil {
		n.Right = s
	}
	return n
}
