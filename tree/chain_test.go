package tree

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

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
