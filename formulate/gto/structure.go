package gto

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/tree"
)

// Structure is a binary tree without its decisions: what GTO keeps fixed. A node
// without children is a leaf of class Class; a decision has both children.
type Structure struct {
	Left, Right *Structure
	Class       int
}

// FullStructure returns the structure with all leaves at the given depth, with
// the given classes from left to right, repeated as often as needed. Depth 2
// with classes 0, 1 is Figure 2 of Bennett & Blue (1996).
func FullStructure(depth int, classes ...int) *Structure {
	if len(classes) == 0 {
		panic("formulate: FullStructure without classes")
	}
	next := 0
	var grow func(depth int) *Structure
	grow = func(depth int) *Structure {
		if depth == 0 {
			next++
			return &Structure{Class: classes[(next-1)%len(classes)]}
		}
		s := &Structure{Left: grow(depth - 1)}
		s.Right = grow(depth - 1)
		return s
	}
	return grow(depth)
}

// StructureOf returns the structure of t, which is valid.
func StructureOf(t *tree.Tree) *Structure {
	var of func(i int) *Structure
	of = func(i int) *Structure {
		if n := &t.Nodes[i]; !n.Leaf() {
			return &Structure{Left: of(n.Left), Right: of(n.Right)}
		}
		return &Structure{Class: t.Nodes[i].Class}
	}
	return of(0)
}

// Leaf reports whether s is a leaf.
func (s *Structure) Leaf() bool { return s.Left == nil && s.Right == nil }

// Leaves returns the number of leaves.
func (s *Structure) Leaves() int {
	if s.Leaf() {
		return 1
	}
	return s.Left.Leaves() + s.Right.Leaves()
}

// Depth returns the number of decisions on the longest path.
func (s *Structure) Depth() int {
	if s.Leaf() {
		return 0
	}
	return 1 + max(s.Left.Depth(), s.Right.Depth())
}

// validate checks the shape down to MaxDepth and the classes 0..k-1.
func (s *Structure) validate(k, depth int) error {
	switch {
	case depth > formulate.MaxDepth:
		return fmt.Errorf("formulate: the structure is deeper than %d", formulate.MaxDepth)
	case s.Leaf() && (s.Class < 0 || s.Class >= k):
		return fmt.Errorf("formulate: a leaf of the structure has class %d; classes are 0 to %d", s.Class, k-1)
	case s.Leaf():
		return nil
	case s.Left == nil || s.Right == nil:
		return fmt.Errorf("formulate: a decision of the structure has one child; it needs two")
	}
	if err := s.Left.validate(k, depth+1); err != nil {
		return err
	}
	return s.Right.validate(k, depth+1)
}

// Text writes s as ParseStructure reads it, such as ((a,b),(a,b)).
func (s *Structure) Text(classes []string) string {
	if !s.Leaf() {
		return "(" + s.Left.Text(classes) + "," + s.Right.Text(classes) + ")"
	}
	name := classes[s.Class]
	if name == "" || strings.ContainsAny(name, "(),\" \t\r\n") {
		return strconv.Quote(name)
	}
	return name
}
