package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// TestStable: features counted by hand.
func TestStable(t *testing.T) {
	ds := &dataset.Dataset{Features: []string{"a", "b", "c"}, Classes: []string{"x", "y"}}
	grown := func(root *tree.Split, left *tree.Split) *tree.Tree {
		tr := tree.NewLeaf(ds, 0)
		at, _ := tr.Grow(0, root, 0, 1)
		if left != nil {
			tr.Grow(at, left, 0, 1)
		}
		return tr
	}
	trees := []*tree.Tree{
		grown(tree.Univariate(1, 3), tree.Univariate(0, 1)),
		grown(tree.Univariate(0, 0.5), tree.Univariate(0, 2.5)),
		grown(&tree.Split{Terms: []tree.Term{{Feature: 0, Weight: 1}, {Feature: 2, Weight: -1}}}, nil),
	}
	s := &Summary{}
	st, ok := s.stable("M", trees)
	if !ok || st.Says != "a at the root in 2 of 3 trees; 1 of 3 features are in every tree" {
		t.Errorf("%q", st.Says)
	}
	var rows [][]string
	for _, r := range st.Table.Rows {
		rows = append(rows, []string{r.Head, r.Cells[0].Text, r.Cells[1].Text, r.Cells[2].Text})
	}
	want := [][]string{{"a", "3 of 3", "2", "0.5 to 2.5"}, {"b", "1 of 3", "1", "3"}, {"c", "1 of 3", "1", dash}}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Error(diff)
	}
	leaf := tree.NewLeaf(ds, 0)
	for _, few := range [][]*tree.Tree{nil, trees[:1], {leaf, leaf}} {
		if st, ok := s.stable("M", few); ok {
			t.Errorf("of %d trees: %+v", len(few), st)
		}
	}
	wide := &dataset.Dataset{Features: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}, Classes: []string{"x", "y"}}
	plane := &tree.Split{}
	for j := range wide.Features {
		plane.Terms = append(plane.Terms, tree.Term{Feature: j, Weight: 1})
	}
	many := tree.NewLeaf(wide, 0)
	many.Grow(0, plane, 0, 1)
	if st, _ := s.stable("M", []*tree.Tree{many, many}); len(st.Table.Rows) != mostFeatures || st.Says != "1 at the root in 2 of 2 trees; 10 of 10 features are in every tree; 2 rarer ones are not listed" {
		t.Errorf("%d rows, %q", len(st.Table.Rows), st.Says)
	}
}
