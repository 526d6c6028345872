//go:build cgo && !nohighs

package hyperplane

import (
	"context"
	"errors"
	"github.com/octgen/octgen/internal/datatest"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/mio"
	_ "github.com/octgen/octgen/solvers/highs"
)

// brute computes the optimum of OCT-H by enumerating every way to divide a set of rows in two, on
// every set of features, that a hyperplane with margin mu allows. Sets are bit masks over at most
// 12 rows.
type brute struct {
	f    *Formulation
	d    *dataset.Dataset
	ways map[[2]int]bool      // (mask of the left, features | right << 8) that can be divided
	best map[[2]int][]float64 // (mask, depth) to minimum error weight by number of features used
}

func (h *brute) rows(mask int) (r []int) {
	for i := range h.d.N() {
		if mask>>i&1 == 1 {
			r = append(r, i)
		}
	}
	return r
}

// widest returns the maximum margin between two sets of rows over hyperplanes on at most two given
// features with sum |a| = 1: for given signs, it is concave in |a_1|.
func (h *brute) widest(left, right []int, features int) float64 {
	margin := func(a ...float64) float64 {
		below, above := h.f.sides(a[:h.f.p()], left, right)
		return above - below
	}
	most := math.Inf(-1)
	for signs := range 4 {
		s, r := float64(1-signs&1*2), float64(1-signs&2)
		switch features {
		case 1:
			most = max(most, margin(s, 0))
		case 2:
			most = max(most, margin(0, r))
		default:
			low, high := 0.0, 1.0
			for range 80 {
				p, q := low+(high-low)/3, high-(high-low)/3
				if margin(s*p, r*(1-p)) < margin(s*q, r*(1-q)) {
					low = p
				} else {
					high = q
				}
			}
			most = max(most, margin(s*low, r*(1-low)))
		}
	}
	return most
}

func (h *brute) divides(t *testing.T, left, right, features int) bool {
	key := [2]int{left, features | right<<8}
	if v, ok := h.ways[key]; ok {
		return v
	}
	most := h.widest(h.rows(left), h.rows(right), features)
	ok := most >= h.f.mu-1e-7
	if ok && most < h.f.mu+1e-7 {
		t.Fatal("a margin too close to mu to tell")
	}
	h.ways[key] = ok
	return ok
}

// solve returns the minimum error weight by number of features used in splits.
func (h *brute) solve(t *testing.T, mask, depth int) []float64 {
	key := [2]int{mask, depth}
	if v, ok := h.best[key]; ok {
		return v
	}
	most := h.f.p() * (1<<depth - 1)
	best := make([]float64, most+1)
	for s := range best {
		best[s] = math.Inf(1)
	}
	class, weight := make([]float64, h.d.K()), 0.0
	for _, i := range h.rows(mask) {
		class[h.d.Y[i]] += h.d.Weight[i]
		weight += h.d.Weight[i]
	}
	if mask != 0 && weight >= h.f.g.MinLeaf {
		for _, w := range class {
			best[0] = min(best[0], weight-w)
		}
		for left := (mask - 1) & mask; depth > 0 && left > 0; left = (left - 1) & mask {
			l, r := h.solve(t, left, depth-1), h.solve(t, mask&^left, depth-1)
			for features := 1; features < 1<<h.f.p(); features++ {
				if !h.divides(t, left, mask&^left, features) {
					continue
				}
				used := 0
				for q := features; q > 0; q &= q - 1 {
					used++
				}
				for a, la := range l {
					for b, rb := range r {
						best[a+b+used] = min(best[a+b+used], la+rb)
					}
				}
			}
		}
	}
	h.best[key] = best
	return best
}

// right returns the minimum number of features with which all rows of mask are correct with the
// margin, ignoring all other rows; +Inf if that is impossible.
func (h *brute) right(t *testing.T, mask, depth int) float64 {
	key := [2]int{mask, depth}
	if v, ok := h.best[key]; ok {
		return v[0]
	}
	best, rows := 0.0, h.rows(mask)
	for _, i := range rows {
		if h.d.Y[i] != h.d.Y[rows[0]] {
			best = math.Inf(1)
		}
	}
	if best > 0 && depth > 0 {
		for left := (mask - 1) & mask; left > 0; left = (left - 1) & mask {
			below := h.right(t, left, depth-1) + h.right(t, mask&^left, depth-1)
			for features := 1; features < 1<<h.f.p() && !math.IsInf(below, 1); features++ {
				if used := float64(bits.OnesCount(uint(features))); below+used < best && h.divides(t, left, mask&^left, features) {
					best = below + used
				}
			}
		}
	}
	h.best[key] = []float64{best}
	return best
}

