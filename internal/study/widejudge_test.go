//go:build cgo && !nohighs

package study

import (
	"context"
	"errors"
	"fmt"
	"github.com/octgen/octgen/tree/constraint"
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/solvers"
)

// The tolerances that octgen documents: of a rate, of the least leaf, of figures that were
// summed up. A millionth more is for the rounding of this comparison.
var (
	heldTo  = decimal("1.000001e-9")
	roundTo = decimal("1e-9")
)

// wideLimit ends what goes round in circles: a search of seven rows takes milliseconds.
const wideLimit = 5 * time.Second

// The kinds of verdicts beside wrong, failed and unproved.
const (
	wrongOptimum    = "wrong optimum"
	wrongInfeasible = "wrong infeasible"
	wrongBound      = "wrong bound"
	wrongTree       = "broken constraint"
	wrongValue      = "wrong objective"
	refusal         = "refused"
)

// errEndless is the error of a fit that its time limit does not end.
var errEndless = errors.New("the time limit does not end it")

// solve has octgen answer.
func (c *wide) solve() (*fit.Result, error) {
	type answer struct {
		res *fit.Result
		err error
	}
	answers := make(chan answer, 1)
	go func() {
		res, err := c.run()
		answers <- answer{res, err}
	}()
	select {
	case a := <-answers:
		return a.res, a.err
	case <-time.After(4 * wideLimit):
		return nil, errEndless
	}
}

func (c *wide) run() (res *fit.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			res, err = nil, fmt.Errorf("panic: %v", p)
		}
	}()
	ds, err := c.data()
	if err != nil {
		return nil, err
	}
	o := fit.Options{Method: c.method(), Start: c.start, Solve: solvers.Options{Threads: 1, Seed: 1, TimeLimit: wideLimit}, Engine: problem.Engine(c.engine)}
	return fit.Run(context.Background(), ds, o)
}

// data is the training file as octgen reads it.
func (c *wide) data() (*dataset.Dataset, error) {
	o := dataset.LoadOptions{Weight: "wt", CostMatrix: c.costMatrix()}
	if c.group != nil {
		o.Groups = []string{"grp"}
	}
	ds, err := dataset.Read(strings.NewReader(c.csv()), "wide.csv", o)
	if err != nil {
		return nil, err
	}
	for _, row := range c.costs {
		ds.Cost = append(ds.Cost, row...)
	}
	return ds, nil
}

func (c *wide) method() *problem.OCT {
	m := &problem.OCT{
		Shape:   problem.Shape{Levels: problem.Levels{Depth: problem.Depth(c.depth)}, Price: problem.Price{Alpha: c.alpha, MaxSplits: c.maxSplits}, Leaves: problem.Leaves{MinLeaf: c.minLeaf}},
		Encoded: problem.Encoded{Encoding: c.encoding}, Scale: c.scale,
		Rates:      constraint.Rates{Recall: c.ratesOf("recall"), Precision: c.ratesOf("precision"), Share: c.ratesOf("share"), Fair: c.ratesOf(""), Positive: c.positive()},
		Structural: constraint.Structural{MaxFeatures: c.maxFeatures},
	}
	if c.purity != "" {
		m.LeafPurity, _ = strconv.ParseFloat(c.purity, 64)
	}
	if prices := assigned(c.price, "%v"); prices != nil {
		m.FeatureCost = prices
	}
	m.Monotone = assigned(c.monotone, "%+d")
	if order := c.classOrder(); order != nil {
		m.ClassOrder = []string{strings.Join(order, ",")}
	}
	return m
}

// judge holds octgen's answer against all trees.
func (c *wide) judge() verdict {
	res, err := c.solve()
	o := newOracle(&c.exactCase)
	tree, value := o.best()
	right := "no tree keeps the constraints"
	if tree != nil {
		right = fmt.Sprintf("the optimum is %s with %d splits, predicting %s", figure(value), tree.splits, o.predictions(tree))
	}
	v := o.judge(res, err, value)
	if v.kind != "" {
		v.text += "; " + right
	}
	return v
}

func figure(v *big.Rat) string {
	f, _ := v.Float64()
	return text(f)
}

// predictions are the classes of the rows, in their order.
func (o *oracle) predictions(t *outcome) string {
	names := make([]string, o.n())
	for i := range names {
		for k := range o.k {
			if t.predicted[k]>>i&1 == 1 {
				names[i] = classNames[k]
			}
		}
	}
	return strings.Join(names, " ")
}

