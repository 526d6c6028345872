package vertex

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/gto"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/tree"
)

// GTOStart defines the problem and the start of Frank-Wolfe and EPTS.
type GTOStart struct {
	// Structure is the shape of the tree with the classes of its leaves. nil means the structure of
	// Tree or, without Tree, the full tree of depth Depth (0: 2, deeper with more than 4 classes)
	// whose leaves have the classes 0, 1, ..., K-1, 0, ... from left to right, as in gto.Options.
	Structure *gto.Structure
	Depth     int
	// Tree is a warm start, laid over the structure as gto.Formulation does. nil grows one on the
	// structure greedily, with RLP at each decision, like MSMT (the papers' start).
	Tree *tree.Tree
	// Random starts at random decisions instead: weights and thresholds uniform in [-1, 1] on
	// standardised features, as in the papers' random trees.
	Random bool
	Seed   uint64 // of the perturbation and of Random
}

// wideBox is a bound on decisions that holds for any useful tree.
const wideBox = 1e9

// gtoProblem holds data, structure and start for a search.
type gtoProblem struct {
	ds     *dataset.Dataset // as given
	m      *marginRows
	layout *gtoLayout
	planes []marginPlane // the start, one per decision
	wide   []marginPlane // those of a given tree, widened; nil without one
}

func (o GTOStart) prepare(ctx context.Context, ds *dataset.Dataset) (*gtoProblem, error) {
	if o.Random && o.Tree != nil {
		return nil, errors.New("vertex: Random and Tree exclude each other")
	}
	if o.Depth < 0 || o.Depth > formulate.MaxDepth || o.Structure != nil && o.Depth != 0 {
		return nil, fmt.Errorf("vertex: depth is %d, expected 0 to %d, and 0 together with a structure", o.Depth, formulate.MaxDepth)
	}
	m, err := newMarginRows(ds)
	if err != nil {
		return nil, err
	}
	s := o.Structure
	if s == nil && o.Tree != nil {
		s = gto.StructureOf(o.Tree)
	}
	if s == nil {
		s = defaultStructure(o.Depth, ds.K())
	}
	if err := checkStructure(s, m.ds); err != nil {
		return nil, err
	}
	if err := checkMemory(s, m); err != nil {
		return nil, err
	}
	p := &gtoProblem{ds: ds, m: m, layout: newGTOLayout(s, ds.K())}
	if o.Random {
		p.planes = p.random(o.Seed)
		return p, nil
	}
	if o.Tree == nil {
		p.planes, err = p.greedy(pulse.New(ctx), o.Seed)
		return p, err
	}
	t, err := gto.Options{Structure: s, Box: wideBox}.LayOver(ctx, ds, o.Tree)
	if err != nil {
		return nil, err
	}
	if p.planes, err = p.layout.planes(m, t); err != nil {
		return nil, err
	}
	p.wide = p.widened(p.planes)
	return p, nil
}

// vertex returns the extreme point where EPTS starts, nil if the context left no time, and another
// that was found on the way, if any. Of a given tree there are two: that of its widened decisions,
// which classifies correctly all rows that the tree does, and that of the decisions as they are,
// whose error is often lower. With the count error it is the first, otherwise that of less error.
func (p *gtoProblem) vertex(looks *pulse.Pulse, e *gtoError, seed uint64) (v, other *gtoVertex) {
	if p.wide == nil {
		return newGTOVertex(looks, p.m, e, p.planes, seed), nil
	}
	wide := newGTOVertex(looks, p.m, e, p.wide, seed)
	if wide == nil || looks.Ended() || e.objective == gto.CountError {
		return wide, nil
	}
	wide.watch()
	given := newGTOVertex(looks, p.m, e, p.planes, seed)
	if given == nil || given.current >= wide.current {
		wide.setAll() // given has changed the error
		return wide, nil
	}
	return given, wide
}

// onPlane is the activity of a row, relative to the largest, that rounding may have made of 0: such
// a row is on the hyperplane.
const onPlane = 1e-12

// gap is what the rows that a tree classifies correctly say of a decision.
type gap struct {
	size   float64    // largest activity of any row
	near   [2]float64 // activities of the nearest rows to the left and right, those on the hyperplane aside
	weight [2]float64 // of the rows on the hyperplane that go left and right
}

// sides returns the activities between which the decision lies. Of rows on the hyperplane only one
// side can keep a margin: the heavier, the right one if they are equal.
func (g *gap) sides() (left, right float64) {
	left, right = g.near[0], g.near[1]
	switch {
	case g.weight[1] > 0 && g.weight[1] >= g.weight[0]:
		right = 0
	case g.weight[0] > 0:
		left = 0
	}
	return left, right
}

