package tree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/octgen/octgen/dataset"
	"pgregory.net/rapid"
)

func TestMidpoint(t *testing.T) {
	huge := math.MaxFloat64
	for _, c := range []struct{ v, next, want float64 }{
		{1, 2, 1.5},
		{-3, 3, 0},
		{1, math.Nextafter(1, 2), math.Nextafter(1, 2)}, // the midpoint rounds to 1
		{0, 5e-324, 5e-324},
		{-huge, huge, 0},
		{huge / 2, huge, huge * 0.75},
		{-huge, -huge / 2, -huge * 0.75},
	} {
		if got := Midpoint(c.v, c.next); got != c.want {
			t.Errorf("Midpoint(%v, %v) = %v, want %v", c.v, c.next, got, c.want)
		}
	}
	checkMany(t, func(t *rapid.T) {
		v := rapid.Float64Range(-huge, huge).Draw(t, "v")
		next := rapid.Float64Range(-huge, huge).Draw(t, "next")
		if rapid.Bool().Draw(t, "adjacent") {
			next = math.Nextafter(v, math.Inf(1))
		}
		if v > next {
			v, next = next, v
		}
		if v == next || math.IsInf(next, 0) {
			return
		}
		if m := Midpoint(v, next); !(v < m && m <= next) {
			t.Fatalf("Midpoint(%v, %v) = %v", v, next, m)
		}
	})
}

func TestEnoughWeight(t *testing.T) {
	tenth := 0.0
	for range 10 {
		tenth += 0.1 // 0.9999999999999999
	}
	if !EnoughWeight(tenth, 1) || EnoughWeight(0.999, 1) || !EnoughWeight(0.1, 0) {
		t.Error("EnoughWeight forgives the wrong shortfalls")
	}
}

// Leaves of regression trees have one class, the name of the target: their numbers tell them apart.
func TestSimplifyNumbers(t *testing.T) {
	of := func(y ...float64) *Tree {
		ds, err := dataset.NewNumbers([]float64{1, 2, 3, 4}, y, []string{"x"}, "y")
		if err != nil {
			t.Fatal(err)
		}
		tr := NewLeaf(ds, 0)
		left, right := tr.Grow(0, Univariate(0, 2.5), 0, 0)
		tr.Grow(left, Univariate(0, 1.5), 0, 0)
		tr.Grow(right, Univariate(0, 3.5), 0, 0)
		tr.Annotate(ds)
		return tr
	}
	tr := of(5, 5, 7, 8)
	merged := tr.MergeLeaves(0)
	if merged.Splits() != 2 {
		t.Errorf("%d splits of\n%v, want 2", merged.Splits(), merged)
	}
	for x := 1.0; x <= 4; x++ {
		if was, is := tr.Value([]float64{x}), merged.Value([]float64{x}); was != is {
			t.Errorf("x = %v: %v before, %v merged", x, was, is)
		}
	}
	if tr.Equal(of(5, 5, 7, 9)) || !tr.Equal(of(5, 5, 7, 8)) {
		t.Error("Equal does not compare numbers")
	}
}

func TestSimplify(t *testing.T) {
	checkMany(t, func(t *rapid.T) {
		ds := randomData(t, 12, 3, 3)
		tr := randomTree(t, ds, 8)
		collapsed, merged, simple := tr.Collapse(ds), tr.MergeLeaves(0), tr.Simplify(ds)
		deep := tr.MergeLeaves(2)
		for _, u := range []*Tree{collapsed, merged, simple, deep} {
			if err := u.Validate(); err != nil {
				t.Fatal(err)
			}
			for i := range ds.N() {
				if u.Predict(ds.Row(i)) != tr.Predict(ds.Row(i)) {
					t.Fatalf("row %d is predicted differently by\n%v\nfrom\n%v", i, u, tr)
				}
			}
		}
		for i := range simple.Nodes {
			if n := &simple.Nodes[i]; sum(n.Weight) <= 0 {
				t.Fatalf("no row reaches node %d of\n%v", i, simple)
			} else if !n.Leaf() && siblings(simple, n) {
				t.Fatalf("equal siblings under %d of\n%v", i, simple)
			}
		}
		if tr.Nodes[0].Leaf() != deep.Nodes[0].Leaf() {
			t.Fatal("MergeLeaves(2) merged at depth 0")
		}
		if got := simple.Simplify(ds); !got.Equal(simple) {
			t.Fatalf("Simplify is not idempotent:\n%v\n%v", simple, got)
		}
	})
}

func siblings(t *Tree, n *Node) bool {
	l, r := &t.Nodes[n.Left], &t.Nodes[n.Right]
	return l.Leaf() && r.Leaf() && l.Class == r.Class
}

