package vertex

import (
	"fmt"
	"math"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/gto"
	"github.com/octgen/octgen/tree"
)

// gtoLayout numbers a structure like gto.Formulation: decisions 0..D-1 and leaves 0..D, each level
// by level from left to right. A slot is a side of a decision: 2d for left, 2d+1 for right.
type gtoLayout struct {
	decisions   int
	left, right []int       // (D) child: a decision, or ^leaf
	class       []int       // (D+1) of the leaves
	path        [][]int     // (D+1) slots from the root
	leaves      [][]int     // (K) leaves of each class
	sides       [][][2]bool // (D, K) whether a leaf of the class is on that side
}

// Memory limits of a search on a structure: pairs of a decision and a leaf, enough for the full
// tree of depth 12, and numbers per decision and row.
const (
	mostPairs   = 1 << 24
	mostNumbers = 1 << 30
)

// sizeError reports a structure whose search would exceed the memory limits. It is a
// formulate.ErrNoStart: a model of the structure can be solved without such a start.
type sizeError struct{ decisions, rows, features int }

func (e *sizeError) Error() string {
	return fmt.Sprintf("vertex: the structure has %d decisions, for %d rows of %d features; the maximum is %d pairs of a decision and a leaf (a full tree of depth 12) and %d numbers: use a smaller depth",
		e.decisions, e.rows, e.features, mostPairs, mostNumbers)
}

func (e *sizeError) Is(target error) bool { return target == formulate.ErrNoStart }

// checkMemory returns a sizeError for a structure that is too large.
func checkMemory(s *gto.Structure, m *marginRows) error {
	decisions := s.Leaves() - 1
	pairs, numbers := float64(decisions)*float64(decisions+1), float64(decisions)*float64(m.n)*float64(m.p+3)
	if pairs > mostPairs || numbers > mostNumbers {
		return &sizeError{decisions, m.n, m.p}
	}
	return nil
}

func newGTOLayout(s *gto.Structure, k int) *gtoLayout {
	l := &gtoLayout{leaves: make([][]int, k)}
	type place struct {
		s    *gto.Structure
		path []int
	}
	decisions, leaves := 0, 0 // numbered so far
	number := func(s *gto.Structure) int {
		if s.Leaf() {
			leaves++
			return ^(leaves - 1)
		}
		decisions++
		return decisions - 1
	}
	number(s)
	for queue := []place{{s, nil}}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if at.s.Leaf() {
			l.leaves[at.s.Class] = append(l.leaves[at.s.Class], len(l.class))
			l.class, l.path = append(l.class, at.s.Class), append(l.path, at.path)
			continue
		}
		d := l.decisions
		l.decisions++
		l.left, l.right = append(l.left, number(at.s.Left)), append(l.right, number(at.s.Right))
		for side, child := range [2]*gto.Structure{at.s.Left, at.s.Right} {
			path := append(append([]int(nil), at.path...), 2*d+side)
			queue = append(queue, place{child, path})
		}
	}
	l.sides = make([][][2]bool, l.decisions)
	for d := range l.sides {
		l.sides[d] = make([][2]bool, k)
	}
	for k, path := range l.path {
		for _, slot := range path {
			l.sides[slot/2][l.class[k]][slot&1] = true
		}
	}
	return l
}

// tree returns the tree of planes, one per decision, in the data's units; with reduced, without the
// decisions of zero weight. It is not annotated.
func (l *gtoLayout) tree(m *marginRows, planes []marginPlane, reduced bool) (*tree.Tree, error) {
	t := tree.NewLeaf(m.ds, 0)
	var grow func(node, from int) error
	grow = func(node, from int) error {
		if from < 0 {
			t.Nodes[node].Class = l.class[^from]
			return nil
		}
		if h := planes[from]; reduced && h.vacuous() {
			if h.gamma > vacuousWeight {
				return grow(node, l.left[from])
			}
			return grow(node, l.right[from])
		}
		s, err := m.split(planes[from])
		if err != nil {
			return err
		}
		left, right := t.Grow(node, s, 0, 0)
		if err := grow(left, l.left[from]); err != nil {
			return err
		}
		return grow(right, l.right[from])
	}
	return t, grow(0, 0)
}

// planes returns the decisions of a tree with exactly this structure.
func (l *gtoLayout) planes(m *marginRows, t *tree.Tree) ([]marginPlane, error) {
	planes := make([]marginPlane, l.decisions)
	var read func(node, from int) error
	read = func(node, from int) error {
		n := &t.Nodes[node]
		if from < 0 || n.Leaf() {
			if from >= 0 || !n.Leaf() || n.Class != l.class[^from] {
				return fmt.Errorf("vertex: node %d of the start does not match the structure", node)
			}
			return nil
		}
		h, err := m.plane(n.Split)
		if err != nil {
			return err
		}
		planes[from] = h
		if err := read(n.Left, l.left[from]); err != nil {
			return err
		}
		return read(n.Right, l.right[from])
	}
	return planes, read(0, 0)
}

// keptSlack is the decision error up to which the count error considers a margin satisfied, as in
// gto.Formulation.
const keptSlack = 1e-7

