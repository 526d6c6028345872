package fit

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/big"
	"path/filepath"
	"slices"
	"sort"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/proof"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/search/regression"
	"github.com/octgen/octgen/tree"
)

// Claim is what a proof file is to show of a tree: that none within the limits is better, or by how much at most.
type Claim struct {
	Depth     int     // most levels; 0 for no limit
	Splits    int     // most splits; 0 for no limit
	MinLeaf   float64 // least weight of a leaf
	Alpha     float64 // price of a split, in units of the loss of the best single answer; of rewards in theirs
	Forbidden []int   // features that no tree may split on
	Search    bool    // the bound is that of the exact search, whatever Bound is
	Part      bool    // the data are some of the rows of their file
	Bound     float64 // of the losses and prices of all trees; NaN for those of the tree
}

// CheckProof returns why there is no proof file for fits with these options, nil if there is one.
func CheckProof(o Options) error {
	info := o.Method.Info()
	switch {
	case info.Shape == nil || info.Validation != nil || info.Oblique:
		return fmt.Errorf("%w: no proof file for the method %s; there is one for oct, ort, policy, treesearch, and the univariate trees of cart and local-search", ErrInput, info.Name)
	case o.CountRows:
		return fmt.Errorf("%w: no proof file with --count-rows: leaves of a proof are bounded by weight", ErrInput)
	case !info.Constraints.OnlyForbids():
		return fmt.Errorf("%w: no proof file with constraints but --forbid: they couple the two sides of a split", ErrInput)
	}
	return nil
}

// Prove writes the proof of a result of Run for ds, which may be some of the rows of its file, and returns what is to be in the file of that name. It sets
// what the proof shows in the result and its tree. A result without a bound, such as that of a heuristic, gets that of the exact search.
func Prove(ctx context.Context, ds *dataset.Dataset, res *Result, name string, part bool, workers int) ([]byte, error) {
	if res.Tree == nil {
		return nil, fmt.Errorf("%w: no proof file: there is no tree", ErrSolver)
	}
	p := res.of
	c := Claim{Depth: int(p.Shape.Depth), Splits: p.Shape.MaxSplits, MinLeaf: p.Shape.MinLeaf, Alpha: p.Shape.Alpha, Part: part, Bound: math.NaN()}
	if p.Shape.Depth == problem.NoDepth {
		c.Depth = 0
	}
	if p.Keep != nil {
		for f, forbidden := range p.Keep.Forbidden {
			if forbidden {
				c.Forbidden = append(c.Forbidden, f)
			}
		}
	}
	began := time.Now()
	switch {
	case res.Bound == nil:
		c.Search = true
	case res.Status != mio.Optimal.String():
		c.Bound = *res.Bound * ds.Baseline()
		switch {
		case ds.Kind() == dataset.Rewards:
			c.Bound = mostReward(ds) - *res.Bound
		case ds.Kind() == dataset.Numbers && ds.Quantile > 0:
			c.Bound = math.NaN()
			c.Search = true
		}
	}
	file, shown, err := WriteProof(ctx, ds, res.Tree, c, workers)
	if err != nil {
		return nil, err
	}
	res.Proof = &Proof{File: name, Bytes: len(file), Optimal: shown.Optimal(), Value: shown.Value, Bound: shown.Bound, Intervals: shown.Intervals, Seconds: time.Since(began).Seconds()}
	if res.Tree.Fit != nil {
		res.Tree.Fit.Proof = &tree.FitProof{File: filepath.Base(name), Bytes: len(file)}
	}
	return file, nil
}

// mostReward is what the best action in each row earns.
func mostReward(ds *dataset.Dataset) float64 {
	total := 0.0
	for i, w := range ds.Weight {
		total += w * slices.Max(ds.RewardsOf(i))
	}
	return total
}

