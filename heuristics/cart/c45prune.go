package cart

import (
	"context"
	"math"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/tree"
)

// pessimism prunes a tree by its pessimistic errors, in place.
type pessimism struct {
	tree  *tree.Tree
	ds    *dataset.Dataset
	level float64 // confidence
	*pulse.Pulse
	raised int
	buffer []int32
}

func newPessimism(ctx context.Context, t *tree.Tree, ds *dataset.Dataset, confidence float64) *pessimism {
	return &pessimism{tree: t, ds: ds, level: confidence, Pulse: pulse.New(ctx), buffer: make([]int32, ds.N())}
}

// prune prunes below node at, which rows reach, and returns its pessimistic
// errors; what the context has not left time for stays. The rows come back in another
// order.
func (p *pessimism) prune(at int, rows []int32) float64 {
	if p.Spend(4 * len(rows)) {
		return 0
	}
	n := &p.tree.Nodes[at]
	class, weight, errs := p.majority(n.Class, rows)
	n.Class = class
	leaf := PessimisticErrors(weight, errs, p.level)
	if n.Leaf() {
		return leaf
	}
	size := p.partition(n.Split, rows)
	subtree := p.prune(n.Left, rows[:size]) + p.prune(n.Right, rows[size:])
	larger := n.Left
	if p.weight(rows[size:]) > p.weight(rows[:size]) {
		larger = n.Right
	}
	branch := p.errors(larger, rows)
	if p.Ended() {
		return 0
	}
	const slack = 0.1 // as in the program, in rows
	switch {
	case leaf <= subtree+slack && leaf <= branch+slack:
		n.Split, n.Left, n.Right = nil, 0, 0
		return leaf
	case branch <= subtree+slack:
		up := &p.tree.Nodes[larger]
		n.Split, n.Left, n.Right, n.Class = up.Split, up.Left, up.Right, up.Class
		p.raised++
		return p.prune(at, rows) // its rows are others now
	}
	return subtree
}

// errors returns the pessimistic errors of the subtree at a node as it is, its
// leaves relabelled, if rows reached it.
func (p *pessimism) errors(at int, rows []int32) float64 {
	if p.Spend(4 * len(rows)) {
		return 0
	}
	n := &p.tree.Nodes[at]
	if n.Leaf() {
		_, weight, errs := p.majority(n.Class, rows)
		return PessimisticErrors(weight, errs, p.level)
	}
	size := p.partition(n.Split, rows)
	return p.errors(n.Left, rows[:size]) + p.errors(n.Right, rows[size:])
}

// majority returns the class of most weight in rows (class where there are
// none), their weight and that of the other classes.
func (p *pessimism) majority(class int, rows []int32) (most int, weight, errs float64) {
	classes := make([]float64, p.ds.K())
	for _, r := range rows {
		classes[p.ds.Y[r]] += p.ds.Weight[r]
	}
	most = class
	for k, w := range classes {
		weight += w
		if w > classes[most] || w == classes[most] && k < most && w > 0 {
			most = k
		}
	}
	for k, w := range classes {
		if k != most {
			errs += w
		}
	}
	return most, weight, errs
}

func (p *pessimism) weight(rows []int32) float64 {
	sum := 0.0
	for _, r := range rows {
		sum += p.ds.Weight[r]
	}
	return sum
}

// partition puts the rows that go left before the others and returns their number.
func (p *pessimism) partition(s *tree.Split, rows []int32) int {
	size, right := 0, 0
	for _, r := range rows {
		if s.Left(p.ds.Row(int(r))) {
			rows[size] = r
			size++
		} else {
			p.buffer[right] = r
			right++
		}
	}
	copy(rows[size:], p.buffer[:right])
	return size
}

// PessimisticErrors is C4.5's estimate of the errors on weight new rows of a leaf
// that errs on errs of as many training rows: weight times the upper confidence
// limit of its error rate, as AddErrs of the program computes it. Exact,
// weight (1 - confidence^(1/weight)), without errors; by the normal
// approximation of the binomial with a correction for continuity from one error
// on; linear between. confidence is between 0 and 1; 0.25 is C4.5's.
func PessimisticErrors(weight, errs, confidence float64) float64 {
	if weight <= 0 {
		return 0
	}
	none := weight * (1 - math.Pow(confidence, 1/weight))
	switch {
	case errs < 1e-6:
		return none
	case errs < 0.9999 && weight >= 1:
		return none + errs*(PessimisticErrors(weight, 1, confidence)-none)
	case errs+0.5 >= weight:
		return errs + 0.67*(weight-errs)
	}
	z := max(0, math.Sqrt2*math.Erfinv(1-2*confidence))
	c := z * z
	limit := (errs + 0.5 + c/2 + math.Sqrt(c*((errs+0.5)*(1-(errs+0.5)/weight)+c/4))) / (weight + c)
	return weight * limit
}
