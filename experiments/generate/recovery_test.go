package generate

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/tree"
)

// truths draws data and their tree.
func truths(t *rapid.T) (*dataset.Dataset, *tree.Tree) {
	seed := rapid.Uint64Range(0, 500).Draw(t, "seed")
	p := rapid.IntRange(2, 5).Draw(t, "features")
	var g Generator = GTO{Features: p, Rows: 150, Depth: 1 + int(seed%3), Seed: seed}
	if rapid.Bool().Draw(t, "oct") {
		g = OCT{Features: p, Rows: 150, Depth: 1 + int(seed%3), Hyperplanes: rapid.Bool().Draw(t, "hyperplanes"), Seed: seed}
	}
	train, _, truth, err := g.Data()
	if err != nil {
		t.Fatal(err)
	}
	return train, truth
}

// TestRecoverSelf: a tree recovers all of itself, a leaf nothing.
func TestRecoverSelf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		train, truth := truths(t)
		self := Recover(truth, truth)
		if self.TrueSplits < 1 || self.Found != self.TrueSplits || self.False != 0 || self.TrueDiscovery != 100 || self.FalseDiscovery != 0 {
			t.Fatalf("%+v", self)
		}
		leaf := tree.NewLeaf(train, 0)
		if diff := cmp.Diff(Recovery{TrueSplits: self.TrueSplits}, Recover(truth, leaf)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestRecoverPermuted: the order of features does not matter on either side.
func TestRecoverPermuted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		train, truth := truths(t)
		grown, err := cart.Grow(t.Context(), train, cart.Options{MaxDepth: 3})
		if err != nil {
			t.Fatal(err)
		}
		order := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 0)).Perm(train.P())
		want := Recover(truth, grown.Tree)
		if diff := cmp.Diff(want, Recover(truth, permuted(grown.Tree, order))); diff != "" {
			t.Fatal(diff)
		}
	})
}

// permuted returns the same tree with feature j at order[j].
func permuted(t *tree.Tree, order []int) *tree.Tree {
	u := t.Clone()
	u.Features = make([]string, len(order))
	for j, k := range order {
		u.Features[k] = t.Features[j]
	}
	for i := range u.Nodes {
		s := u.Nodes[i].Split
		if s == nil {
			continue
		}
		q := &tree.Split{Threshold: s.Threshold}
		for _, term := range s.Terms {
			q.Terms = append(q.Terms, tree.Term{Feature: order[term.Feature], Weight: term.Weight})
		}
		slices.SortFunc(q.Terms, func(a, b tree.Term) int { return a.Feature - b.Feature })
		u.Nodes[i].Split = q
	}
	return u
}

// stumps returns a tree of splits x_j < b, one below the other.
func stumps(features []string, splits ...*tree.Split) *tree.Tree {
	t := &tree.Tree{Nodes: make([]tree.Node, 1), Features: features, Classes: []string{"A", "B"}}
	at := 0
	for _, s := range splits {
		_, at = t.Grow(at, s, 0, 1)
	}
	return t
}