// served returns the minimum objective of margin right by enumerating every set of correct rows.
func (h *brute) served(t *testing.T) float64 {
	seen, best := 0, math.Inf(1)
	for _, i := range h.f.seen() {
		seen |= 1 << i
	}
	for mask := seen; ; mask = (mask - 1) & seen {
		wrong := 0.0
		for _, i := range h.rows(seen &^ mask) {
			wrong += h.d.Weight[i]
		}
		v := wrong / h.f.g.Lhat
		if s := h.right(t, mask, h.f.depth); v < best && !math.IsInf(s, 1) && (h.f.maxSplits == 0 || s <= float64(h.f.maxSplits)) {
			best = min(best, v+h.f.alpha*s)
		}
		if mask == 0 {
			return best
		}
	}
}

// all returns the minimum objective of margin all; +Inf if there is no tree.
func (h *brute) all(t *testing.T) float64 {
	best := math.Inf(1)
	for s, e := range h.solve(t, 1<<h.f.g.N-1, h.f.depth) {
		if h.f.maxSplits == 0 || s <= h.f.maxSplits {
			best = min(best, e/h.f.g.Lhat+h.f.alpha*float64(s))
		}
	}
	return best
}

func (h *brute) want(t *testing.T) float64 {
	if h.f.opts.Margin == Right {
		return h.served(t)
	}
	return h.all(t)
}

// TestBruteForce compares proven optima with exhaustive search over all hyperplane splits with
// margin mu.
func TestBruteForce(t *testing.T) {
	solve := formtest.Solver(t)
	rng := rand.New(rand.NewPCG(13, 3))
	ctx := context.Background()
	solved := map[formulate.Encoding]int{}
	for trial := range datatest.Some(200) {
		o := randomOptions(rng, formulate.BigM, SOCT, SOCT, Served, Served)
		o.LP, o.Depth = solve, 1+trial%2
		o.Mu = []float64{0.0173, 0.0871, 0.2113}[rng.IntN(3)] // not the margin of points on a coarse grid
		n := []int{9, 6}[trial%2]
		d := formtest.Data(rng, n, 1+rng.IntN(2), 2+rng.IntN(2))
		someRows(rng, &o, d)
		f, err := o.Build(ctx, d)
		if errors.Is(err, formulate.ErrSingleLeaf) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		h := &brute{f: f, d: f.g.DS, ways: map[[2]int]bool{}, best: map[[2]int][]float64{}}
		want := h.want(t)
		sol, err := solve(ctx, f.Model())
		if err != nil {
			t.Fatalf("trial %d, %+v: %v", trial, o, err)
		}
		if math.IsInf(want, 1) {
			if sol.Status != mio.Infeasible {
				t.Fatalf("trial %d: %v, no tree exists", trial, sol.Status)
			}
			continue
		}
		solved[o.Encoding]++
		if sol.Status != mio.Optimal || math.Abs(sol.Objective-want) > 1e-6 {
			t.Fatalf("trial %d, depth %d, mu %v, %+v: %v with %v, brute force has %v", trial, o.Depth, o.Mu, o, sol.Status, sol.Objective, want)
		}
		tr, err := f.Decode(sol.Values)
		if err != nil {
			t.Fatalf("trial %d: %v", trial, err)
		}
		if got := f.Objective(tr); math.Abs(got-want) > 1e-6 {
			t.Fatalf("trial %d: the decoded tree has %v, brute force %v", trial, got, want)
		}
		x, err := f.Start(ctx, tr)
		if err != nil {
			t.Fatalf("trial %d: the optimal tree is not a warm start: %v", trial, err)
		}
		if r := mio.Check(f.Model(), x, 1e-7); !r.Feasible {
			t.Fatalf("trial %d: %v", trial, r.Err())
		}
	}
	for _, e := range []formulate.Encoding{formulate.BigM, SOCT, Served} {
		if solved[e] < datatest.Some(25) {
			t.Errorf("only %d instances of %s were solved", solved[e], e)
		}
	}
}

// optimum solves to a proof of optimality; +Inf if there is no tree.
func optimum(t *testing.T, d *dataset.Dataset, o Options) float64 {
	t.Helper()
	f, err := o.Build(context.Background(), d)
	if err != nil {
		t.Fatalf("%+v: %v", o, err)
	}
	sol, err := formtest.Solver(t)(context.Background(), f.Model())
	if err != nil {
		t.Fatalf("%+v: %v", o, err)
	}
	switch sol.Status {
	case mio.Infeasible:
		return math.Inf(1)
	case mio.Optimal:
		return sol.Objective
	}
	t.Fatalf("%+v: %v", o, sol.Status)
	return 0
}

