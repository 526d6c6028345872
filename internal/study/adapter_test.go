//go:build cgo && !nohighs

package study

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/heuristics/localsearch"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers"
	_ "github.com/octgen/octgen/solvers/highs"
	"github.com/octgen/octgen/tree"
)

// This file is all that the study knows of octgen's interface: an instance becomes
// the options of a fit, its result an answer.

// claim is a status with the objective and the bound that go with it, in plain
// numbers; NaN where there is none.
type claim struct {
	status       string
	value, bound float64
}

// answer is what octgen says of an instance.
type answer struct {
	claim          // of the result as a whole
	said     claim // by the solver or search, as the result reports it
	err      error
	refused  bool // the error says that the input is at fault
	solver   string
	train    float64 // the objective of the tree, as the result has it
	nodes    []node  // of the tree, children after their parent; nil without one
	scope    string
	problem  string // what octgen's own check found
	errors   float64
	warnings []string
}

// node is a branch node, or a leaf where it has no weights.
type node struct {
	weights     []float64 // (p), of w.x < b; nil for a leaf
	b           float64
	left, right int
	class       int
}

func (in *instance) data() *dataset.Dataset {
	var x []float64
	for _, row := range in.x {
		x = append(x, row...)
	}
	ds, err := dataset.New(x, in.y, numbered("x", in.p()), numbered("c", in.k))
	if err != nil {
		panic(err)
	}
	copy(ds.Weight, in.w)
	return ds
}

func numbered(prefix string, n int) []string {
	var names []string
	for i := range n {
		names = append(names, fmt.Sprint(prefix, i))
	}
	return names
}

func (in *instance) options() fit.Options {
	o := fit.Options{Method: in.method(), Start: in.start, Solver: "highs", Solve: solvers.Options{Threads: 1, TimeLimit: in.limit}}
	switch {
	case in.engine == search:
		o.Start, o.Solver = "auto", ""
	case in.engine == indicator:
		o.Solver = rewriting{}.Name()
	case in.engine == rlp, in.engine == fm:
		o.Start = "none"
		if in.native {
			o.Solver, o.Engine, o.Start = "", problem.Search, "auto"
		}
	}
	return o
}

// method is the problem or the search of the instance's engine.
func (in *instance) method() problem.Method {
	shape := problem.Shape{
		Levels: problem.Levels{Depth: problem.Depth(in.depth)}, Price: problem.Price{Alpha: in.alpha, MaxSplits: in.maxSplits}, Leaves: problem.Leaves{MinLeaf: in.minLeaf},
	}
	perturbation := problem.Perturbation{Eps: in.eps}
	switch in.engine {
	case search:
		if in.seed%2 == 0 { // oct has the same search for its engine
			return &problem.OCT{Shape: shape}
		}
		return &problem.Treesearch{Shape: shape}
	case octH:
		m := &problem.OCTH{Shape: shape, Margin: problem.Margin{Mu: in.mu}}
		switch in.seed % 3 { // else the default, with proofs by parts where there is a start
		case 0:
			m.Encoding = "bigm"
		case 1:
			m.Encoding = "soct"
		}
		return m
	case rlp:
		if in.perturbed {
			return &problem.RLPP{Perturbation: perturbation}
		}
		return new(problem.RLP)
	case fm:
		return &problem.FM{FewFeatures: problem.FewFeatures{Perturbation: perturbation, Perturbed: in.perturbed}, Delta: in.delta}
	}
	return &problem.OCT{Shape: shape, Encoded: problem.Encoded{Encoding: string(in.engine)}}
}

// noAnswer claims nothing.
func noAnswer() *answer {
	none := claim{"", math.NaN(), math.NaN()}
	return &answer{claim: none, said: none, train: math.NaN(), errors: math.NaN()}
}

// solve has the engine answer the instance.
func (in *instance) solve() *answer {
	o := in.options()
	a := noAnswer()
	o.Notify = func(e fit.Event) {
		if e.Warning != "" {
			a.warnings = append(a.warnings, e.Warning)
		}
	}
	res, err := fit.Run(context.Background(), in.data(), o)
	a.err, a.refused = err, errors.Is(err, fit.ErrInput)
	if res == nil {
		return a
	}
	a.read(res)
	return a
}

func (a *answer) read(res *fit.Result) {
	a.claim = claim{res.Status, number(res.Objective), number(res.Bound)}
	if s := res.Solver; s != nil {
		a.solver, a.said = s.Name, claim{s.Status, number(s.Objective), number(s.Bound)}
	}
	if res.Train != nil {
		a.errors, a.train = res.Train.Errors, number(res.Train.Objective)
	}
	if res.Formulation != nil {
		a.scope = res.Formulation.Scope
	}
	if res.Check != nil {
		a.problem = res.Check.Problem
	}
	if res.Tree == nil {
		return
	}
	for _, n := range res.Tree.Nodes {
		m := node{class: n.Class, left: n.Left, right: n.Right}
		if n.Split != nil {
			m.weights, m.b = make([]float64, len(res.Tree.Features)), n.Split.Threshold
			for _, term := range n.Split.Terms {
				m.weights[term.Feature] = term.Weight
			}
		}
		a.nodes = append(a.nodes, m)
	}
}

