package vertex

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/heuristics/hinge"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/tree"
)

// RLPOptions are the settings of RLP. The zero value runs to a proof of optimality.
type RLPOptions struct {
	// Eps, in (0, 1), minimises the error of RLP-P instead: (1 - Eps) times RLP's error plus Eps
	// times the sum of |w_j| on standardised features (Bredensteiner & Bennett 1996, problem (10)).
	Eps      float64
	Seed     uint64 // of the perturbation; it selects among several optima
	MaxSteps int    // pivots; 0: no limit
}

// RLPStats describes a run of RLP.
type RLPStats struct {
	Steps   int           // pivots
	Stopped bool          // a limit was reached or the context ended before the proof
	Total   time.Duration // total
}

// RLPResult is the result of RLP.
type RLPResult struct {
	Tree      *tree.Tree // one split (a leaf if the class means are equal), annotated
	Objective float64    // error of the split, as in linear.RLP
	// Bound is proved by a dual solution: no split has a smaller error. Unless RLP was stopped, it
	// equals Objective up to rounding.
	Bound float64
	Stats RLPStats
}

// RLP solves the robust linear program of Bennett (1992), problem (2.1.3), in the form of
// linear.RLP, without a solver:
//
//	min over w, gamma  (1/m) sum_A omega_i (1 - (x_i.w - gamma))_+ + (1/k) sum_B omega_i (1 + x_i.w - gamma)_+
//
// where A is the heaviest class (of equal ones the first), which goes right, and B all others. It
// descends from vertex to vertex (package hinge). The problem is convex, so a vertex without a
// descending edge is optimal; its multipliers give the bound.
//
// RLP returns an error that wraps formulate.ErrSingleLeaf for data of one class or without a
// non-constant feature. If ctx or a limit ends it early, the result is the current point, at least
// the single leaf of A.
func RLP(ctx context.Context, ds *dataset.Dataset, o RLPOptions) (*RLPResult, error) {
	switch {
	case o.MaxSteps < 0:
		return nil, errors.New("rlp: limits must not be negative (0: no limit)")
	case !(o.Eps >= 0 && o.Eps < 1):
		return nil, fmt.Errorf("rlp: eps %v is not between 0 and 1", o.Eps)
	}
	begin := time.Now()
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

// twoClasses returns the dataset whose class is 1 for right classes, else 0. It shares everything
// but the classes.
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

// descentEnd is the result of a descent.
type descentEnd struct {
	value, bound float64 // lower bound on the minimum, by duality
	steps        int
	stopped      bool // by the context or the limit on steps: the value need not be the minimum
}

// hinges returns the program of the rows of classes 0 (left) and 1 (right), each weighted by its
// fraction of the weight of its class; nil if the pulse has ended.
func (m *marginRows) hinges(p *pulse.Pulse, seed uint64) *hinge.Program {
	rows := make([][]float64, m.n)
	for i := range rows {
		rows[i] = m.row(i)
	}
	h := hinge.New(p, rows, m.p)
	if p.Ended() {
		return nil
	}
	noise, total := marginNoise(m.n, seed), m.ds.ClassWeights()
	for i, y := range m.ds.Y {
		h.Sign[i], h.Margin[i], h.Noise[i], h.Weight[i] = float64(2*y-1), 1, noise[y][i], m.ds.Weight[i]/total[y]
	}
	return h
}

// planeOf solves RLP, or RLP-P, for the classes 0 (left) and 1 (right).
func planeOf(p *pulse.Pulse, m *marginRows, o RLPOptions) (marginPlane, descentEnd) {
	h := m.hinges(p, o.Seed)
	if h == nil { // w = 0 has the weight of each class as its error
		return marginPlane{w: make([]float64, m.p)}, descentEnd{value: 2 * (1 - o.Eps), stopped: true}
	}
	for i := range h.Weight {
		h.Weight[i] *= 1 - o.Eps
	}
	for j := range h.Price {
		h.Price[j] = o.Eps
	}
	return solved(h, cmp.Or(o.MaxSteps, math.MaxInt))
}

// solved returns the plane at an optimum of a program.
func solved(h *hinge.Program, most int) (marginPlane, descentEnd) {
	steps := h.Steps
	value, bound, end := h.MinimizeExactly(most)
	return marginPlane{slices.Clone(h.U[:h.P]), h.U[h.P]}, descentEnd{value, bound, h.Steps - steps, end == hinge.Limit}
}

// rlpTree returns the tree of a plane with classA on the right. The left leaf predicts the heaviest
// other class among its rows.
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

// heaviestOther returns the class other than class with the largest weight among the rows that s
// sends left; among all rows if s is nil or sends none left.
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
