package tree

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// ShapeError is a violation of the contract of Tree.
type ShapeError struct {
	Node  int    // index, -1 where no node is to blame
	Field string // such as "left" or "split.terms[1].weight", as in tree.json
	Msg   string // what is wrong and what would be right
}

func (e *ShapeError) Error() string {
	if e.Node < 0 {
		return fmt.Sprintf("tree: %s: %s", e.Field, e.Msg)
	}
	if e.Field == "" {
		return fmt.Sprintf("tree: node %d: %s", e.Node, e.Msg)
	}
	return fmt.Sprintf("tree: node %d: %s: %s", e.Node, e.Field, e.Msg)
}

// Validate checks everything the types of this package promise: the shape of
// the tree, indices, classes, finite numbers, and names. The error is a
// *ShapeError that names the first offender.
func (t *Tree) Validate() error {
	if e := t.validate(); e != nil {
		return e // not e directly: a nil *ShapeError is not a nil error
	}
	return nil
}

func (t *Tree) validate() *ShapeError {
	if e := validateNames("features", t.Features); e != nil {
		return e
	}
	if e := validateNames("classes", t.Classes); e != nil {
		return e
	}
	switch {
	case len(t.Classes) == 0:
		return &ShapeError{-1, "classes", "empty; a tree has at least one class"}
	case len(t.Nodes) == 0:
		return &ShapeError{-1, "nodes", "empty; a tree has at least one node"}
	}
	if e := t.validateEncoder(); e != nil {
		return e
	}
	parent := make([]int, len(t.Nodes))
	for i := range parent {
		parent[i] = -1
	}
	for i := range t.Nodes {
		if e := t.validateNode(i, parent); e != nil {
			return e
		}
	}
	for i := 1; i < len(parent); i++ {
		if parent[i] < 0 {
			return &ShapeError{i, "", "no node has it as a child; only node 0, the root, has no parent"}
		}
	}
	return nil
}

func (t *Tree) validateNode(i int, parent []int) *ShapeError {
	n := &t.Nodes[i]
	fail := func(field, format string, args ...any) *ShapeError {
		return &ShapeError{i, field, fmt.Sprintf(format, args...)}
	}
	if n.Class < 0 || n.Class >= len(t.Classes) {
		return fail("class", "%d is out of range; classes are 0 to %d", n.Class, len(t.Classes)-1)
	}
	for _, a := range []struct {
		name string
		v    []float64
	}{{"weight", n.Weight}, {"count", n.Count}} {
		if a.v != nil && len(a.v) != len(t.Classes) {
			return fail(a.name, "%d numbers; there are %d classes", len(a.v), len(t.Classes))
		}
		for k, v := range a.v {
			if !finite(v) || v < 0 {
				return fail(fmt.Sprintf("%s[%d]", a.name, k), "%v; a finite number of at least 0 is needed", v)
			}
		}
	}
	if n.Reward != nil && len(n.Reward) != len(t.Classes) {
		return fail("reward", "%d numbers; there are %d actions", len(n.Reward), len(t.Classes))
	}
	for k, v := range n.Reward {
		if !finite(v) {
			return fail(fmt.Sprintf("reward[%d]", k), "%v; a finite number is needed", v)
		}
	}
	if n.Split == nil {
		if n.Left != 0 || n.Right != 0 {
			return fail("left", "a node without a split has no children")
		}
		return nil
	}
	if e := t.validateSplit(i); e != nil {
		return e
	}
	for _, c := range []struct {
		name string
		at   int
	}{{"left", n.Left}, {"right", n.Right}} {
		switch {
		case c.at < 0 || c.at >= len(t.Nodes):
			return fail(c.name, "%d is not a node; nodes are 0 to %d", c.at, len(t.Nodes)-1)
		case c.at <= i:
			return fail(c.name, "%d does not come after its parent %d", c.at, i)
		case parent[c.at] >= 0:
			return fail(c.name, "%d is already a child of node %d", c.at, parent[c.at])
		}
		parent[c.at] = i
	}
	return nil
}

func (t *Tree) validateSplit(i int) *ShapeError {
	s := t.Nodes[i].Split
	if !finite(s.Threshold) {
		return &ShapeError{i, "split.threshold", fmt.Sprintf("%v is not finite", s.Threshold)}
	}
	if len(s.Terms) == 0 {
		return &ShapeError{i, "split.terms", "empty; a split has at least one term"}
	}
	last := -1
	for k, term := range s.Terms {
		fail := func(field, format string, args ...any) *ShapeError {
			return &ShapeError{i, fmt.Sprintf("split.terms[%d].%s", k, field), fmt.Sprintf(format, args...)}
		}
		switch {
		case term.Feature < 0 || term.Feature >= len(t.Features):
			return fail("feature", "%d is out of range; there are %d features", term.Feature, len(t.Features))
		case term.Feature <= last:
			return fail("feature", "%d does not ascend after %d", term.Feature, last)
		case !finite(term.Weight) || term.Weight == 0:
			return fail("weight", "%v; a finite number other than 0 is needed", term.Weight)
		}
		last = term.Feature
	}
	return nil
}

func (t *Tree) validateEncoder() *ShapeError {
	e := t.Encoder
	if e == nil {
		return nil
	}
	if err := e.Validate(); err != nil {
		return &ShapeError{-1, "encoder", strings.TrimPrefix(err.Error(), "encoder: ")}
	}
	if !slices.Equal(e.Classes, t.Classes) {
		return &ShapeError{-1, "encoder.classes", fmt.Sprintf("%q differ from the tree's classes %q", e.Classes, t.Classes)}
	}
	if f := e.Features(); !slices.Equal(f, t.Features) {
		return &ShapeError{-1, "encoder.columns", fmt.Sprintf("they make the features %q; the tree's are %q", f, t.Features)}
	}
	return nil
}

func validateNames(field string, names []string) *ShapeError {
	seen := make(map[string]int, len(names))
	for i, name := range names {
		if !utf8.ValidString(name) {
			return &ShapeError{-1, fmt.Sprintf("%s[%d]", field, i), fmt.Sprintf("%q is not UTF-8", name)}
		}
		if j, twice := seen[name]; twice {
			return &ShapeError{-1, fmt.Sprintf("%s[%d]", field, i), fmt.Sprintf("%q is also number %d; names differ from each other", name, j)}
		}
		seen[name] = i
	}
	return nil
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
