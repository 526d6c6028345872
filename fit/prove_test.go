package fit_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/proof"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/tree"
)

// bruteForced is the value of the best tree for rows of a table, by trying all of them.
func bruteForced(t *proof.Table, rows []int, depth, splits int, leaf, price int64, forbidden []int) int64 {
	const none = math.MaxInt64 / 4
	heavy, best := int64(0), int64(none)
	for _, i := range rows {
		heavy += t.Weight[i]
	}
	if len(rows) > 0 && heavy >= leaf {
		at := make([]int32, len(rows))
		for j, i := range rows {
			at[j] = int32(i)
		}
		best = t.OneAnswer(at)
	}
	if depth == 0 || splits == 0 || len(rows) < 2 {
		return best
	}
	for f := range t.P {
		if slices.Contains(forbidden, f) {
			continue
		}
		seen := make(map[float64]bool)
		for _, i := range rows {
			bound := t.X[i*t.P+f]
			if seen[bound] {
				continue
			}
			seen[bound] = true
			var left, right []int
			for _, j := range rows {
				if t.X[j*t.P+f] < bound {
					left = append(left, j)
				} else {
					right = append(right, j)
				}
			}
			if len(left) == 0 {
				continue
			}
			for s := range splits {
				best = min(best, price+bruteForced(t, left, depth-1, s, leaf, price, forbidden)+bruteForced(t, right, depth-1, splits-1-s, leaf, price, forbidden))
			}
		}
	}
	return best
}

// provable is a random small problem with its claim.
func provable(r *rand.Rand, seed uint64) (*dataset.Dataset, fit.Claim) {
	n, p, k := 2+r.IntN(9), 1+r.IntN(3), 2+r.IntN(2)
	kind, levels := r.IntN(6), 2+r.IntN(4)
	var b strings.Builder
	for j := range p {
		fmt.Fprintf(&b, "x%d,", j)
	}
	o := dataset.LoadOptions{Dates: []string{"none"}, Task: dataset.Classification}
	switch kind {
	case 1:
		b.WriteString("w,")
		o.Weight = "w"
	case 2:
		o.CostMatrix = "c0:c1=2.5,c1:c0=0.5"
	case 3:
		o.Rewards = []string{"c0", "c1"}
	case 4, 5: // numbers, half of them with weights
		if o.Task = dataset.Regression; r.IntN(2) == 0 {
			b.WriteString("w,")
			o.Weight = "w"
		}
		o.Quantile = []float64{0, 0.5, 0.25}[(kind-4)*(1+r.IntN(2))]
	}
	b.WriteString(map[bool]string{true: "c0,c1\n", false: "class\n"}[kind == 3])
	for i := range n {
		for range p {
			fmt.Fprintf(&b, "%v,", float64(r.IntN(levels))/2)
		}
		switch kind {
		case 1:
			fmt.Fprintf(&b, "%v,", 0.25*float64(1+r.IntN(5)))
		case 3:
			fmt.Fprintf(&b, "%v,%v\n", float64(r.IntN(8))/4, float64(r.IntN(8))/4)
			continue
		case 4, 5:
			if o.Weight != "" {
				fmt.Fprintf(&b, "%v,", 0.25*float64(1+r.IntN(5)))
			}
			fmt.Fprintf(&b, "%v\n", []float64{float64(r.IntN(20)) - 5, float64(r.IntN(1000)) / 8, r.NormFloat64()}[min(2-(kind-4), r.IntN(5))])
			continue
		}
		class := r.IntN(k)
		if i < 2 {
			class = i
		}
		fmt.Fprintf(&b, "c%d\n", class)
	}
	ds, err := dataset.Read(strings.NewReader(b.String()), "random.csv", o)
	if err != nil {
		panic(fmt.Sprint(seed, err, b.String()))
	}
	c := fit.Claim{Depth: 1 + r.IntN(4), Bound: math.NaN()}
	if r.IntN(3) == 0 {
		c.Alpha = []float64{0.01, 0.1, 0.25}[r.IntN(3)]
	}
	if r.IntN(3) == 0 {
		c.MinLeaf = []float64{1, 2, 3}[r.IntN(3)]
	}
	if r.IntN(3) == 0 {
		c.Splits = 1 + r.IntN(6)
	}
	if r.IntN(4) == 0 && p > 1 {
		c.Forbidden = []int{r.IntN(p)}
	}
	return ds, c
}

// allowed is the dataset without the forbidden features, and lift makes a tree for it one for ds.
func allowed(ds *dataset.Dataset, forbidden []int) *dataset.Dataset {
	return ds.WithFeatures(left(ds, forbidden))
}

func lift(t *tree.Tree, ds *dataset.Dataset, forbidden []int) {
	of := left(ds, forbidden)
	t.Features = ds.Features
	for i := range t.Nodes {
		if s := t.Nodes[i].Split; s != nil {
			s.Terms[0].Feature = of[s.Terms[0].Feature]
		}
	}
}

func left(ds *dataset.Dataset, forbidden []int) (features []int) {
	for f := range ds.P() {
		if !slices.Contains(forbidden, f) {
			features = append(features, f)
		}
	}
	return features
}