func TestCollapseKeepsTheOtherSide(t *testing.T) {
	ds := &dataset.Dataset{
		X: []float64{1, 2, 3}, Y: []int{0, 1, 0}, Weight: []float64{1, 1, 1}, Count: []float64{1, 1, 1},
		Features: names("x", 1), Classes: names("c", 2),
	}
	tr := NewLeaf(ds, 0)
	l, _ := tr.Grow(0, Univariate(0, 9), 0, 1) // vacuous
	l, _ = tr.Grow(l, Univariate(0, 0), 0, 1)  // vacuous; then right
	r := tr.Nodes[tr.Nodes[0].Left].Right
	_ = l
	tr.Grow(r, Univariate(0, 1.5), 0, 1)
	want := NewLeaf(ds, 0)
	want.Grow(0, Univariate(0, 1.5), 0, 1)
	if got := tr.Collapse(ds); !got.Equal(want) {
		t.Errorf("got\n%v\nwant\n%v", got, want)
	}
}

func TestPruneAndSubtree(t *testing.T) {
	tr := flowers()
	if got := tr.Prune(func(i int) bool { return i == 2 }); got.Splits() != 1 || got.Nodes[2].Class != 1 {
		t.Errorf("Prune:\n%v", got)
	}
	if got := tr.Subtree(2); got.Splits() != 1 || len(got.Nodes) != 3 || len(got.Nodes[0].Split.Terms) != 3 {
		t.Errorf("Subtree:\n%v", got)
	}
}

func TestRemap(t *testing.T) {
	checkMany(t, func(t *rapid.T) {
		ds := randomData(t, 10, 4, 2)
		features := rapid.Permutation([]int{0, 1, 2, 3}[:ds.P()]).Draw(t, "features")
		part := ds.WithFeatures(features[:1+rapid.IntRange(0, ds.P()-1).Draw(t, "more")])
		tr := randomTree(t, part, 5)
		whole := tr.Remap(ds, features)
		if err := whole.Validate(); err != nil {
			t.Fatal(err)
		}
		for i := range ds.N() {
			if whole.Predict(ds.Row(i)) != tr.Predict(part.Row(i)) {
				t.Fatalf("row %d is predicted differently by\n%v\nand\n%v", i, whole, tr)
			}
		}
	})
}

func TestCloneAndEqual(t *testing.T) {
	a := flowers()
	b := a.Clone()
	if d := cmp.Diff(a, b); d != "" || !a.Equal(b) {
		t.Fatalf("Clone: %s", d)
	}
	b.Nodes[1].Weight[0] = 77
	if a.Nodes[1].Weight[0] == 77 {
		t.Error("Clone shares annotations")
	}
	b.Nodes[1].Class = 2
	if a.Equal(b) {
		t.Error("trees of different leaf classes are equal")
	}
	b = a.Clone()
	b.Nodes[0].Split = Univariate(0, 3.2)
	if a.Equal(b) {
		t.Error("trees of different thresholds are equal")
	}
	b = a.Clone() // another order of nodes
	b.Nodes[0].Left, b.Nodes[0].Right = 2, 1
	b.Nodes[1], b.Nodes[2] = b.Nodes[2], b.Nodes[1]
	if !a.Equal(b) || b.Validate() != nil {
		t.Error("the order of the nodes matters to Equal")
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		name string
		harm func(*Tree)
		want string
	}{
		{"no nodes", func(t *Tree) { t.Nodes = nil }, "tree: nodes: empty"},
		{"no classes", func(t *Tree) { t.Classes, t.Encoder = nil, nil }, "tree: classes: empty"},
		{"same names", func(t *Tree) { t.Encoder = nil; t.Features = []string{"a", "b", "a"} }, `tree: features[2]: "a" is also number 0`},
		{"not UTF-8", func(t *Tree) { t.Features = []string{"a", "\xe9", "b"} }, `tree: features[1]: "\xe9" is not UTF-8`},
		{"class", func(t *Tree) { t.Nodes[1].Class = 3 }, "tree: node 1: class: 3 is out of range; classes are 0 to 2"},
		{"negative class", func(t *Tree) { t.Nodes[1].Class = -1 }, "tree: node 1: class: -1"},
		{"short weight", func(t *Tree) { t.Nodes[1].Weight = []float64{1} }, "tree: node 1: weight: 1 numbers; there are 3 classes"},
		{"NaN count", func(t *Tree) { t.Nodes[1].Count[2] = math.NaN() }, "tree: node 1: count[2]: NaN"},
		{"leaf with child", func(t *Tree) { t.Nodes[1].Left = 2 }, "tree: node 1: left: a node without a split"},
		{"child out of range", func(t *Tree) { t.Nodes[0].Right = 9 }, "tree: node 0: right: 9 is not a node"},
		{"cycle", func(t *Tree) { t.Nodes[2].Left = 2 }, "tree: node 2: left: 2 does not come after its parent"},
		{"shared child", func(t *Tree) { t.Nodes[2].Left = 4 }, "tree: node 2: right: 4 is already a child of node 2"},
		{"orphan", func(t *Tree) { t.Nodes = append(t.Nodes, Node{}) }, "tree: node 5: no node has it as a child"},
		{"feature", func(t *Tree) { t.Nodes[0].Split = Univariate(3, 1) }, "tree: node 0: split.terms[0].feature: 3 is out of range"},
		{"threshold", func(t *Tree) { t.Nodes[0].Split = Univariate(0, math.Inf(1)) }, "tree: node 0: split.threshold: +Inf"},
		{"no terms", func(t *Tree) { t.Nodes[0].Split = &Split{} }, "tree: node 0: split.terms: empty"},
		{"zero weight", func(t *Tree) { t.Nodes[0].Split = &Split{Terms: []Term{{0, 0}}} }, "tree: node 0: split.terms[0].weight: 0;"},
		{"order of terms", func(t *Tree) { t.Nodes[0].Split = &Split{Terms: []Term{{1, 1}, {0, 1}}} }, "tree: node 0: split.terms[1].feature: 0 does not ascend"},
		{"encoder", func(t *Tree) { t.Encoder = &dataset.Encoder{} }, "tree: encoder: no classes"},
		{"classes of the encoder", func(t *Tree) { t.Encoder.Classes = names("c", 2) }, "tree: encoder.classes: "},
		{"features of the encoder", func(t *Tree) { t.Encoder.Columns = t.Encoder.Columns[:2] }, "tree: encoder.columns: they make the features"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := flowers()
			if err := tr.Validate(); err != nil {
				t.Fatal(err)
			}
			c.harm(tr)
			err := tr.Validate()
			var shape *ShapeError
			if err == nil || !strings.HasPrefix(err.Error(), c.want) || !errors.As(err, &shape) {
				t.Errorf("got %v, want %s...", err, c.want)
			}
		})
	}
}