// TestRecover checks matches computed by hand.
func TestRecover(t *testing.T) {
	ab := []string{"a", "b"}
	u := tree.Univariate
	plane := func(wa, wb, b float64) *tree.Split {
		return &tree.Split{Terms: []tree.Term{{Feature: 0, Weight: wa}, {Feature: 1, Weight: wb}}, Threshold: b}
	}
	for name, c := range map[string]struct {
		truth, tree  *tree.Tree
		found, false int
	}{
		"within the tolerance":        {stumps(ab, u(0, 0.5)), stumps(ab, u(0, 0.5499)), 1, 0},
		"beyond":                      {stumps(ab, u(0, 0.5)), stumps(ab, u(0, 0.5501)), 0, 1},
		"another feature":             {stumps(ab, u(0, 0.5)), stumps(ab, u(1, 0.5)), 0, 1},
		"an unknown feature":          {stumps(ab, u(0, 0.5)), stumps([]string{"c", "b"}, u(0, 0.5), u(1, 0.5)), 0, 2},
		"one for each":                {stumps(ab, u(0, 0.5)), stumps(ab, u(0, 0.51), u(0, 0.49)), 1, 1},
		"the far one for the nearest": {stumps(ab, u(0, 0.5), u(0, 0.54)), stumps(ab, u(0, 0.53), u(0, 0.58)), 2, 0},
		"the other way round":         {stumps(ab, plane(1, 1, 1)), stumps(ab, plane(-2, -2, -2)), 1, 0},
		"a scaled stump":              {stumps(ab, u(0, 0.5)), stumps(ab, &tree.Split{Terms: []tree.Term{{Feature: 0, Weight: -2}}, Threshold: -1}), 1, 0},
		"nearly a stump":              {stumps(ab, u(0, 0.5)), stumps(ab, plane(1, 0.05, 0.525)), 1, 0},
		"a turned hyperplane":         {stumps(ab, plane(1, 1, 1)), stumps(ab, plane(1, 0.9, 0.95)), 1, 0},
		"turned too far":              {stumps(ab, plane(1, 1, 1)), stumps(ab, plane(1, 0.3, 0.65)), 0, 1},
	} {
		got := Recover(c.truth, c.tree)
		if got.Found != c.found || got.False != c.false {
			t.Errorf("%s: %+v, want %d found and %d false", name, got, c.found, c.false)
		}
	}
}

// TestRecoverIdle: a split that no row crosses does not count.
func TestRecoverIdle(t *testing.T) {
	ds, err := dataset.New([]float64{0.1, 0.9}, []int{0, 1}, []string{"a"}, []string{"A", "B"})
	if err != nil {
		t.Fatal(err)
	}
	truth := stumps([]string{"a"}, tree.Univariate(0, 0), tree.Univariate(0, 0.5))
	truth.Annotate(ds)
	if got := Recover(truth, truth); got.TrueSplits != 1 || got.Found != 1 || got.False != 0 {
		t.Errorf("%+v", got)
	}
}

// TestMatching: the matching has as many pairs as any assignment.
func TestMatching(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, n := rapid.IntRange(0, 5).Draw(t, "m"), rapid.IntRange(0, 5).Draw(t, "n")
		edges := rapid.SliceOfN(rapid.Bool(), m*n, m*n).Draw(t, "edges")
		edge := func(i, j int) bool { return edges[i*n+j] }
		taken := make([]bool, n)
		var best func(i int) int
		best = func(i int) int {
			if i == m {
				return 0
			}
			most := best(i + 1)
			for j := range n {
				if !taken[j] && edge(i, j) {
					taken[j] = true
					most = max(most, 1+best(i+1))
					taken[j] = false
				}
			}
			return most
		}
		if got, want := matching(m, n, edge), best(0); got != want {
			t.Fatalf("%d, want %d", got, want)
		}
	})
}

// TestRecoverOptimal: with many clean points, the optimal tree of the true depth has exactly the
// true splits (for these seeds).
func TestRecoverOptimal(t *testing.T) {
	found, splits, false := 0, 0, 0
	for seed := range uint64(20) {
		train, _, truth, err := OCT{Features: 3, Rows: 500, Seed: seed}.Data()
		if err != nil {
			t.Fatal(err)
		}
		res, err := exact.Solve(t.Context(), train, exact.Options{Depth: 2})
		if err != nil {
			t.Fatal(err)
		}
		if e := res.Tree.Evaluate(train).Errors; e != 0 {
			t.Errorf("seed %d: %v errors", seed, e)
		}
		less, err := exact.Solve(t.Context(), train, exact.Options{Depth: 2, MaxSplits: 2})
		if err != nil {
			t.Fatal(err)
		}
		if e := less.Tree.Evaluate(train).Errors; e == 0 {
			t.Errorf("seed %d: two splits do as well as the three of the true tree", seed)
		}
		r := Recover(truth, res.Tree)
		found, splits, false = found+r.Found, splits+r.TrueSplits, false+r.False
	}
	if splits != 60 || found != 60 || false != 0 {
		t.Errorf("%d of %d splits found, %d false", found, splits, false)
	}
}