// WriteProof returns a proof file of a claim about a tree for ds, and what it shows, which was checked. It may take as long as
// the search. A claim that cannot be written is an error of the user's.
func WriteProof(ctx context.Context, ds *dataset.Dataset, t *tree.Tree, c Claim, workers int) ([]byte, *proof.Result, error) {
	table, price, err := proof.NewTable(ds, c.Alpha)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrInput, err)
	}
	t = t.Collapse(ds)
	root := claimedTree(table, ds, t)
	h := &proof.Head{Columns: proof.Describe(ds, c.Part), Depth: proof.Unlimited, Splits: proof.Unlimited, Price: price, Forbidden: c.Forbidden}
	if c.Depth > 0 {
		h.Depth = c.Depth
	}
	if c.Splits > 0 {
		h.Splits = c.Splits
	}
	if least, _ := new(big.Float).Mul(big.NewFloat(c.MinLeaf), new(big.Float).SetInt(table.LeafScale)).Float64(); least > float64(slices.Min(table.Weight)) {
		h.Leaf = int64(math.Ceil(least - 1e-6))
	}
	if h.Value, err = proof.Worth(table, h, root); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrInput, err)
	}
	var oracles []proof.Oracle
	for range max(1, workers) {
		oracle, err := newOracle(ctx, ds, table, h)
		if err != nil {
			return nil, nil, err
		}
		oracles = append(oracles, oracle)
	}
	rounding := int64(0)
	if table.Squares != (proof.Squares{}) {
		rounding = searchRounding
	}
	if err := setBound(h, c, table, oracles[0], rounding); err != nil {
		return nil, nil, err
	}
	var file bytes.Buffer
	if err := proof.Write(ctx, &file, table, h, root, oracles, rounding); err != nil {
		return nil, nil, err
	}
	shown, err := proof.Check(ctx, table, bytes.NewReader(file.Bytes()))
	if err != nil {
		return nil, nil, fmt.Errorf("%w: the proof is refused: %w", ErrCheck, err)
	}
	return file.Bytes(), shown, nil
}

// searchRounding is more than the search of squared errors rounds, in the unit of a file: it is exact to 1e-13 of a loss that has
// 2^50 of them.
const searchRounding = 512

// setBound sets the bound of a claim.
func setBound(h *proof.Head, c Claim, table *proof.Table, ask proof.Oracle, rounding int64) error {
	h.Bound = h.Value
	switch {
	case c.Search:
		rows := make([]int32, table.N())
		for i := range rows {
			rows[i] = int32(i)
		}
		depth, splits := h.Depth, int64(h.Splits)
		if h.Depth == proof.Unlimited {
			depth = exact.MaxDepth
		}
		if h.Splits == proof.Unlimited {
			splits = math.MaxInt32
		}
		v, err := ask(rows, depth, splits, h.Leaf > 0, h.Value)
		if err != nil {
			return err
		}
		h.Bound = v
	case !math.IsNaN(c.Bound):
		scale := new(big.Float).SetInt(table.Scale)
		if s := table.Squares; s != (proof.Squares{}) {
			scale.Mul(scale, scale)
			scale.Mul(scale, new(big.Float).SetInt(table.LeafScale))
			scale.Quo(scale.Mul(scale, big.NewFloat(float64(s.Times))), big.NewFloat(float64(s.Over)))
		}
		by, _ := scale.Float64()
		h.Bound = min(h.Value, int64(math.Ceil(c.Bound*by-1e-6)))
	}
	levels := proof.MostDoubled
	if h.Depth != proof.Unlimited {
		levels = min(levels, h.Depth)
	}
	if h.Splits != proof.Unlimited {
		levels = min(levels, h.Splits)
	}
	if h.Price > 0 { // a tree with more levels costs more by its splits alone
		levels = int(min(int64(levels), h.Value/h.Price))
	}
	h.Bound = max(0, h.Bound-rounding<<levels)
	return nil
}

// claimedTree is the tree with ranks for thresholds.
func claimedTree(table *proof.Table, ds *dataset.Dataset, t *tree.Tree) *proof.Tree {
	values := make(map[int][]float64)
	var build func(at int) *proof.Tree
	build = func(at int) *proof.Tree {
		n := &t.Nodes[at]
		if n.Leaf() {
			if table.K > 1 && ds.Kind() == dataset.Numbers {
				return &proof.Tree{Answer: bestAnswer(table, ds, t, at)}
			}
			return &proof.Tree{Answer: n.Class}
		}
		f := n.Split.Terms[0].Feature
		if values[f] == nil {
			values[f] = ds.Distinct(f)
		}
		below := sort.SearchFloat64s(values[f], n.Split.Threshold)
		return &proof.Tree{Feature: f, Rank: below, Left: build(n.Left), Right: build(n.Right)}
	}
	return build(0)
}