// gtoError is an error of global tree optimization (Bennett & Blue 1996, section 3.2, with p = 1)
// as a function of the activities of one decision, given those of all others. With l = (a + 1)_+
// and g = (1 - a)_+ of that decision, the error of a row is
//
//	product  c_0 prod_j (c_j + l) prod_j (c_j + g)     over the leaves to its left and right
//	minimum  min(c_0, c_l + l, c_g + g)                c_l, c_g the minimum over these leaves
//	count    1 if min(c_0, max(c_l, l), max(c_g, g)) > 0
//
// where the c, the errors of the other decisions on the paths to the leaves, are stored per
// decision and row. The error at a neighbouring vertex, which differs in one decision, costs O(n)
// to O(n x leaves of a class).
type gtoError struct {
	m         *marginRows
	layout    *gtoLayout
	objective gto.Objective
	slots     [][]float64  // (2D, n) decision errors
	part      [][]gtoPart  // (D, classes that the decision affects)
	rest      []float64    // (D) error of the rows of other classes
	others    [][]gtoClass // (D) these classes
}

// gtoClass is the rows of a class.
type gtoClass struct{ class, from, to int }

// gtoPart is the rows of a class that a decision affects.
type gtoPart struct {
	gtoClass
	left, right, neither []int // leaves of the class
	stride               int
	coef                 []float64 // (rows, stride)
}

func newGTOError(m *marginRows, l *gtoLayout, objective gto.Objective) *gtoError {
	e := &gtoError{
		m: m, layout: l, objective: objective, slots: make([][]float64, 2*l.decisions),
		part: make([][]gtoPart, l.decisions), rest: make([]float64, l.decisions), others: make([][]gtoClass, l.decisions),
	}
	for s := range e.slots {
		e.slots[s] = make([]float64, m.n)
	}
	for d := range l.decisions {
		for c, leaves := range l.leaves {
			rows := gtoClass{c, m.first[c], m.first[c+1]}
			if rows.from == rows.to {
				continue
			}
			p := gtoPart{gtoClass: rows}
			for _, k := range leaves {
				switch on := l.side(k, d); on {
				case 0:
					p.left = append(p.left, k)
				case 1:
					p.right = append(p.right, k)
				default:
					p.neither = append(p.neither, k)
				}
			}
			if len(p.left)+len(p.right) == 0 {
				e.others[d] = append(e.others[d], rows)
				continue
			}
			p.stride = 3
			if objective == gto.ProductError {
				p.stride = 1 + len(p.left) + len(p.right)
			}
			p.coef = make([]float64, p.stride*(rows.to-rows.from))
			e.part[d] = append(e.part[d], p)
		}
	}
	return e
}

// side returns the side of decision d on which leaf k is, -1 for neither.
func (l *gtoLayout) side(k, d int) int {
	for _, s := range l.path[k] {
		if s/2 == d {
			return s & 1
		}
	}
	return -1
}

// set sets the activities of decision d; the caller must call update.
func (e *gtoError) set(d int, act []float64) {
	left, right := e.slots[2*d], e.slots[2*d+1]
	for i, a := range act {
		left[i], right[i] = max(a+1, 0), max(1-a, 0)
	}
}

// update computes what the other decisions need after set for decision d; d < 0 stands for all.
func (e *gtoError) update(d int) {
	for other := range e.part {
		if other == d {
			continue
		}
		for k := range e.part[other] {
			e.fill(other, &e.part[other][k])
		}
		e.rest[other] = 0
		for _, c := range e.others[other] {
			for i := c.from; i < c.to; i++ {
				e.rest[other] += e.m.ds.Weight[i] * e.pointError(c.class, i)
			}
		}
	}
}

func (e *gtoError) fill(d int, p *gtoPart) {
	for i := p.from; i < p.to; i++ {
		c := p.coef[(i-p.from)*p.stride : (i-p.from+1)*p.stride]
		switch e.objective {
		case gto.ProductError:
			product := e.m.ds.Weight[i]
			for _, k := range p.neither {
				product *= e.leafError(k, i, -1)
			}
			c[0] = product
			for j, k := range p.left {
				c[1+j] = e.leafError(k, i, d)
			}
			for j, k := range p.right {
				c[1+len(p.left)+j] = e.leafError(k, i, d)
			}
		default:
			for j, leaves := range [3][]int{p.neither, p.left, p.right} {
				least := math.Inf(1)
				for _, k := range leaves {
					least = min(least, e.leafError(k, i, d))
				}
				c[j] = least
			}
		}
	}
}

// leafError returns the error of row i at leaf k without decision except: the sum along the path;
// for the count error the maximum.
func (e *gtoError) leafError(k, i, except int) float64 {
	s := 0.0
	for _, slot := range e.layout.path[k] {
		if slot/2 == except {
			continue
		}
		if v := e.slots[slot][i]; e.objective != gto.CountError {
			s += v
		} else if v > s {
			s = v
		}
	}
	return s
}

