package export_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/export"
)

var (
	condition = regexp.MustCompile(`^if \(?(?:(!|not )\()?x([0-9]+) < (-?[0-9.]+)\)*(?: \{|:)$`)
	outcome   = regexp.MustCompile(`^return ([0-9]+);?$`)
)

// followed returns the leaf that the nested tests of a program return for x. It reads the lines
// with their indentation, since Python, and node on most machines, is not there to run them.
func followed(t *testing.T, program string, x []float64) int {
	t.Helper()
	within, began := 0, false // lines indented by more are left out
	for line := range strings.Lines(program) {
		text := strings.TrimSpace(line)
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		test := condition.FindStringSubmatch(text)
		began = began || test != nil
		if !began || within > 0 && indent > within {
			continue
		}
		within = 0
		switch leaf := outcome.FindStringSubmatch(text); {
		case test != nil:
			j, _ := strconv.Atoi(test[2])
			threshold, err := strconv.ParseFloat(test[3], 64)
			if err != nil {
				t.Fatal(err)
			}
			if (x[j] < threshold) == (test[1] != "") {
				within = indent
			}
		case leaf != nil:
			at, _ := strconv.Atoi(leaf[1])
			return at
		case text != "}":
			t.Fatalf("unexpected line %q of\n%s", line, program)
		}
	}
	t.Fatalf("no leaf for %v in\n%s", x, program)
	return 0
}

// numbered makes leaf i, from the left, predict class i.
func numbered(u *tree.Tree) *tree.Tree {
	var walk func(at int)
	walk = func(at int) {
		if n := &u.Nodes[at]; n.Split != nil {
			walk(n.Left)
			walk(n.Right)
		} else {
			n.Class = len(u.Classes)
			u.Classes = append(u.Classes, fmt.Sprint("c", n.Class))
		}
	}
	u.Classes = nil
	walk(0)
	return u
}

// TestBranches: the programs go left if a feature is below its threshold, and right otherwise, in
// nested blocks and in the chains that are written with the opposite test.
func TestBranches(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	grid := func(n int) float64 { return float64(rng.IntN(2*n+1)-n) / 2 }
	random := &tree.Tree{Features: []string{"u", "v"}, Nodes: make([]tree.Node, 1)}
	for at := 0; at < 60; at++ {
		n := &random.Nodes[at]
		n.Split, n.Left, n.Right = tree.Univariate(at%2, grid(8)), len(random.Nodes), len(random.Nodes)+1
		random.Nodes = append(random.Nodes, tree.Node{}, tree.Node{})
	}
	trees := []*tree.Tree{random}
	for _, toLeft := range []bool{true, false} {
		chain := &tree.Tree{Features: []string{"u", "v"}}
		for i := range 100 {
			n := tree.Node{Split: tree.Univariate(i%2, float64(i)/2-25), Left: 2*i + 1, Right: 2*i + 2}
			if toLeft {
				n.Left, n.Right = n.Right, n.Left
				n.Split.Threshold *= -1
			}
			chain.Nodes = append(chain.Nodes, n, tree.Node{})
		}
		chain.Nodes = append(chain.Nodes, tree.Node{})
		trees = append(trees, chain)
	}
	negated := 0
	for _, u := range trees {
		numbered(u)
		for _, to := range []string{"python", "c", "go", "javascript"} {
			b, err := export.Bytes(u, to, export.Options{})
			if err != nil {
				t.Fatal(err)
			}
			program := string(b)
			negated += strings.Count(program, "if not (x")
			for range 200 {
				x := []float64{grid(60), grid(60)}
				if got, want := followed(t, program, x), u.Predict(x); got != want {
					t.Fatalf("%s: %v is in leaf %d, want %d\n%s", to, x, got, want, program)
				}
			}
		}
	}
	if negated == 0 {
		t.Error("no test is negated")
	}
}
