package export_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/export"
)

// chainCase is a chain of more levels than Python nests blocks, with more leaves than SQLite
// unites selections. Its leaves are at the left and at the right, its splits of all kinds.
func chainCase(t *testing.T) *conformanceCase {
	t.Helper()
	c := fitted(t, "chain", table{rows: 120, numbers: 3, categories: colours, gaps: 0.15, classes: letters(3), decimals: 1},
		dataset.LoadOptions{Missing: dataset.MissingCategory, CategoricalColumns: []string{"cat3"}}, 1)
	const levels = 520
	r := rand.New(rand.NewPCG(11, 12))
	x := c.encoded(t, c.rows)
	c.tree.Nodes = nil
	for i := range levels {
		row := x[r.IntN(len(x))]
		split, toLeft := &tree.Split{}, r.IntN(2) == 0
		switch {
		case i%40 == 7: // of a category, or a mark of missing fields
			j := 3 + r.IntN(len(row)-3)
			split, toLeft = tree.Univariate(j, 0.5), row[j] >= 0.5
		case i%10 == 3:
			for j := range 5 {
				w := r.NormFloat64()
				split.Terms = append(split.Terms, tree.Term{Feature: j, Weight: w})
				split.Threshold += float64(w * row[j])
			}
			split.Threshold += map[bool]float64{true: -1, false: 1}[toLeft] * 30
		default:
			split = tree.Univariate(i%3, map[bool]float64{true: -1, false: 1}[toLeft]*(15-float64(i)/50))
		}
		n := tree.Node{Split: split, Left: 2*i + 2, Right: 2*i + 1}
		if toLeft {
			n.Left, n.Right = n.Right, n.Left
		}
		c.tree.Nodes = append(c.tree.Nodes, n, chainLeaf(i))
	}
	c.tree.Nodes = append(c.tree.Nodes, chainLeaf(levels))
	if err := c.tree.Validate(); err != nil {
		t.Fatal(err)
	}
	return c
}

func chainLeaf(i int) tree.Node {
	w := []float64{float64(i + 1), 3, 1}
	return tree.Node{Class: i % 3, Weight: w, Count: w}
}

// longChain is a chain of 8,000 levels with leaves at the left, at the right, or in turn, over
// hyperplanes or one column.
func longChain(side string, planes bool) *tree.Tree {
	t := &tree.Tree{Features: []string{"x", "y"}, Classes: []string{"a", "b"}}
	for i := range 8000 {
		n := tree.Node{Split: tree.Univariate(0, float64(i)), Left: 2*i + 1, Right: 2*i + 2}
		if planes {
			n.Split.Terms = append(n.Split.Terms, tree.Term{Feature: 1, Weight: 0.5})
		}
		if side == "right" || side == "turns" && i%2 == 0 {
			n.Left, n.Right = n.Right, n.Left
		}
		t.Nodes = append(t.Nodes, n, tree.Node{Class: i % 2})
	}
	t.Nodes = append(t.Nodes, tree.Node{})
	return t
}

// TestLongChains: what is written of a chain grows with its nodes, not with their square, or
// it is refused.
func TestLongChains(t *testing.T) {
	const most = 2000 // bytes for each node
	refused := map[string]string{
		"rules": "rules: the rules would have 64024000 conditions, since each repeats those on the path to its leaf, and no more than 2000000 are written; other targets write each condition once",
		"html":  "html: the tree has 8000 levels, and a page shows no more than 240, since browsers limit how deep elements nest; text, dot and svg have no such limit",
	}
	for _, side := range []string{"left", "right", "turns"} {
		for _, planes := range []bool{false, true} {
			tr := longChain(side, planes)
			for _, to := range export.Targets() {
				what := fmt.Sprintf("%s, leaves %s, hyperplanes %v", to, side, planes)
				b, err := export.Bytes(tr, to, export.Options{})
				switch want := refused[to]; {
				case want != "" && (planes || to == "html"):
					if err == nil || err.Error() != want {
						t.Errorf("%s: %v, want %s", what, err, want)
					}
				case err != nil:
					t.Errorf("%s: %v", what, err)
				case len(b) > most*len(tr.Nodes):
					t.Errorf("%s: %d bytes for %d nodes", what, len(b), len(tr.Nodes))
				}
			}
		}
	}
}

// TestWrite: refusals write nothing, and are told from errors of the writer.
func TestWrite(t *testing.T) {
	for _, to := range export.Targets() {
		broken := errors.New("disk full")
		if err := export.Write(failing{broken}, goldenTree(t), to, export.Options{}); err != broken {
			t.Errorf("%s: %v, want %v", to, err, broken)
		}
	}
	var out bytes.Buffer
	err := export.Write(&out, longChain("left", true), "rules", export.Options{})
	if _, refused := errors.AsType[*export.RefusalError](err); !refused || out.Len() > 0 {
		t.Errorf("%v, and %d bytes", err, out.Len())
	}
}

// failing is a writer that fails.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