// chain is a tree of so many levels, each with a leaf: at the right, at the left, or in turn.
func chain(levels int, side string) *Tree {
	t := &Tree{Features: []string{"x", "y"}, Classes: []string{"a", "b"}}
	for i := range levels {
		leaf, next := 2*i+1, 2*i+2
		n := Node{Split: Univariate(i%2, float64(i)), Left: leaf, Right: next}
		if side == "right" || side == "turns" && i%3 == 0 {
			n.Left, n.Right = next, leaf
		}
		t.Nodes = append(t.Nodes, n, Node{Class: i % 2, Count: []float64{1, 2}})
	}
	t.Nodes = append(t.Nodes, Node{Class: 1})
	return t
}

// TestLongChains: what is written of a chain, and the work for it, grow with the number of
// its nodes, not with its square.
func TestLongChains(t *testing.T) {
	const most = 1000 // bytes for each node
	for side, levels := range map[string]int{"left": 60000, "right": 3000, "turns": 3000} {
		tr := chain(levels, side)
		for form, write := range map[string]func(io.Writer, Format) error{"text": tr.WriteText, "dot": tr.WriteDOT, "svg": tr.WriteSVG} {
			var out bytes.Buffer
			if err := write(&out, Format{}); err != nil {
				t.Errorf("%s, leaves %s: %v", form, side, err)
			}
			if out.Len() > most*len(tr.Nodes) {
				t.Errorf("%s, leaves %s: %d bytes for %d nodes", form, side, out.Len(), len(tr.Nodes))
			}
		}
		var file bytes.Buffer
		if err := tr.WriteJSON(&file); err != nil {
			t.Fatal(err)
		}
		if again, err := ReadJSON(&file); err != nil || again.Depth() != levels {
			t.Errorf("leaves %s: %v", side, err)
		}
	}
}

// TestDeepText: lines below the last indentation say their level.
func TestDeepText(t *testing.T) {
	lines := strings.Split(chain(deepestIndent+2, "left").String(), "\n")
	margin := strings.Repeat("|   ", deepestIndent)
	want := []string{
		margin + "|--- x < 40",
		margin + fmt.Sprintf("|--- (level %d) class: a (n=3, counts=[1, 2])", deepestIndent+1),
		margin + "|--- x >= 40",
		margin + fmt.Sprintf("|--- (level %d) y < 41", deepestIndent+1),
		margin + fmt.Sprintf("|--- (level %d) class: b (n=3, counts=[1, 2])", deepestIndent+2),
	}
	for i, line := range want {
		if got := lines[3*deepestIndent+i]; got != line {
			t.Errorf("line %d: %q, want %q", i, got, line)
		}
	}
}
