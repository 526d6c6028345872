//go:build cgo && !nohighs

package hyperplane

import (
	"context"
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/internal/treetest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// predictedWay is the outcome of a tree on some rows: two bits of class for each row, and one bit
// for each feature used.
type predictedWay struct{ classes, features int }

// predictions enumerates all predictions of trees of margin all.
type predictions struct {
	*treetest.Hyperplanes
	f  *Formulation
	of map[[3]int]map[predictedWay]int // (mask, depth, node of fixed) to minimum number of features over all splits

	fixed *tree.Tree // fixed splits, each of which separates rows
}

// ways returns the outcomes of trees of that depth on the rows of mask, below and including a node
// of the fixed splits, -1 below their leaves.
func (p *predictions) ways(t *testing.T, mask, depth, at int) map[predictedWay]int {
	key := [3]int{mask, depth, at}
	if w, ok := p.of[key]; ok {
		return w
	}
	all := map[predictedWay]int{}
	weight, total := make([]float64, p.f.g.DS.K()), 0.0
	for _, i := range p.Rows(mask) {
		weight[p.f.g.DS.Y[i]] += p.f.g.DS.Weight[i]
		total += p.f.g.DS.Weight[i]
	}
	for k := range weight {
		if total < p.f.g.MinLeaf || p.f.on.Purity > 0 && !constraint.PureEnough(weight, k, p.f.on.Purity) {
			continue
		}
		way := predictedWay{}
		for _, i := range p.Rows(mask) {
			way.classes |= k << (2 * i)
		}
		all[way] = 0
	}
	sides, lower, only, allowed := -1, [2]int{-1, -1}, 0, 1<<p.f.p()-1
	if at >= 0 && !p.fixed.Nodes[at].Leaf() {
		clear(all)
		n := &p.fixed.Nodes[at]
		lower, allowed = [2]int{n.Left, n.Right}, 0
		sides = 0
		for _, i := range p.Rows(mask) {
			if n.Split.Left(p.f.g.DS.Row(i)) {
				sides |= 1 << i
			}
		}
		only = sides
		for jx, j := range p.f.g.Active {
			if slices.ContainsFunc(n.Split.Terms, func(t tree.Term) bool { return t.Feature == j }) {
				allowed |= 1 << jx
			}
		}
	}
	for left := (mask - 1) & mask; depth > 0 && left > 0; left = (left - 1) & mask {
		if sides >= 0 && left != only {
			continue
		}
		l, r := p.ways(t, left, depth-1, lower[0]), p.ways(t, mask&^left, depth-1, lower[1])
		for features := 1; features < 1<<p.f.p(); features++ {
			if features&^allowed != 0 || !p.Divides(left, mask&^left, features) {
				continue
			}
			for a, m := range l {
				for b, n := range r {
					way := predictedWay{a.classes | b.classes, a.features | b.features | features}
					terms := m + n + bits.OnesCount(uint(features))
					if least, ok := all[way]; !ok || terms < least {
						all[way] = terms
					}
				}
			}
		}
	}
	p.of[key] = all
	return all
}

// best returns the minimum objective of a tree that satisfies the constraints, +Inf if there is
// none.
func (p *predictions) best(t *testing.T) float64 {
	best := math.Inf(1)
	n, on := p.f.g.DS.N(), p.f.on
	root := -1
	if on.Fixed != nil {
		root, p.fixed = 0, on.Fixed.Collapse(p.f.g.DS)
	}
	for way, terms := range p.ways(t, 1<<n-1, p.f.depth, root) {
		class, wrong := make([]int, n), 0.0
		for i := range n {
			class[i] = way.classes >> (2 * i) & 3
			if class[i] != p.f.g.DS.Y[i] {
				wrong += p.f.g.DS.Weight[i]
			}
		}
		held := p.f.maxSplits == 0 || terms <= p.f.maxSplits
		for r := range on.Rows {
			held = held && on.Rows[r].Sum(class) <= on.Rows[r].H+max(on.Rows[r].Slack, 1e-9)
		}
		price, columns := 0.0, map[int]bool{}
		for jx, j := range p.f.g.Active {
			if way.features>>jx&1 == 0 {
				continue
			}
			if c := on.Columns.Of[j]; !columns[c] && on.FeatureCost != nil {
				price += on.FeatureCost[c]
			}
			columns[on.Columns.Of[j]] = true
		}
		if held && (on.MaxFeatures == 0 || len(columns) <= on.MaxFeatures) {
			best = min(best, wrong/p.f.g.Lhat+p.f.alpha*float64(terms)+price)
		}
	}
	return best
}

func newPredictions(t *testing.T, f *Formulation) *predictions {
	return &predictions{Hyperplanes: oracle(t, f), f: f, of: map[[3]int]map[predictedWay]int{}}
}

// withoutSplits returns the brute force for a problem whose fixed splits violate the margin.
func (o Options) withoutSplits(t *testing.T, ctx context.Context, d *dataset.Dataset) *predictions {
	t.Helper()
	on, err := o.Constraints.On(d)
	if err != nil {
		t.Fatal(err)
	}
	o.Constraints = nil
	f, err := o.Build(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	p := newPredictions(t, f)
	p.f.on = &constraint.On{Columns: on.Columns, Fixed: on.Fixed}
	return p
}

// TestConstrainedBruteForce compares proven optima under one or two constraints with all
// predictions of all hyperplane trees: value, status, decoded tree.
func TestConstrainedBruteForce(t *testing.T) {
	solve := formtest.Plain(t)
	rng := rand.New(rand.NewPCG(18, 3))
	ctx := context.Background()
	solved, infeasible, kept, narrow := map[formulate.Encoding]int{}, 0, 0, 0
	trials := datatest.Some(200)
	if os.Getenv("OCTGEN_LONG") != "" {
		trials = 3000
	}
	for trial := range trials {
		o := randomOptions(rng, formulate.BigM, SOCT, SOCT)
		o.LP, o.Depth = solve, 1+trial%2
		o.Mu = []float64{0.0173, 0.0871, 0.2113, 0.3717}[rng.IntN(4)] // not the margin of points on a coarse grid
		d := grouped(rng, []int{8, 6}[trial%2], 1+rng.IntN(2), 2+rng.IntN(2))
		o.Constraints = randomConstraints(t, rng, d, o.Depth)
		f, err := o.Build(ctx, d)
		if errors.Is(err, formulate.ErrSingleLeaf) {
			continue
		}
		if errors.Is(err, errMargin) {
			narrow++
			if p := o.withoutSplits(t, ctx, d); !math.IsInf(p.best(t), 1) {
				t.Fatalf("trial %d: rejected with %v, but there is a tree", trial, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		h := newPredictions(t, f)
		want := h.best(t)
		sol, err := solve(ctx, f.Model())
		if err != nil {
			t.Fatalf("trial %d, %+v: %v", trial, o, err)
		}
		if math.IsInf(want, 1) {
			infeasible++
			if sol.Status != mio.Infeasible {
				t.Fatalf("trial %d, %q: %v, no tree exists", trial, o.Constraints.Texts(), sol.Status)
			}
			continue
		}
		solved[f.opts.Encoding]++
		if f.stays != nil {
			kept++
		}
		if sol.Status != mio.Optimal || math.Abs(sol.Objective-want) > 1e-6 {
			t.Fatalf("trial %d, %q, %+v: %v with %v, brute force has %v", trial, o.Constraints.Texts(), o, sol.Status, sol.Objective, want)
		}
		tr, err := f.Decode(sol.Values)
		if err != nil {
			t.Fatalf("trial %d: %v", trial, err)
		}
		on, err := o.Constraints.On(d)
		if err != nil {
			t.Fatal(err)
		}
		if broken := on.Broken(tr); broken != nil || math.Abs(f.Objective(tr)-want) > 1e-6 {
			t.Fatalf("trial %d: the decoded tree has %v and breaks %q; brute force has %v", trial, f.Objective(tr), broken, want)
		}
		if _, err := f.Start(ctx, tr); err != nil {
			t.Fatalf("trial %d: the optimal tree is not a warm start: %v", trial, err)
		}
	}
	t.Logf("solved %v, %d of them with fixed splits, which violate the margin in %d; infeasible %d", solved, kept, narrow, infeasible)
	if kept < datatest.Some(25) {
		t.Errorf("%d solved with fixed splits", kept)
	}
	for _, e := range []formulate.Encoding{formulate.BigM, SOCT} {
		if solved[e] < datatest.Some(25) || infeasible < datatest.Some(3) {
			t.Errorf("solved %v, infeasible %d: too few", solved, infeasible)
		}
	}
}
