package dataset

import (
	"fmt"
	"slices"
)

// Group is a column by whose levels the rows of a dataset are compared, such as a sex
// or a race. It is no feature: trees do not see it, unless it is one besides.
type Group struct {
	Name   string
	Levels []string // in the order of compareNames, different from each other
	Of     []int32  // (n) each row's level; -1 where it has none
}

// GroupColumn is a group as the encoder knows it: by its name in files and the levels of
// the training file. Rows of other levels are of no group.
type GroupColumn struct {
	Name   string   `json:"name"`
	Levels []string `json:"levels"`
}

// Group returns the group of that name, nil where the dataset has none.
func (d *Dataset) Group(name string) *Group {
	for i := range d.Groups {
		if d.Groups[i].Name == name {
			return &d.Groups[i]
		}
	}
	return nil
}

// withGroups numbers rows of equal label and of equal levels of all groups alike.
func (d *Dataset) withGroups(labels []int) []int {
	if len(d.Groups) == 0 {
		return labels
	}
	all := slices.Clone(labels)
	for g := range d.Groups {
		group := &d.Groups[g]
		for i, of := range group.Of {
			all[i] = all[i]*(len(group.Levels)+1) + int(of+1)
		}
	}
	return all
}

// subset is the group of the given rows.
func (g *Group) subset(rows []int) Group {
	s := Group{Name: g.Name, Levels: slices.Clone(g.Levels), Of: make([]int32, len(rows))}
	for to, i := range rows {
		s.Of[to] = g.Of[i]
	}
	return s
}

func (d *Dataset) validateGroups() error {
	names := make([]string, len(d.Groups))
	for i := range d.Groups {
		g := &d.Groups[i]
		names[i] = g.Name
		if len(g.Of) != d.N() {
			return fmt.Errorf("dataset: group %q has %d levels for %d rows", g.Name, len(g.Of), d.N())
		}
		if name, ok := firstRepeated(g.Levels); ok {
			return fmt.Errorf("dataset: group %q has the level %q twice", g.Name, name)
		}
		for row, l := range g.Of {
			if l < -1 || int(l) >= len(g.Levels) {
				return fmt.Errorf("dataset: row %d: level %d of group %q; want -1..%d", row, l, g.Name, len(g.Levels)-1)
			}
		}
	}
	if name, ok := firstRepeated(names); ok {
		return fmt.Errorf("dataset: two groups are named %q", name)
	}
	return nil
}

func (e *Encoder) validateGroups() error {
	names := e.answers()
	if e.Weight != "" {
		names = append(names, e.Weight)
	}
	for _, g := range e.Groups {
		names = append(names, g.Name)
		if name, ok := firstRepeated(g.Levels); ok {
			return fmt.Errorf("encoder: group %q has the level %q twice", g.Name, name)
		}
	}
	if slices.Contains(names, "") {
		return fmt.Errorf("encoder: a group has no name")
	}
	if name, ok := firstRepeated(names); ok {
		return fmt.Errorf("encoder: two groups are named %q, or a group is the target or the weight", name)
	}
	return nil
}
