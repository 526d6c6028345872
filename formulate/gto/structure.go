package gto

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/tree"
)

// Structure is a binary tree without its decisions: the fixed part of GTO. A node without children
// is a leaf of class Class; a decision has both children.
type Structure struct {
	Left, Right *Structure
	Class       int
}

// FullStructure returns the structure with all leaves at the given depth and the given classes from
// left to right, repeated as often as needed. Depth 2 with classes 0, 1 is Figure 2 of Bennett &
// Blue (1996).
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
		return fmt.Errorf("formulate: a leaf of the structure has class %d; the classes are 0 to %d", s.Class, k-1)
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

// Text formats s for ParseStructure, such as ((a,b),(a,b)).
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

// ParseStructure parses a structure such as ((a,b),(a,b)): a leaf is the name of its class, in
// double quotes as in Go if it contains blanks, commas, quotes or parentheses; a decision is
// (left,right).
func ParseStructure(text string, classes []string) (*Structure, error) {
	p := &structureParser{text: text, classes: classes}
	s, err := p.node(0)
	if err != nil {
		return nil, err
	}
	if p.blanks(); p.at < len(p.text) {
		return nil, p.fail("%q after the end of the structure", p.text[p.at:])
	}
	return s, nil
}

// ParseNewStructure is ParseStructure with the classes named in the text; it returns them in the
// order of their names.
func ParseNewStructure(text string) (*Structure, []string, error) {
	p := &structureParser{text: text, open: true}
	if _, err := p.node(0); err != nil {
		return nil, nil, err
	}
	slices.Sort(p.classes)
	s, err := ParseStructure(text, p.classes)
	return s, p.classes, err
}

type structureParser struct {
	text    string
	at      int
	classes []string
	open    bool // add unknown names to classes
}

func (p *structureParser) fail(format string, args ...any) error {
	return fmt.Errorf("formulate: structure %q, character %d: %s", p.text, p.at+1, fmt.Sprintf(format, args...))
}

func (p *structureParser) blanks() {
	p.at += len(p.text[p.at:]) - len(strings.TrimLeft(p.text[p.at:], " \t\r\n"))
}

func (p *structureParser) expect(c byte) error {
	if p.blanks(); p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return nil
	}
	return p.fail("expected %q", c)
}

func (p *structureParser) node(depth int) (*Structure, error) {
	if depth > formulate.MaxDepth {
		return nil, p.fail("deeper than %d", formulate.MaxDepth)
	}
	if p.blanks(); !strings.HasPrefix(p.text[p.at:], "(") {
		return p.leaf()
	}
	p.at++
	s := &Structure{}
	var err error
	if s.Left, err = p.node(depth + 1); err != nil {
		return nil, err
	}
	if err = p.expect(','); err != nil {
		return nil, err
	}
	if s.Right, err = p.node(depth + 1); err != nil {
		return nil, err
	}
	return s, p.expect(')')
}

func (p *structureParser) leaf() (*Structure, error) {
	rest := p.text[p.at:]
	var name string
	length := strings.IndexAny(rest, "(),")
	if length < 0 {
		length = len(rest)
	}
	if strings.HasPrefix(rest, `"`) {
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return nil, p.fail("the closing quote is missing")
		}
		name, _ = strconv.Unquote(quoted)
		length = len(quoted)
	} else {
		name = strings.TrimRight(rest[:length], " \t\r\n")
	}
	class := slices.Index(p.classes, name)
	switch {
	case p.open && (name == "?" || strings.TrimSpace(name) != name):
		return nil, p.fail("%q cannot be a class name in a file: it must not begin or end with a blank, and ? means a missing value", name)
	case class < 0 && p.open && name != "":
		class = len(p.classes)
		p.classes = append(p.classes, name)
	case class < 0 && p.open:
		return nil, p.fail("expected ( or the name of a class")
	case class < 0:
		return nil, p.fail("%q is not a class; expected ( or one of %q", name, p.classes)
	}
	p.at += length
	return &Structure{Class: class}, nil
}

// layout numbers the nodes of a structure like the paper: decisions 0..D-1 (d+1 in names), then
// leaves 0..D (D+1+k in names), each level by level from left to right. A slot is a side of a
// decision: 2d for left, 2d+1 for right.
type layout struct {
	decisions int
	left      []int // (D) child: a decision, or ^leaf
	right     []int
	leaves    []leaf // (D+1)
	classes   []class
}

type leaf struct {
	class int
	path  []int // slots from the root
}

// class is what the rows of one class need in the model.
type class struct {
	leaves []int // its leaves: theta_k of the paper
	slots  []side
}

// side is a side required by some leaf of the class.
type side struct {
	slot   int
	leaves []int // positions in class.leaves of the leaves on that side
	all    bool  // these are all leaves of the class
}

func newLayout(s *Structure, k int) *layout {
	l := &layout{classes: make([]class, k)}
	type place struct {
		s    *Structure
		path []int
	}
	queue := []place{{s, nil}}
	decisions, leaves := 0, 0 // numbered so far
	number := func(s *Structure) int {
		if s.Leaf() {
			leaves++
			return ^(leaves - 1)
		}
		decisions++
		return decisions - 1
	}
	number(s)
	for ; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if at.s.Leaf() {
			l.classes[at.s.Class].leaves = append(l.classes[at.s.Class].leaves, len(l.leaves))
			l.leaves = append(l.leaves, leaf{at.s.Class, at.path})
			continue
		}
		d := l.decisions
		l.decisions++
		l.left, l.right = append(l.left, number(at.s.Left)), append(l.right, number(at.s.Right))
		queue = append(queue,
			place{at.s.Left, append(slices.Clip(at.path), 2*d)},
			place{at.s.Right, append(slices.Clip(at.path), 2*d+1)})
	}
	for c := range l.classes {
		l.classes[c].collect(l)
	}
	return l
}

// collect lists the slots on the paths to the leaves of the class.
func (c *class) collect(l *layout) {
	beneath := map[int][]int{}
	for q, k := range c.leaves {
		for _, s := range l.leaves[k].path {
			beneath[s] = append(beneath[s], q)
		}
	}
	for s := range 2 * l.decisions {
		if q := beneath[s]; q != nil {
			c.slots = append(c.slots, side{s, q, len(q) == len(c.leaves)})
		}
	}
}

// slotOf returns the position of a slot in c.slots.
func (c *class) slotOf(slot int) int {
	at, _ := slices.BinarySearchFunc(c.slots, slot, func(s side, want int) int { return s.slot - want })
	return at
}

// choice reports whether rows of the class can be correct at more than one leaf.
func (c *class) choice() bool { return len(c.leaves) > 1 }

// products returns the number of products of leaf errors of a row of the class.
func (c *class) products() int { return max(len(c.leaves)-1, 0) }
