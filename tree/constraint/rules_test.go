package constraint_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// gaps are rows with missing values in age, class 1 only there.
const gaps = "age,dose,class\n,0,1\n,0,1\n1,0,0\n2,0,0\n3,1,2\n4,1,2\n,1,0\n"

// TestMonotoneMissing: the feature of missing values has no sign, so a split on it breaks no
// order; those on the values keep it. For max-features and forbid both are the column.
func TestMonotoneMissing(t *testing.T) {
	d, err := dataset.Read(strings.NewReader(gaps), "gaps.csv", dataset.LoadOptions{Missing: dataset.MissingCategory})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(d.Features, []string{"age", "age=?", "dose"}) {
		t.Fatalf("features %q", d.Features)
	}
	byMissing, byAge, both := tree.NewLeaf(d, 0), tree.NewLeaf(d, 0), tree.NewLeaf(d, 0)
	byMissing.Grow(0, tree.Univariate(1, 0.5), 2, 0)
	byAge.Grow(0, tree.Univariate(0, 2.5), 2, 0)
	_, missing := both.Grow(0, tree.Univariate(1, 0.5), 1, 0)
	both.Grow(missing, tree.Univariate(0, 2), 2, 0) // rows without a value keep the order there, too
	const note = "; splits on missing values have no order: age"
	for _, c := range []struct {
		o    constraint.Options
		tree *tree.Tree
		held bool
		note string
	}{
		{constraint.Options{Univariate: constraint.Univariate{Monotone: []string{"age=+1"}}}, byMissing, true, "no split breaks the order" + note},
		{constraint.Options{Univariate: constraint.Univariate{Monotone: []string{"age=-1"}}}, byMissing, true, "no split breaks the order" + note},
		{constraint.Options{Univariate: constraint.Univariate{Monotone: []string{"age=+1"}}}, byAge, false, "1 split breaks the order"},
		{constraint.Options{Univariate: constraint.Univariate{Monotone: []string{"age=-1"}}}, byAge, true, "no split breaks the order"},
		{constraint.Options{Univariate: constraint.Univariate{Monotone: []string{"age=+1"}}}, both, false, "1 split breaks the order" + note},
		{constraint.Options{Univariate: constraint.Univariate{Monotone: []string{"dose=+1"}}}, both, true, "no split breaks the order"},
		{constraint.Options{Structural: constraint.Structural{MaxFeatures: 1}}, both, true, ""},
		{constraint.Options{Structural: constraint.Structural{Forbid: []string{"age"}}}, byMissing, false, "age is used"},
	} {
		s, err := constraint.Parse(c.o)
		if err != nil {
			t.Fatal(err)
		}
		on, err := s.On(d)
		if err != nil {
			t.Fatal(err)
		}
		if v := on.Values(c.tree)[0]; v.Held != c.held || v.Note != c.note {
			t.Errorf("%s of %v: held %v, %q; want %v, %q", v.Text, c.tree, v.Held, v.Note, c.held, c.note)
		}
		if want := []int8{1, 0, 0}; c.o.Monotone != nil && c.o.Monotone[0] == "age=+1" && !slices.Equal(on.Monotone, want) {
			t.Errorf("signs %v, want %v", on.Monotone, want)
		}
	}
}

// TestMonotoneMissingOrdinal: in an ordinal column "?" is the last category, and ordered.
func TestMonotoneMissingOrdinal(t *testing.T) {
	d, err := dataset.Read(strings.NewReader("grade,class\na,0\nb,1\n,0\na,0\n,0\n"), "grades.csv",
		dataset.LoadOptions{Missing: dataset.MissingCategory, Categorical: dataset.Ordinal})
	if err != nil {
		t.Fatal(err)
	}
	s, err := constraint.Parse(constraint.Options{Univariate: constraint.Univariate{Monotone: []string{"grade=+1"}}})
	if err != nil {
		t.Fatal(err)
	}
	on, err := s.On(d)
	if err != nil {
		t.Fatal(err)
	}
	byMissing := tree.NewLeaf(d, 0)
	byMissing.Grow(0, tree.Univariate(0, 1.5), 1, 0)
	if v := on.Values(byMissing)[0]; v.Held || v.Note != "1 split breaks the order" {
		t.Errorf("held %v, %q", v.Held, v.Note)
	}
}