// TestEncodingsAgree: soct has the optimum of bigm, with any tightenings; the optimum of served is
// at most that of soct, that of a model of some rows at most that of all, and a cutoff below the
// optimum makes the model infeasible.
func TestEncodingsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 5))
	apart, fewer := 0, 0
	for trial := range datatest.Some(40) {
		o := randomOptions(rng, SOCT)
		o.Depth, o.Mu = 1+trial%2, []float64{0.0173, 0.0871, 0.2113}[rng.IntN(3)]
		d := formtest.Data(rng, []int{20, 9}[trial%2], 1+rng.IntN(3), 2+rng.IntN(2))
		data, err := o.Data(context.Background(), d)
		if errors.Is(err, formulate.ErrSingleLeaf) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		published := o
		published.Encoding, published.Without = formulate.BigM, nil
		soct := optimum(t, d, o)
		if bigm := optimum(t, d, published); !near(soct, bigm) {
			t.Fatalf("%+v: soct has %v, bigm %v", o, soct, bigm)
		}
		o.Margin, o.Encoding, o.MinLeaf = Right, Served, 0
		served := optimum(t, d, o)
		if served > soct+1e-6 {
			t.Fatalf("%+v: served has %v, soct %v", o, served, soct)
		}
		if served < soct-1e-6 {
			apart++
		}
		for i := range data.Len() {
			if rng.IntN(3) > 0 {
				o.Rows = append(o.Rows, int32(i))
			}
		}
		if o.Rows == nil {
			continue
		}
		some := optimum(t, d, o)
		if some > served+1e-6 {
			t.Fatalf("%+v: some rows have %v, all %v", o, some, served)
		}
		if some < served-1e-6 {
			fewer++
		}
		if o.Cutoff = some + 0.01; !near(optimum(t, d, o), some) {
			t.Fatalf("%+v: the optimum is %v", o, some)
		}
		if o.Cutoff = some - 0.01; o.Cutoff > 0 && !math.IsInf(optimum(t, d, o), 1) {
			t.Fatalf("%+v: the optimum is %v", o, some)
		}
	}
	if apart < datatest.Some(3) || fewer < datatest.Some(3) {
		t.Errorf("served was below soct %d times, some rows below all %d times: the test tests little", apart, fewer)
	}
}

// TestOneRowAtDepthThree: one-row, which acts on two nodes there, does not change the optimum.
func TestOneRowAtDepthThree(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 5))
	errors := 0
	for range 12 {
		o := Options{Depth: 3, Mu: []float64{0.0871, 0.2113, 0.4}[rng.IntN(3)], Encoding: SOCT}
		o.Alpha = []float64{0, 0.01, 0.1}[rng.IntN(3)]
		if rng.IntN(2) == 0 {
			o.Margin, o.Encoding = Right, Served
		}
		d := formtest.Data(rng, 7, 1+rng.IntN(2), 2+rng.IntN(2))
		if _, err := o.Data(context.Background(), d); err != nil {
			continue
		}
		with := optimum(t, d, o)
		o.Without = []string{OneRow}
		if without := optimum(t, d, o); !near(with, without) {
			t.Fatalf("%+v: with one-row %v, without %v", o, with, without)
		}
		if with > 1e-6 {
			errors++
		}
	}
	if errors < 4 {
		t.Errorf("only %d optima were above 0", errors)
	}
}

func near(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-6 }

// TestRecentre: rows keep their sides, and no margin shrinks.
func TestRecentre(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 5))
	wider := 0
	for range 60 {
		d := formtest.Data(rng, 4+rng.IntN(20), 1+rng.IntN(3), 2)
		data, err := Options{Depth: 2}.Data(context.Background(), d)
		if errors.Is(err, formulate.ErrSingleLeaf) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		var rows []int32
		for i := range data.Len() {
			rows = append(rows, int32(i))
		}
		tr := randomHyperTree(rng, d, 2).Collapse(d)
		centred, err := data.Recentre(context.Background(), formtest.Solver(t), tr, rows)
		if err != nil {
			t.Fatal(err)
		}
		for i := range d.N() {
			if a, b := tr.Find(d.Row(i)), centred.Find(d.Row(i)); a != b {
				t.Fatalf("row %d was in leaf %d and is in %d", i, a, b)
			}
		}
		before, after := data.LeastMargin(tr), data.LeastMargin(centred)
		if after < before-1e-6 {
			t.Fatalf("the minimum margin was %v and is %v", before, after)
		}
		if after > before+1e-6 {
			wider++
		}
		if after > data.mu+1e-5 && data.WrongWeight(centred) > tr.Evaluate(data.g.DS).ErrorWeight+1e-9 {
			t.Fatalf("with the margin %v weight %v is not correct, weight %v is misclassified", after, data.WrongWeight(centred), tr.Evaluate(data.g.DS).ErrorWeight)
		}
	}
	if wider < 10 {
		t.Errorf("only %d trees had a greater margin", wider)
	}
}