// widened returns the decisions shifted and scaled so that all rows that their tree classifies
// correctly satisfy the margins on their way. Otherwise theorem 4.1 does not hold of a tree but of
// those of its rows that happen to be beyond the margins: a tree is the same whatever the scale of
// its splits.
func (p *gtoProblem) widened(planes []marginPlane) []marginPlane {
	planes = slices.Clone(planes)
	gaps := p.gaps(planes)
	for d := range gaps {
		left, right := gaps[d].sides()
		shift, scale := 0.0, 1.0
		switch {
		case left <= -1 && right >= 1:
			continue
		case math.IsInf(left, 0):
			shift = right - 1
		case math.IsInf(right, 0):
			shift = left + 1
		default:
			shift, scale = (left+right)/2, 2/(right-left)
		}
		h := marginPlane{slices.Clone(planes[d].w), scale * (planes[d].gamma + shift)}
		for j := range h.w {
			h.w[j] *= scale
		}
		planes[d] = h
	}
	return planes
}

// gaps returns the gap of each decision.
func (p *gtoProblem) gaps(planes []marginPlane) []gap {
	gaps := make([]gap, len(planes))
	for d := range gaps {
		gaps[d].near = [2]float64{math.Inf(-1), math.Inf(1)}
	}
	for i := range p.m.n {
		p.walk(planes, i, func(d int, act float64) { gaps[d].size = max(gaps[d].size, math.Abs(act)) })
	}
	for i := range p.m.n {
		if leaf := p.walk(planes, i, func(int, float64) {}); p.layout.class[leaf] != p.m.ds.Y[i] {
			continue
		}
		p.walk(planes, i, func(d int, act float64) {
			g := &gaps[d]
			switch {
			case math.Abs(act) <= onPlane*g.size && act < 0:
				g.weight[0] += p.m.ds.Weight[i]
			case math.Abs(act) <= onPlane*g.size:
				g.weight[1] += p.m.ds.Weight[i]
			case act < 0:
				g.near[0] = max(g.near[0], act)
			default:
				g.near[1] = min(g.near[1], act)
			}
		})
	}
	return gaps
}

// walk leads row i to its leaf, whose number it returns; seen hears of the activity at each decision.
func (p *gtoProblem) walk(planes []marginPlane, i int, seen func(d int, act float64)) int {
	at := 0
	for at >= 0 {
		act := planes[at].activity(p.m.row(i))
		seen(at, act)
		if act < 0 {
			at = p.layout.left[at]
		} else {
			at = p.layout.right[at]
		}
	}
	return ^at
}

// random draws all decisions.
func (p *gtoProblem) random(seed uint64) []marginPlane {
	rng := rand.New(rand.NewPCG(seed, 0x72616e64)) // "rand"
	planes := make([]marginPlane, p.layout.decisions)
	for d := range planes {
		planes[d] = marginPlane{make([]float64, p.m.p), 2*rng.Float64() - 1}
		for j := range planes[d].w {
			planes[d].w[j] = 2*rng.Float64() - 1
		}
	}
	return planes
}

// checkStructure returns an error if the structure does not suit the data.
func checkStructure(s *gto.Structure, ds *dataset.Dataset) error {
	if s.Leaf() {
		return errors.New("vertex: the structure is a single leaf; it needs a decision")
	}
	has := make([]bool, ds.K())
	var walk func(s *gto.Structure, depth int) error
	walk = func(s *gto.Structure, depth int) error {
		switch {
		case depth > formulate.MaxDepth:
			return fmt.Errorf("vertex: the structure is deeper than %d", formulate.MaxDepth)
		case s.Leaf() && (s.Class < 0 || s.Class >= ds.K()):
			return fmt.Errorf("vertex: a leaf of the structure has class %d; the classes are 0 to %d", s.Class, ds.K()-1)
		case s.Leaf():
			has[s.Class] = true
			return nil
		case s.Left == nil || s.Right == nil:
			return errors.New("vertex: a decision of the structure has one child; it needs two")
		}
		if err := walk(s.Left, depth+1); err != nil {
			return err
		}
		return walk(s.Right, depth+1)
	}
	if err := walk(s, 0); err != nil {
		return err
	}
	for _, y := range ds.Y {
		if !has[y] {
			return fmt.Errorf("vertex: the structure %s has no leaf of class %q of the data", s.Text(ds.Classes), ds.Classes[y])
		}
	}
	return nil
}