// judge holds an answer against the least value of trees that keep all constraints
// exactly, nil for no tree.
func (o *oracle) judge(res *fit.Result, err error, least *big.Rat) verdict {
	switch {
	case errors.Is(err, errEndless), res != nil && res.Search != nil && res.Search.Limit == "time":
		return say(unproved, "not answered within %v: %v", wideLimit, err)
	case errors.Is(err, fit.ErrInfeasible) && least != nil:
		return say(wrongInfeasible, "error: %v", err)
	case errors.Is(err, fit.ErrInfeasible):
		return verdict{}
	case errors.Is(err, fit.ErrNoTree):
		return o.judgeBound(res, least, say(unproved, "error: %v", err))
	case errors.Is(err, fit.ErrInput):
		if least == nil || !held(least) {
			return verdict{}
		}
		if strings.Contains(err.Error(), "far apart") { // the objective, or the model, is beyond the largest float64
			return say(unproved, "error: %v", err)
		}
		return say(refusal, "error: %v", err)
	case err != nil:
		return say(failed, "error: %v", err)
	case res.Tree == nil:
		return say(failed, "no tree, status %s", res.Status)
	}
	t, wrong := o.walk(res)
	if wrong != "" {
		return say(wrongTree, "%s", wrong)
	}
	own := o.value(t)
	if !agrees(res.Objective, own) {
		return say(wrongValue, "the objective is %s, that of the tree %s", pointed(res.Objective), figure(own))
	}
	if v := o.judgeBound(res, least, verdict{}); v.kind != "" {
		return v
	}
	if res.Status != "optimal" {
		return say(unproved, "status %s, limit %q, objective %s, bound %s", res.Status, res.Limit, pointed(res.Objective), pointed(res.Bound))
	}
	if least != nil && own.Cmp(sum(least, leastNormal, product(roundTo, least), product(roundTo, own))) > 0 {
		return say(wrongOptimum, "optimal with objective %s, bound %s", pointed(res.Objective), pointed(res.Bound))
	}
	return verdict{}
}

// judgeBound returns otherwise, or what is wrong with a bound above the optimum.
func (o *oracle) judgeBound(res *fit.Result, least *big.Rat, otherwise verdict) verdict {
	if least == nil || res == nil || res.Bound == nil || rational(*res.Bound).Cmp(sum(least, leastNormal, product(roundTo, least))) <= 0 {
		return otherwise
	}
	if res.Objective != nil && *res.Objective == *res.Bound && res.Status == "optimal" {
		return otherwise // a wrong optimum
	}
	return say(wrongBound, "status %s, objective %s, bound %s", res.Status, pointed(res.Objective), pointed(res.Bound))
}

func pointed(v *float64) string {
	if v == nil {
		return "unknown"
	}
	return text(*v)
}

// leastNormal is the least number that a float64 has with all its digits.
var leastNormal = rational(math.Ldexp(1, -1022))

// held reports whether a float64 is large enough for a value.
func held(v *big.Rat) bool {
	f, _ := v.Float64()
	return !math.IsInf(f, 0)
}

// agrees reports whether a figure is right to the rounding of sums; one that is too large
// for a float64 is unknown.
func agrees(got *float64, want *big.Rat) bool {
	if got == nil || math.IsInf(*got, 0) || math.IsNaN(*got) {
		return got == nil && !held(want)
	}
	off := new(big.Rat).Sub(rational(*got), want)
	return off.Abs(off).Cmp(sum(leastNormal, product(roundTo, want))) <= 0
}

// walk sends the rows down octgen's tree, and says what it breaks; "" for nothing.
func (o *oracle) walk(res *fit.Result) (*outcome, string) {
	problem := ""
	no := func(format string, args ...any) {
		if problem == "" {
			problem = fmt.Sprintf(format, args...)
		}
	}
	var below func(at int, rows uint8, depth int) outcome
	below = func(at int, rows uint8, depth int) outcome {
		n := &res.Tree.Nodes[at]
		if n.Split == nil {
			if !o.heavy(rows, heldTo) {
				no("a leaf weighs %s", figure(o.weigh(rows)))
			}
			if !o.pure(rows, n.Class, heldTo) {
				no("a leaf is of class %s in %s of %s", classNames[n.Class], figure(o.weigh(rows&o.ofClass(n.Class))), figure(o.weigh(rows)))
			}
			t := outcome{low: o.place(n.Class), high: o.place(n.Class)}
			t.predicted[n.Class] = rows
			return t
		}
		if depth == 0 {
			no("the tree is too deep")
			return outcome{}
		}
		j := n.Split.Terms[0].Feature
		left := rows & o.where(func(i int) bool { return n.Split.Terms[0].Weight*o.x[i][j] < n.Split.Threshold })
		l, r := below(n.Left, left, depth-1), below(n.Right, rows&^left, depth-1)
		if !o.joins(j, &l, &r) {
			no("a split on f%d breaks the order", j+1)
		}
		return join(j, &l, &r)
	}
	t := below(0, uint8(1<<o.n()-1), o.depth)
	if o.maxSplits > 0 && t.splits > o.maxSplits {
		no("%d splits", t.splits)
	}
	if o.maxFeatures > 0 && bits.OnesCount8(t.used) > o.maxFeatures {
		no("%d features", bits.OnesCount8(t.used))
	}
	for _, r := range o.rates {
		if !o.keeps(r, t.predicted[r.class], heldTo) {
			no("%s of %s %s does not hold, predicting %s", r.kind, classNames[r.class], r.limit, o.predictions(&t))
		}
	}
	return &t, problem
}