// pointError returns the error of row i of a class, without its weight.
func (e *gtoError) pointError(class, i int) float64 {
	product, least := 1.0, math.Inf(1)
	for _, k := range e.layout.leaves[class] {
		v := e.leafError(k, i, -1)
		product *= v
		least = min(least, v)
	}
	switch {
	case e.objective == gto.ProductError:
		return product
	case e.objective == gto.CountError && least > keptSlack:
		return 1
	case e.objective == gto.CountError:
		return 0
	}
	return least
}

// value returns the error at the current activities.
func (e *gtoError) value() float64 {
	s := 0.0
	for c := range e.layout.leaves {
		for i := e.m.first[c]; i < e.m.first[c+1]; i++ {
			s += e.m.ds.Weight[i] * e.pointError(c, i)
		}
	}
	return s
}

// of returns the error of planes, one per decision.
func (e *gtoError) of(planes []marginPlane) float64 {
	act := make([]float64, e.m.n)
	for d, h := range planes {
		for i := range act {
			act[i] = h.activity(e.m.row(i))
		}
		e.set(d, act)
	}
	return e.value()
}

// along returns the error with the activities act + t rate of decision d. It may stop at enough and
// return a larger value.
func (e *gtoError) along(d int, act, rate []float64, t, enough float64) float64 {
	s := e.rest[d]
	for k := range e.part[d] {
		p := &e.part[d][k]
		a, r := act[p.from:p.to], rate[p.from:p.to]
		switch {
		case e.objective == gto.MinimumError:
			s += p.minimum(a, r, t, e.m.ds.Weight[p.from:p.to])
		case e.objective == gto.CountError:
			s += p.count(a, r, t, e.m.ds.Weight[p.from:p.to])
		case len(p.left) == 1 && len(p.right) == 1:
			s += p.product11(a, r, t)
		case len(p.left) == 1 && len(p.right) == 0:
			s += p.product1(a, r, t, 1)
		case len(p.left) == 0 && len(p.right) == 1:
			s += p.product1(a, r, t, -1)
		default:
			s += p.product(a, r, t)
		}
		if s > enough {
			return s
		}
	}
	return s
}

func (p *gtoPart) product11(act, rate []float64, t float64) float64 {
	s, c := 0.0, p.coef
	rate = rate[:len(act)]
	for i, a := range act {
		a += t * rate[i]
		l, g := a+1, 1-a
		if l < 0 {
			l = 0
		}
		if g < 0 {
			g = 0
		}
		k := c[3*i : 3*i+3 : 3*i+3]
		s += k[0] * (k[1] + l) * (k[2] + g)
	}
	return s
}

func (p *gtoPart) product1(act, rate []float64, t, sign float64) float64 {
	s, c := 0.0, p.coef
	rate = rate[:len(act)]
	for i, a := range act {
		v := 1 + sign*(a+t*rate[i])
		if v < 0 {
			v = 0
		}
		k := c[2*i : 2*i+2 : 2*i+2]
		s += k[0] * (k[1] + v)
	}
	return s
}

func (p *gtoPart) product(act, rate []float64, t float64) float64 {
	s, nl := 0.0, len(p.left)
	for i, a := range act {
		a += t * rate[i]
		l, g := max(a+1, 0), max(1-a, 0)
		c := p.coef[i*p.stride : (i+1)*p.stride]
		v := c[0]
		for _, k := range c[1 : 1+nl] {
			v *= k + l
		}
		for _, k := range c[1+nl:] {
			v *= k + g
		}
		s += v
	}
	return s
}

func (p *gtoPart) minimum(act, rate []float64, t float64, weight []float64) float64 {
	s, c := 0.0, p.coef
	rate, weight = rate[:len(act)], weight[:len(act)]
	for i, a := range act {
		a += t * rate[i]
		l, g := a+1, 1-a
		if l < 0 {
			l = 0
		}
		if g < 0 {
			g = 0
		}
		k := c[3*i : 3*i+3 : 3*i+3]
		v := k[0]
		if l += k[1]; l < v {
			v = l
		}
		if g += k[2]; g < v {
			v = g
		}
		s += weight[i] * v
	}
	return s
}

func (p *gtoPart) count(act, rate []float64, t float64, weight []float64) float64 {
	s := 0.0
	for i, a := range act {
		a += t * rate[i]
		c := p.coef[3*i : 3*i+3 : 3*i+3]
		if c[0] > keptSlack && max(c[1], a+1) > keptSlack && max(c[2], 1-a) > keptSlack {
			s += weight[i]
		}
	}
	return s
}

// wrong returns the weight of the rows that the tree of the decisions, with activities acts (D, n),
// sends to a leaf of another class.
func (e *gtoError) wrong(acts [][]float64) float64 {
	s := 0.0
	for c := range e.layout.leaves {
		for i := e.m.first[c]; i < e.m.first[c+1]; i++ {
			at := 0
			for at >= 0 {
				if acts[at][i] < 0 {
					at = e.layout.left[at]
				} else {
					at = e.layout.right[at]
				}
			}
			if e.layout.class[^at] != c {
				s += e.m.ds.Weight[i]
			}
		}
	}
	return s
}
