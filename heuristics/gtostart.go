package heuristics

import (
	"context"
	"fmt"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/tree"
)

// GTOStart says what Frank-Wolfe and EPTS optimise and from where.
type GTOStart struct {
	// Structure is the tree's shape with the classes of its leaves; nil takes that
	// of Tree, or else the full tree of depth Depth (0: 2, deeper where there are
	// more than 4 classes) whose leaves have the classes 0, 1, ..., K-1, 0, ... from
	// left to right, as formulate.GTOOptions.
	Structure *formulate.Structure
	Depth     int
	// Tree is where to start, laid over the structure as formulate.GTO lays its
	// starts; nil grows one on the structure greedily, with RLP at each decision,
	// as MSMT does (the papers' start).
	Tree *tree.Tree
	Seed uint64 // of the perturbation
}

// wideBox holds the decisions of any tree that makes sense.
const wideBox = 1e9

// gtoProblem is data, structure and start ready for a search.
type gtoProblem struct {
	ds     *dataset.Dataset // as given
	m      *marginRows
	layout *gtoLayout
	planes []marginPlane // the start, one per decision
}

func (o GTOStart) prepare(ctx context.Context, ds *dataset.Dataset) (*gtoProblem, error) {
	if o.Depth < 0 || o.Depth > formulate.MaxDepth || o.Structure != nil && o.Depth != 0 {
		return nil, fmt.Errorf("heuristics: depth is %d, expected 0 to %d, and 0 beside a structure", o.Depth, formulate.MaxDepth)
	}
	m, err := newMarginRows(ds)
	if err != nil {
		return nil, err
	}
	s := o.Structure
	if s == nil && o.Tree != nil {
		s = formulate.StructureOf(o.Tree)
	}
	if s == nil {
		s = defaultStructure(o.Depth, ds.K())
	}
	// The formulation refuses what is no structure for the data, and lays trees over it.
	f, err := formulate.GTOOptions{Structure: s, Encoding: formulate.Bilinear, Box: wideBox, OmitNames: true}.Build(ctx, ds)
	if err != nil {
		return nil, err
	}
	p := &gtoProblem{ds: ds, m: m, layout: newGTOLayout(s, ds.K())}
	if o.Tree == nil {
		p.planes, err = p.greedy(ctx, o.Seed)
		return p, err
	}
	point, err := f.Start(ctx, o.Tree)
	if err != nil {
		return nil, err
	}
	t, err := f.Decode(point)
	if err != nil {
		return nil, err
	}
	p.planes, err = p.layout.planes(m, t)
	return p, err
}

func defaultStructure(depth, k int) *formulate.Structure {
	if depth == 0 {
		for depth = 2; 1<<depth < k; depth++ {
		}
	}
	labels := make([]int, k)
	for c := range labels {
		labels[c] = c
	}
	return formulate.FullStructure(depth, labels...)
}

// greedy solves RLP at one decision after another, on the training rows that reach
// it. A decision above two leaves sends the class of the right one right and the
// others left; one with a leaf on one side only sends that class there; any other
// sends the heaviest class of its rows right. Where one side gets no rows, or the
// rows have one class, all rows are sent to the side with a leaf of theirs.
func (p *gtoProblem) greedy(ctx context.Context, seed uint64) ([]marginPlane, error) {
	planes := make([]marginPlane, p.layout.decisions)
	all := make([]int, p.m.n)
	for i := range all {
		all[i] = i
	}
	var grow func(d int, rows []int) error
	grow = func(d int, rows []int) error {
		if d < 0 {
			return nil
		}
		h, err := p.greedyPlane(ctx, d, rows, seed)
		if err != nil {
			return err
		}
		planes[d] = h
		var left, right []int
		for _, i := range rows {
			if h.activity(p.m.row(i)) < 0 {
				left = append(left, i)
			} else {
				right = append(right, i)
			}
		}
		if err := grow(p.layout.left[d], left); err != nil {
			return err
		}
		return grow(p.layout.right[d], right)
	}
	return planes, grow(0, all)
}

func (p *gtoProblem) greedyPlane(ctx context.Context, d int, rows []int, seed uint64) (marginPlane, error) {
	weights := make([]float64, p.ds.K())
	for _, i := range rows {
		weights[p.m.ds.Y[i]] += p.m.ds.Weight[i]
	}
	heaviest := slices.Index(weights, slices.Max(weights))
	right := p.rightClass(d, heaviest)
	h := marginPlane{w: make([]float64, p.m.p), gamma: 1}
	rest := 0.0
	for c, w := range weights {
		if !right(c) {
			rest += w
		}
	}
	total := 0.0
	for _, w := range weights {
		total += w
	}
	if rest == 0 || rest == total {
		if rest == 0 && total > 0 {
			h.gamma = -1
		}
		return h, nil
	}
	part, err := newMarginRows(twoClasses(p.m.ds.Subset(rows), right))
	if err != nil { // no feature varies: leave it to the search
		return h, nil
	}
	own, _ := rlpPlane(ctx, part, RLPOptions{Seed: seed})
	own.clean()
	s, err := part.split(own)
	if err != nil {
		return h, err
	}
	return p.m.plane(s)
}

// rightClass says which classes decision d is to send right.
func (p *gtoProblem) rightClass(d, heaviest int) func(int) bool {
	leaf := func(child int) int {
		if child >= 0 {
			return -1
		}
		return p.layout.class[^child]
	}
	l, r := leaf(p.layout.left[d]), leaf(p.layout.right[d])
	switch {
	case r >= 0 && (l < 0 || l != r):
		return func(c int) bool { return c == r }
	case l >= 0 && l != r:
		return func(c int) bool { return c != l }
	}
	return func(c int) bool { return c == heaviest }
}
