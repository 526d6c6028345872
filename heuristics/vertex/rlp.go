package vertex

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/tree"
)

// RLPOptions are the settings of RLP. The zero value runs to the proof.
type RLPOptions struct {
	// Eps, in (0, 1), minimises the error of RLP-P instead, (1 - Eps) of RLP's and Eps
	// times the sum of |w_j| on standardised features (Bredensteiner & Bennett 1996,
	// problem (10)), to within a millionth of Eps per feature and without a bound.
	Eps       float64
	Seed      uint64        // of the perturbation; it decides among optima, if there are several
	MaxSteps  int           // pivots; 0: no limit
	TimeLimit time.Duration // 0: none
}

// RLPStats says what RLP did.
type RLPStats struct {
	Steps   int           // pivots
	Stopped bool          // a limit or the context came before the proof
	Total   time.Duration // all
}

// RLPResult is what RLP returns.
type RLPResult struct {
	Tree      *tree.Tree // one split (a leaf where the class means are equal), annotated
	Objective float64    // the error of the split, that of linear.RLP
	// Bound is proved by a dual solution: no split has a smaller error. Where
	// nothing stopped RLP it equals Objective up to rounding.
	Bound float64
	Stats RLPStats
}

// RLP solves the robust linear program of Bennett (1992), problem (2.1.3), in the
// form of linear.RLP, without a solver:
//
//	min over w, gamma  (1/m) sum_A omega_i (1 - (x_i.w - gamma))_+ + (1/k) sum_B omega_i (1 + x_i.w - gamma)_+
//
// with A the heaviest class (of equal ones the first), which goes right, and B all
// others. It descends from vertex to vertex of the margin planes with a line
// search past all planes that still descend. The problem is convex, so that the
// vertex without a descending edge is optimal; its multipliers give the bound.
// A step costs O(n p).
//
// Data of one class or without a feature that varies wrap
// formulate.ErrSingleLeaf. Where ctx or a limit ends it early the present point is
// the result, the single leaf of A at least.
func RLP(ctx context.Context, ds *dataset.Dataset, o RLPOptions) (*RLPResult, error) {
	switch {
	case o.MaxSteps < 0 || o.TimeLimit < 0:
		return nil, errors.New("rlp: a limit is negative; 0 (none) or more is needed")
	case !(o.Eps >= 0 && o.Eps < 1):
		return nil, fmt.Errorf("rlp: eps is %v; a number between 0 and 1 is needed", o.Eps)
	}
	begin := time.Now()
	if o.TimeLimit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.TimeLimit)
		defer cancel()
	}
	weights := ds.ClassWeights()
	classA := slices.Index(weights, slices.Max(weights))
	m, err := newMarginRows(twoClasses(ds, func(y int) bool { return y == classA }))
	if err != nil {
		return nil, err
	}
	h, end := planeOf(pulse.New(ctx), m, o)
	h.clean()
	res := &RLPResult{Objective: end.value, Bound: end.bound}
	if res.Tree, err = rlpTree(ds, m, h, classA); err != nil {
		return nil, err
	}
	res.Stats = RLPStats{Steps: end.steps, Stopped: end.stopped, Total: time.Since(begin)}
	return res, nil
}

// twoClasses returns the dataset whose class is 1 for right classes, else 0. It
// shares all but the classes.
func twoClasses(ds *dataset.Dataset, right func(y int) bool) *dataset.Dataset {
	two := *ds
	two.Classes = []string{"left", "right"}
	two.Y = make([]int, ds.N())
	for i, y := range ds.Y {
		if right(y) {
			two.Y[i] = 1
		}
	}
	return &two
}

// rlpPlane solves RLP for the classes 0 (left) and 1 (right).
func rlpPlane(p *pulse.Pulse, m *marginRows, o RLPOptions) (marginPlane, descentEnd) {
	sides := make([]uint8, m.n)
	for i, y := range m.ds.Y {
		sides[i] = 1 << y
	}
	a := newArrangement(p, m.x, m.n, m.p, sides, o.Seed, nil)
	if p.Ended() { // w = 0 errs by the weight of each class
		return marginPlane{w: make([]float64, m.p)}, descentEnd{value: 2, stopped: true}
	}
	d := newHingeDescent(a)
	w := m.ds.ClassWeights()
	for i, y := range m.ds.Y {
		d.cost[y][i] = m.ds.Weight[i] / w[y]
	}
	limit := o.MaxSteps
	if limit == 0 {
		limit = math.MaxInt
	}
	end := d.minimize(limit)
	return d.plane(m.p), end
}

// perturbedPlane solves RLP-P for the classes 0 (left) and 1 (right), as rlpPlane solves
// RLP.
func perturbedPlane(p *pulse.Pulse, m *marginRows, o RLPOptions) (marginPlane, descentEnd) {
	d := newPriced(p, m, o.Seed)
	if p.Ended() {
		return marginPlane{w: make([]float64, m.p)}, descentEnd{value: 2 * (1 - o.Eps), stopped: true}
	}
	limit := o.MaxSteps
	if limit == 0 {
		limit = math.MaxInt
	}
	h, end := d.minimum(1-o.Eps, func(int) float64 { return o.Eps }, limit)
	for j, v := range h.w {
		if math.Abs(v) < 10/priceScale {
			h.w[j] = 0
		}
	}
	end.value, end.bound = perturbedError(m, h, o.Eps), 0
	return h, end
}

// planeOf solves RLP, or RLP-P.
func planeOf(p *pulse.Pulse, m *marginRows, o RLPOptions) (marginPlane, descentEnd) {
	if o.Eps > 0 {
		return perturbedPlane(p, m, o)
	}
	return rlpPlane(p, m, o)
}

// perturbedError is the RLP-P error of a plane.
func perturbedError(m *marginRows, h marginPlane, eps float64) float64 {
	w, v := m.ds.ClassWeights(), 0.0
	for i, y := range m.ds.Y {
		v += (1 - eps) * m.ds.Weight[i] / w[y] * max(0, 1-float64(2*y-1)*h.activity(m.row(i)))
	}
	for _, weight := range h.w {
		v += eps * math.Abs(weight)
	}
	return v
}

// rlpTree returns the tree of a plane with classA on the right. The left leaf
// takes the heaviest of the other classes among the rows it gets.
func rlpTree(ds *dataset.Dataset, m *marginRows, h marginPlane, classA int) (*tree.Tree, error) {
	if h.vacuous() {
		class := classA
		if h.gamma > 0 {
			class = heaviestOther(ds, classA, nil)
		}
		t := tree.NewLeaf(ds, class)
		t.Annotate(ds)
		return t, nil
	}
	s, err := m.split(h)
	if err != nil {
		return nil, fmt.Errorf("rlp: %w", err)
	}
	t := tree.NewLeaf(ds, 0)
	t.Grow(0, s, heaviestOther(ds, classA, s), classA)
	t.Annotate(ds)
	return t, nil
}

// heaviestOther returns the class other than class of the largest weight among
// the rows that s sends left; among all rows where s is nil or sends none left.
func heaviestOther(ds *dataset.Dataset, class int, s *tree.Split) int {
	weight := make([]float64, ds.K())
	for i, y := range ds.Y {
		if y != class && (s == nil || s.Left(ds.Row(i))) {
			weight[y] += ds.Weight[i]
		}
	}
	if most := slices.Max(weight); most > 0 {
		return slices.Index(weight, most)
	}
	return heaviestOther(ds, class, nil)
}