// bestAnswer is the answer with the least loss for the rows of a leaf.
func bestAnswer(table *proof.Table, ds *dataset.Dataset, t *tree.Tree, leaf int) int {
	sums := make([]int64, table.K)
	for i := range ds.N() {
		if t.Find(ds.Row(i)) == leaf {
			for k := range sums {
				sums[k] += table.Loss[i*table.K+k]
			}
		}
	}
	best := 0
	for k, v := range sums {
		if v < sums[best] {
			best = k
		}
	}
	return best
}

// newOracle makes an oracle of the exact search on the whole numbers of a table.
func newOracle(ctx context.Context, ds *dataset.Dataset, table *proof.Table, h *proof.Head) (proof.Oracle, error) {
	var allowed []int
	for f := range ds.P() {
		if !slices.Contains(h.Forbidden, f) {
			allowed = append(allowed, f)
		}
	}
	if ds.Kind() == dataset.Numbers {
		return numbersOracle(ctx, ds.WithFeatures(allowed), table, h), nil
	}
	whole := *ds.WithFeatures(allowed)
	whole.Loss, whole.Groups = dataset.Loss{}, nil
	whole.Weight = make([]float64, ds.N())
	leaf := float64(h.Leaf)
	if table.Single { // a row weighs in a leaf as its errors cost, but for the scale
		ratio, _ := new(big.Rat).SetFrac(table.Scale, table.LeafScale).Float64()
		leaf *= ratio
		for i := range whole.Weight {
			whole.Weight[i] = float64(table.Weight[i]) * ratio
		}
	} else {
		whole.Cost = make([]float64, len(table.Loss))
		for at, v := range table.Loss {
			whole.Cost[at] = float64(v)
		}
		for i := range whole.Weight {
			whole.Weight[i] = float64(table.Weight[i])
		}
	}
	depth := h.Depth
	if depth == proof.Unlimited {
		depth = exact.MaxDepth
	}
	free, err := exact.NewOracle(ctx, &whole, depth, float64(h.Price), 0)
	if err != nil {
		return nil, err
	}
	heavy := free
	if h.Leaf > 0 {
		if heavy, err = exact.NewOracle(ctx, &whole, depth, float64(h.Price), leaf); err != nil {
			return nil, err
		}
	}
	return func(rows []int32, depth int, splits int64, strict bool, most int64) (int64, error) {
		if depth > exact.MaxDepth {
			return 0, fmt.Errorf("%w: no proof file for trees of more than %d levels: the price of a split is too small", ErrInput, exact.MaxDepth)
		}
		q := free
		if strict {
			q = heavy
		}
		v := q.Least(rows, depth, splits, most)
		if q.Ended() {
			return 0, ctx.Err()
		}
		return v, nil
	}, nil
}

// numbersOracle is an oracle of the search for regression trees: each question is a search of its own.
func numbersOracle(ctx context.Context, ds *dataset.Dataset, table *proof.Table, h *proof.Head) proof.Oracle {
	number := table.Number
	if ds.Quantile > 0 {
		number = func(row int) float64 { return ds.Target[row] }
	}
	leaf, _ := new(big.Rat).SetFrac(big.NewInt(h.Leaf), table.LeafScale).Float64()
	return func(rows []int32, depth int, splits int64, strict bool, most int64) (int64, error) {
		one := table.OneAnswer(rows)
		if one == 0 {
			return 0, nil
		}
		q := regression.Problem{P: ds.P(), Depth: depth, Quantile: ds.Quantile, Penalty: float64(h.Price) / float64(one)}
		if splits < math.MaxInt32 {
			q.MaxSplits = int(splits)
		}
		if strict {
			q.MinLeaf = leaf
		}
		for _, i := range rows {
			q.X = append(q.X, ds.Row(int(i))...)
			q.Y, q.W = append(q.Y, number(int(i))), append(q.W, ds.Weight[i])
		}
		r := regression.Solve(ctx, q)
		if r.Status == mio.Infeasible || r.Tree == nil {
			return most, nil
		}
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		return min(most, int64(math.Round(r.Value*float64(one)))), nil
	}
}