// bestTree is a tree of the least value.
func bestTree(ds *dataset.Dataset, c fit.Claim, alpha float64) (*tree.Tree, error) {
	if ds.Kind() == dataset.Numbers {
		s := shape(c.Depth, alpha, c.MinLeaf)
		s.MaxSplits = c.Splits
		res, err := fit.Run(context.Background(), ds, fit.Options{Method: &problem.ORT{Shape: s}})
		if err != nil {
			return nil, err
		}
		return res.Tree, nil
	}
	r, err := exact.Solve(context.Background(), ds, exact.Options{Depth: c.Depth, Alpha: alpha, MinLeaf: c.MinLeaf, MaxSplits: c.Splits})
	if err != nil {
		return nil, err
	}
	return r.Tree, nil
}

// TestProofs: the optimum of random problems is proved, by a file that says so; a false claim is neither written nor
// believed, and no change of a file makes one.
func TestProofs(t *testing.T) {
	cases := 400
	if text := os.Getenv("OCTGEN_CASES"); text != "" {
		cases, _ = strconv.Atoi(text)
	}
	token := regexp.MustCompile(`[0-9]+|=`)
	proved, changed, accepted := 0, 0, 0
	for seed := range uint64(cases) {
		r := rand.New(rand.NewPCG(seed, 46))
		ds, c := provable(r, seed)
		alpha := c.Alpha
		if ds.Kind() == dataset.Rewards { // in whose unit it is
			alpha /= max(1e-9, ds.Baseline())
		}
		found, err := bestTree(allowed(ds, c.Forbidden), c, alpha)
		if err != nil { // no leaf is heavy enough
			continue
		}
		table, price, err := proof.NewTable(ds, c.Alpha)
		if err != nil {
			t.Fatal(seed, err)
		}
		lift(found, ds, c.Forbidden)
		file, shown, err := fit.WriteProof(context.Background(), ds, found, c, 1+int(seed%2))
		if err != nil {
			t.Fatal(seed, err, fmt.Sprintf("%+v", c))
		}
		splits := c.Splits
		if splits == 0 {
			splits = 15
		}
		rows := make([]int, ds.N())
		for i := range rows {
			rows[i] = i
		}
		best := bruteForced(table, rows, c.Depth, splits, shown.Leaf, price, c.Forbidden)
		rounded := shown.Table.Squares != (proof.Squares{})
		if !shown.Optimal() || !rounded && shown.Value != best || shown.Value < best || shown.Bound > best {
			t.Fatalf("%d: proved %d of a tree of %d, the optimum is %d", seed, shown.Bound, shown.Value, best)
		}
		proved++
		again, _, err := fit.WriteProof(context.Background(), ds, found, c, 2)
		if err != nil || !bytes.Equal(file, again) {
			t.Fatal(seed, err, "the file depends on the number of oracles")
		}
		for range 5 { // mutants
			body := bytes.Index(file, []byte("\ndepth ")) + 1
			places := token.FindAllIndex(file[body:], -1)
			at := places[r.IntN(len(places))]
			to := strconv.Itoa(r.IntN(1 + int(2*best+4)))
			mutant := slices.Concat(file[:body+at[0]], []byte(to), file[body+at[1]:])
			changed++
			got, err := proof.Check(context.Background(), table, bytes.NewReader(mutant))
			if err != nil {
				continue
			}
			accepted++
			depth, splits := got.Depth, got.Splits
			if splits == proof.Unlimited || splits > 15 {
				splits = 15
			}
			if least := bruteForced(table, rows, min(depth, 5), splits, got.Leaf, got.Price, got.Forbidden); got.Bound > least {
				t.Fatalf("%d: a false claim is believed: %d, and the optimum is %d\n%s", seed, got.Bound, least, mutant)
			}
		}
	}
	t.Logf("%d proved, %d of %d mutants are true claims", proved, accepted, changed)
	if proved < cases/2 || accepted == changed {
		t.Errorf("%d of %d cases, %d of %d mutants: the test does not test", proved, cases, accepted, changed)
	}
}

// TestProofBound: a tree that is not the best has a file that proves the bound below it, and none that says it is optimal.
func TestProofBound(t *testing.T) {
	ds, err := dataset.Load("../examples/iris.csv", dataset.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	best, err := exact.Solve(context.Background(), ds, exact.Options{Depth: 3})
	if err != nil {
		t.Fatal(err)
	}
	worse, err := exact.Solve(context.Background(), ds, exact.Options{Depth: 2})
	if err != nil {
		t.Fatal(err)
	}
	_, shown, err := fit.WriteProof(context.Background(), ds, worse.Tree, fit.Claim{Depth: 3, Bound: best.Objective * ds.Baseline()}, 1)
	if err != nil || shown.Optimal() || shown.Value != 6 || shown.Bound != 1 {
		t.Errorf("%+v, %v; want a bound of 1 below a value of 6", shown, err)
	}
	if _, _, err := fit.WriteProof(context.Background(), ds, worse.Tree, fit.Claim{Depth: 3, Bound: math.NaN()}, 1); err == nil {
		t.Error("a tree that is not the best is proved to be")
	}
}
