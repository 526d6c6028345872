package vertex

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/tree"
)

// twoLevels returns a tree of two splits whose leaves have these rows per class, a and b.
func twoLevels(t *testing.T, leaves [3][2]int) *tree.Tree {
	t.Helper()
	var x []float64
	var y []int
	for at, counts := range leaves {
		for class, n := range counts {
			for range n {
				x, y = append(x, float64(at)), append(y, class)
			}
		}
	}
	ds, err := dataset.New(x, y, []string{"x"}, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	u := tree.NewLeaf(ds, 0)
	_, right := u.Grow(0, tree.Univariate(0, 0.5), 0, 0)
	u.Grow(right, tree.Univariate(0, 1.5), 0, 0)
	u.Relabel(ds)
	return u
}

// TestPessimisticPruning computes the rule of Quinlan (1987) by hand. A subtree of L leaves with J
// errors of N rows remains if J + L/2 + sqrt((J + L/2)(N - J - L/2)/N) is less than the errors of a
// leaf plus a half.
func TestPessimisticPruning(t *testing.T) {
	for _, c := range []struct {
		leaves [3][2]int
		splits int
		why    string
	}{
		{[3][2]int{{10, 0}, {0, 10}, {10, 0}}, 2, "10.5 > 1.5 + sqrt(1.5 28.5/30) = 2.69 at the root, 10.5 > 1 + sqrt(19/20) = 1.97 below"},
		{[3][2]int{{0, 20}, {10, 0}, {9, 1}}, 1, "below, 1.5 <= 2 + ...: a leaf; the root 19.5 > 2.5 + 1.5"},
		{[3][2]int{{10, 0}, {10, 1}, {10, 0}}, 0, "1.5 <= 2.5 + ..."},
		{[3][2]int{{20, 0}, {0, 2}, {20, 0}}, 0, "2.5 <= 1.5 + sqrt(1.5 40.5/42) = 2.70"},
		{[3][2]int{{20, 0}, {0, 3}, {20, 0}}, 2, "3.5 > 1.5 + sqrt(1.5 41.5/43) = 2.70, 3.5 > 1 + sqrt(22/23) = 1.98"},
	} {
		if got := pruneByStandardError(twoLevels(t, c.leaves)); got.Splits() != c.splits {
			t.Errorf("%v: %d splits, expected %d: %s", c.leaves, got.Splits(), c.splits, c.why)
		}
	}
}

// TestPruningInOnePass: pruning from the root down, with the rule evaluated for each subtree as
// grown, as Quinlan describes it, gives the same tree.
func TestPruningInOnePass(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	pruned := 0
	for range 300 {
		var leaves [3][2]int
		for k := range leaves {
			leaves[k] = [2]int{1 + rng.IntN(8), rng.IntN(8)}
		}
		u := twoLevels(t, leaves)
		want := u.Prune(func(i int) bool { return becomesLeaf(u, i) })
		got := pruneByStandardError(u)
		if got.Splits() != want.Splits() {
			t.Fatalf("%v: %d splits, expected %d", leaves, got.Splits(), want.Splits())
		}
		if got.Splits() == 1 {
			pruned++
		}
	}
	if pruned == 0 {
		t.Error("no tree lost a subtree only")
	}
}

// becomesLeaf evaluates the rule at node i of u independently.
func becomesLeaf(u *tree.Tree, i int) bool {
	if u.Nodes[i].Leaf() {
		return false
	}
	n := u.Nodes[i].Weight[0] + u.Nodes[i].Weight[1]
	e := min(u.Nodes[i].Weight[0], u.Nodes[i].Weight[1])
	errs := 0.0
	var walk func(at int)
	walk = func(at int) {
		if v := u.Nodes[at]; v.Leaf() {
			errs += 0.5 + min(v.Weight[0], v.Weight[1])
		} else {
			walk(v.Left)
			walk(v.Right)
		}
	}
	walk(i)
	return e+0.5 <= errs+math.Sqrt(errs*max(n-errs, 0)/n)+1e-9
}

// TestSplitFunc: the function gets the node's rows in two classes, the heaviest as 1; nil leaves a
// leaf, and an early end is reported.
func TestSplitFunc(t *testing.T) {
	ds := datatest.Example(t, "iris")
	var seen [][]float64
	res, err := MSMT(context.Background(), ds, MSMTOptions{
		Pruning: Unpruned,
		Split: func(_ context.Context, two *dataset.Dataset) (*tree.Split, bool, error) {
			seen = append(seen, two.ClassWeights())
			if len(seen) > 1 {
				return nil, true, nil
			}
			return tree.Univariate(2, 2.45), false, nil // the setosas
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([][]float64{{100, 50}, {50, 50}}, seen); d != "" {
		t.Errorf("class weights (-want +got):\n%s", d)
	}
	if res.Tree.Splits() != 1 || !res.Stats.Stopped || res.Tree.Evaluate(ds).Errors != 50 {
		t.Errorf("%d splits, stopped: %v\n%v", res.Tree.Splits(), res.Stats.Stopped, res.Tree)
	}
}

// TestMostImpureFirst: with a limit on splits, the leaf with the largest weight times entropy is
// split, on either side of the root.
func TestMostImpureFirst(t *testing.T) {
	for _, c := range []struct {
		rows [2][2]int // per side of the root and class
		want int       // the side that is split
	}{
		{[2][2]int{{10, 10}, {16, 4}}, 0}, // 20 bits, 14.4
		{[2][2]int{{16, 4}, {10, 10}}, 1},
		{[2][2]int{{10, 10}, {60, 15}}, 1}, // 20 bits, 54.1: weight counts
		{[2][2]int{{60, 15}, {10, 10}}, 0},
	} {
		var x []float64
		var y []int
		for side, classes := range c.rows {
			for class, n := range classes {
				for range n {
					x, y = append(x, float64(2*side+class)), append(y, class)
				}
			}
		}
		ds, err := dataset.New(x, y, []string{"x"}, []string{"a", "b"})
		if err != nil {
			t.Fatal(err)
		}
		res, err := MSMT(context.Background(), ds, MSMTOptions{
			MaxSplits: 2, Pruning: Unpruned,
			Split: func(_ context.Context, two *dataset.Dataset) (*tree.Split, bool, error) {
				v := two.Distinct(0)
				return tree.Univariate(0, v[len(v)/2]-0.5), false, nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		root := &res.Tree.Nodes[0]
		if left, right := res.Tree.Nodes[root.Left].Leaf(), res.Tree.Nodes[root.Right].Leaf(); left != (c.want == 1) || right != (c.want == 0) {
			t.Errorf("%v: the other side is split\n%v", c.rows, res.Tree)
		}
	}
}
