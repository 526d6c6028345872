package vertex

import (
	"fmt"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/gto"
	"github.com/octgen/octgen/tree"
)

// gtoLayout numbers a structure as gto.Formulation does: decisions 0..D-1 and leaves
// 0..D, each level by level from left to right. A slot is a side of a decision: 2d
// for left, 2d+1 for right.
type gtoLayout struct {
	decisions   int
	left, right []int       // (D) child: a decision, or ^leaf
	class       []int       // (D+1) of the leaves
	path        [][]int     // (D+1) slots from the root
	leaves      [][]int     // (K) leaves of each class
	sides       [][][2]bool // (D, K) whether a leaf of the class lies on that side
}

// What a search on a structure keeps at the most: pairs of a decision and a leaf, such as
// those of the full tree of depth 12, and numbers for a decision and a row.
const (
	mostPairs   = 1 << 24
	mostNumbers = 1 << 30
)

// sizeError reports a structure whose search takes more memory than that. It is a
// formulate.ErrNoStart: a program of the structure may be solved without such a start.
type sizeError struct{ decisions, rows, features int }

func (e *sizeError) Error() string {
	return fmt.Sprintf("vertex: the structure has %d decisions, for %d rows of %d features; at most %d pairs of a decision and a leaf (a full tree of depth 12) and %d numbers are kept: use a smaller depth",
		e.decisions, e.rows, e.features, mostPairs, mostNumbers)
}

func (e *sizeError) Is(target error) bool { return target == formulate.ErrNoStart }

// checkMemory refuses a structure by a sizeError.
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

// tree returns the tree of planes, one per decision, in the data's units; reduced,
// without the decisions of no weight. It is not annotated.
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

// planes returns the decisions of a tree that has exactly the structure.
func (l *gtoLayout) planes(m *marginRows, t *tree.Tree) ([]marginPlane, error) {
	planes := make([]marginPlane, l.decisions)
	var read func(node, from int) error
	read = func(node, from int) error {
		n := &t.Nodes[node]
		if from < 0 || n.Leaf() {
			if from >= 0 || !n.Leaf() || n.Class != l.class[^from] {
				return fmt.Errorf("vertex: node %d of the start is not what the structure has there", node)
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