func number(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

// model is the program of the instance as an MPS file.
func (in *instance) model() ([]byte, error) {
	highs, err := solvers.Lookup("highs")
	if err != nil {
		return nil, err
	}
	p, err := in.method().On(context.Background(), problem.NewData(in.data()), 0)
	if err != nil {
		return nil, err
	}
	f, err := p.Build(context.Background(), problem.BuildOptions{LP: solvers.Func(highs, solvers.Options{Threads: 1})})
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	_, err = mps.Write(&text, f.Model(), mps.Options{Dialect: mps.Gurobi}) // which has indicator rows
	return text.Bytes(), err
}

// localSearch is the tree of a search among hyperplanes that has the tree of nodes
// among its starts, nil for none.
func (in *instance) localSearch(t *testing.T, nodes []node, work int64) *answer {
	t.Helper()
	o := localsearch.Options{
		Depth: in.depth, Alpha: in.alpha, MinLeaf: in.minLeaf, MaxSplits: in.maxSplits, Hyperplanes: true, Mu: in.mu, Work: work, Seed: 1,
	}
	ds := in.data()
	if nodes != nil {
		o.Starts = []*tree.Tree{treeOf(ds, nodes)}
	}
	res, err := localsearch.Search(context.Background(), ds, o)
	if err != nil {
		t.Fatalf("%v\n%v", err, in)
	}
	a := &answer{}
	a.read(&fit.Result{Tree: res.Tree})
	return a
}

func treeOf(ds *dataset.Dataset, nodes []node) *tree.Tree {
	t := &tree.Tree{Features: ds.Features, Classes: ds.Classes}
	for _, n := range nodes {
		m := tree.Node{Class: n.class, Left: n.left, Right: n.right}
		if n.weights != nil {
			m.Split = &tree.Split{Threshold: n.b}
			for j, w := range n.weights {
				if w != 0 {
					m.Split.Terms = append(m.Split.Terms, tree.Term{Feature: j, Weight: w})
				}
			}
		}
		t.Nodes = append(t.Nodes, m)
	}
	t.Annotate(ds)
	return t
}

// rewriting solves models with indicator rows by HiGHS, which takes none: each
// becomes a big-M row with the least M that the bounds of the columns give.
type rewriting struct{}

func init() { solvers.Register(rewriting{}) }

func (rewriting) Name() string     { return "highs-without-indicators" }
func (rewriting) Version() string  { return "1" }
func (rewriting) Available() error { return nil }
func (rewriting) Capabilities() solvers.Capabilities {
	highs, err := solvers.Lookup("highs")
	if err != nil {
		panic(err)
	}
	c := highs.Capabilities()
	c.Indicator = true
	return c
}

func (r rewriting) Solve(ctx context.Context, m *mio.Model, o solvers.Options) (*mio.Solution, error) {
	linear, err := withoutIndicators(m)
	if err != nil {
		return nil, err
	}
	highs, err := solvers.Lookup("highs")
	if err != nil {
		return nil, err
	}
	s, err := highs.Solve(ctx, linear, o)
	if s != nil {
		s.Solver = r.Name()
	}
	return s, err
}

func withoutIndicators(m *mio.Model) (*mio.Model, error) {
	b := mio.NewBuilder(m.Name())
	b.SetSense(m.Sense())
	b.AddOffset(m.Offset())
	least, most := make([]float64, m.NumRows()), make([]float64, m.NumRows())
	for j := range m.NumCols() {
		b.AddCol(m.Costs()[j], m.ColLower()[j], m.ColUpper()[j], m.ColTypes()[j], "x", j)
	}
	for i := range m.NumRows() {
		b.AddRow(m.RowLower()[i], m.RowUpper()[i], "r", i)
	}
	for j := range m.NumCols() {
		rows, coefs := m.Column(j)
		for k, i := range rows {
			b.Add(mio.Row(i), mio.Col(j), coefs[k])
			at, other := coefs[k]*m.ColLower()[j], coefs[k]*m.ColUpper()[j]
			least[i], most[i] = least[i]+min(at, other), most[i]+max(at, other)
		}
	}
	for _, in := range m.Indicators() {
		low, high := m.RowLower()[in.Row], m.RowUpper()[in.Row]
		if !math.IsInf(low, -1) && !math.IsInf(high, 1) {
			return nil, fmt.Errorf("row %s has two sides", m.RowName(int(in.Row)))
		}
		// a.x <= high + (most - high)(1 - z), or with z where the row holds at 0.
		excess := most[in.Row] - high
		if math.IsInf(high, 1) {
			excess = least[in.Row] - low
		}
		if math.IsInf(excess, 0) || math.IsNaN(excess) {
			return nil, fmt.Errorf("row %s has columns without bounds", m.RowName(int(in.Row)))
		}
		if in.On {
			b.SetRowBounds(mio.Row(in.Row), low+excess, high+excess)
			b.Add(mio.Row(in.Row), mio.Col(in.Col), excess)
		} else {
			b.Add(mio.Row(in.Row), mio.Col(in.Col), -excess)
		}
	}
	return b.Model()
}