func defaultStructure(depth, k int) *gto.Structure {
	if depth == 0 {
		for depth = 2; 1<<depth < k; depth++ {
		}
	}
	labels := make([]int, k)
	for c := range labels {
		labels[c] = c
	}
	return gto.FullStructure(depth, labels...)
}

// greedy solves RLP at one decision after another, on the training rows that reach it. Classes with
// leaves on one side only are assigned to that side; classes with leaves on both sides to the side
// with the smaller RLP error, the heaviest to the right in case of a tie. Rows of classes without a
// leaf below are ignored. If all classes are assigned to one side, all rows go there. Decisions for
// which the context leaves no time send all rows towards a leaf of their heaviest class.
func (p *gtoProblem) greedy(pulse *pulse.Pulse, seed uint64) ([]marginPlane, error) {
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
		h, err := p.greedyPlane(pulse, d, rows, seed)
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

func (p *gtoProblem) greedyPlane(pulse *pulse.Pulse, d int, rows []int, seed uint64) (marginPlane, error) {
	best := marginPlane{w: make([]float64, p.m.p), gamma: 1}
	least := math.Inf(1)
	for _, wanted := range p.assignments(d, rows) {
		if pulse.Ended() {
			break
		}
		own, count := p.wanted(rows, wanted)
		if count[0] == 0 || count[1] == 0 {
			if math.IsInf(least, 1) && count[1] > 0 {
				best.gamma = -1
			}
			continue
		}
		part, err := newMarginRows(twoClasses(p.m.ds.Subset(own), func(y int) bool { return wanted[y] == 1 }))
		if errors.Is(err, formulate.ErrSingleLeaf) { // all features are constant: leave the decision to the search
			continue
		}
		if err != nil {
			return best, err
		}
		h, end := planeOf(pulse, part, RLPOptions{Seed: seed})
		if end.value >= least*(1-1e-9) || end.stopped && h.vacuous() {
			continue
		}
		least = end.value
		h.clean()
		s, err := part.split(h)
		if err != nil {
			return best, err
		}
		if best, err = p.m.plane(s); err != nil {
			return best, err
		}
	}
	if pulse.Ended() && math.IsInf(least, 1) {
		best.gamma = p.towardHeaviest(d, rows)
	}
	return best, nil
}

// wanted lists the rows assigned to a side and counts them per side.
func (p *gtoProblem) wanted(rows, wanted []int) (own []int, count [2]int) {
	for _, i := range rows {
		if side := wanted[p.m.ds.Y[i]]; side >= 0 {
			own = append(own, i)
			count[side]++
		}
	}
	return own, count
}

// towardHeaviest returns the gamma that, with w = 0, sends all rows towards a leaf of the heaviest
// of their classes that have one below decision d.
func (p *gtoProblem) towardHeaviest(d int, rows []int) float64 {
	weights := make([]float64, p.ds.K())
	for _, i := range rows {
		weights[p.m.ds.Y[i]] += p.m.ds.Weight[i]
	}
	heaviest, gamma := -1.0, 1.0
	for c, w := range weights {
		sides := p.layout.sides[d][c]
		if w <= heaviest || sides == [2]bool{} {
			continue
		}
		if heaviest, gamma = w, 1; !sides[0] {
			gamma = -1
		}
	}
	return gamma
}

// mostFree is the maximum number of classes with leaves on both sides that are tried on both.
const mostFree = 4

// assignments returns the side of each class (0, 1; -1 for none), once for each way to place the
// classes with leaves on both sides.
func (p *gtoProblem) assignments(d int, rows []int) [][]int {
	weights := make([]float64, p.ds.K())
	for _, i := range rows {
		weights[p.m.ds.Y[i]] += p.m.ds.Weight[i]
	}
	base := make([]int, p.ds.K())
	var free []int // heaviest first
	fixed := false
	for c, w := range weights {
		base[c] = -1
		switch sides := p.layout.sides[d][c]; {
		case w == 0:
		case sides == [2]bool{true, true}:
			free = append(free, c)
		case sides[0]:
			base[c], fixed = 0, true
		case sides[1]:
			base[c], fixed = 1, true
		}
	}
	slices.SortStableFunc(free, func(a, b int) int { return cmp.Compare(weights[b], weights[a]) })
	if !fixed && len(free) > 0 { // the mirror image is equally good
		base[free[0]], free = 1, free[1:]
	}
	for len(free) > mostFree {
		base[free[len(free)-1]], free = len(free)%2, free[:len(free)-1]
	}
	var all [][]int
	for mask := range 1 << len(free) {
		wanted := slices.Clone(base)
		for k, c := range free {
			wanted[c] = mask >> k & 1
		}
		all = append(all, wanted)
	}
	return all
}
