package problem

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/linear"
	"github.com/octgen/octgen/heuristics/vertex"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// oneSplit is a method of one linear split, which lacks the options of trees.
type oneSplit struct{}

// hint says why.
func (oneSplit) hint(flag string) string {
	return map[string]string{
		"depth": "has one split", "alpha": "has one split", "max-splits": "has one split",
		"min-leaf": "has no least weight of a leaf", "mu": "asks for no margin",
	}[flag]
}

// formulation is the problem of a formulation of one linear split.
func (oneSplit) formulation(m Method, d *Data, build func(ctx context.Context, o BuildOptions) (*Model, error)) *Problem {
	return &Problem{
		Info: m.Info(), Method: m, Data: d, Shape: Shape{Levels: Levels{Depth: 1}}, Complexity: (*tree.Tree).Splits, Bound: unbounded, Build: build,
	}
}

func anywhere(*tree.Tree) string { return "" }

// sides tells warn, nil for nobody, which class a linear split of several separates.
func sides(d *Data, form string, warn func(string)) {
	if d.K() <= 2 || warn == nil {
		return
	}
	w := d.ClassWeights()
	heaviest := d.Classes[slices.Index(w, slices.Max(w))]
	warn(fmt.Sprintf("of the %d classes, %s separates the heaviest, %s, from the rest", d.K(), form, heaviest))
}

// leastError solves RLP or RLP-P for its tree.
func leastError(ctx context.Context, d *Data, lp mio.SolveFunc, o linear.RLPOptions) (*tree.Tree, error) {
	l, err := d.Training(ctx)
	if err != nil {
		return nil, err
	}
	o.Training = l
	f, err := o.Build(ctx, d.Dataset)
	if err != nil {
		return nil, err
	}
	sol, err := lp(ctx, f.Model())
	if err != nil {
		return nil, err
	}
	if !sol.Status.HasSolution() {
		return nil, fmt.Errorf("the linear program of the least error ended %s", sol.Status)
	}
	return f.Decode(sol.Values)
}

// splitStart makes a start of the split that a form begins with: nil where the
// model does not admit it or there is none.
func splitStart(ctx context.Context, f formulate.Formulation, t *tree.Tree, err error) (*Grown, error) {
	if errors.Is(err, formulate.ErrSingleLeaf) || err == nil && t == nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if _, err := f.Start(ctx, t); err != nil {
		return nil, nil
	}
	return &Grown{Name: "rlp", Tree: t}, nil
}

// RLP is the linear split by the robust linear program (Bennett 1992). Its search
// is a descent from vertex to vertex. As the start of other programs it is an
// algorithm, too.
type RLP struct {
	oneSplit
	Encoded
}

// Info describes the method.
func (m *RLP) Info() Info {
	return Info{
		Name: "rlp", Oblique: true, Measure: "mean distance inside the margin, per class", Doc: "linear split by the robust linear program (Bennett 1992)",
		Kind: Formulation, Proof: true, Grows: true, SelfProved: true, Hint: m.hint, OnlyMIO: m.onlyMIO(),
		Engines: []Engine{Search, MIO}, Settings: []string{"solver", "threads"}, Needs: needsOf("rlp"),
	}
}

// Validate refuses what no data make right.
func (m *RLP) Validate() error { return m.among("rlp", needsOf("rlp")) }

// On binds the method to data.
func (m *RLP) On(_ context.Context, d *Data, _ int) (*Problem, error) {
	p := m.formulation(m, d, func(ctx context.Context, o BuildOptions) (*Model, error) {
		return buildRLP(ctx, d, o, linear.RLPOptions{})
	})
	p.Search = func(ctx context.Context, o SearchOptions) (*Found, error) { return m.search(ctx, d, o) }
	p.Grow = func(ctx context.Context, t Task) (*Grown, error) { return m.grow(ctx, d, t) }
	return p, nil
}

// buildRLP formulates RLP or RLP-P.
func buildRLP(ctx context.Context, d *Data, o BuildOptions, opts linear.RLPOptions) (*Model, error) {
	began := time.Now()
	form := "rlp"
	if opts.Perturbed {
		form = "rlp-p"
	}
	sides(d, form, o.Warn)
	l, err := d.Training(ctx)
	if err != nil {
		return nil, err
	}
	opts.OmitNames, opts.Training = o.OmitNames, l
	f, err := opts.Build(ctx, d.Dataset)
	if err != nil {
		return nil, err
	}
	spec := Spec{Form: form, Encoding: string(linear.LinearProgram), Eps: f.Options().Eps, OmitNames: o.OmitNames}
	p := newModel(f, spec, began)
	p.Scope = anywhere
	p.Lines = []string{fmt.Sprintf("form %s, eps %v", form, f.Options().Eps)}
	return p, nil
}

// rlpOf returns the method of a written model.
func rlpOf(Spec, []string) (Method, error) { return new(RLP), nil }

// search is the native descent, whose multipliers prove the bound.
func (m *RLP) search(ctx context.Context, d *Data, o SearchOptions) (*Found, error) {
	sides(d, "rlp", o.Warn)
	l, err := d.Training(ctx)
	if err != nil {
		return nil, err
	}
	f, err := linear.RLPOptions{OmitNames: true, Training: l}.Build(context.WithoutCancel(ctx), d.Dataset)
	if err != nil {
		return nil, err
	}
	res, err := descend(ctx, l, 0, o.Seed)
	if err != nil {
		return nil, err
	}
	found := &Found{
		Name: "none", Tree: res.Tree, Status: mio.Feasible, Objective: res.Objective, Bound: res.Bound, Seconds: res.Stats.Total.Seconds(),
		StartObjective: math.NaN(), ObjectiveOf: f.Objective, Unbounded: true,
	}
	switch {
	case res.Stats.Stopped:
		found.Limit = mio.LimitOf(ctx)
	case verify.Near(res.Bound, res.Objective):
		found.Status, found.Bound = mio.Optimal, res.Objective // they differ by rounding
		found.Raw = "a descent from vertex to vertex, whose multipliers prove the bound"
	}
	return found, nil
}

// descend is the descent on rows in units: in those, classes of one weight tie, and a
// leaf's class does not depend on the scale. With eps it is that of RLP-P.
func descend(ctx context.Context, l *tree.Training, eps float64, seed uint64) (*vertex.RLPResult, error) {
	res, err := vertex.RLP(ctx, l.Rows, vertex.RLPOptions{Eps: eps, Seed: seed})
	if err != nil {
		return nil, err
	}
	res.Tree = l.InSource(res.Tree)
	return res, nil
}

// grow is the split as a start.
func (m *RLP) grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
	l, err := d.Training(ctx)
	if err != nil {
		return nil, err
	}
	eps := 0.0
	if t.For != nil && t.For.Name == "rlp-p" {
		eps = t.For.Linear.Eps
	}
	res, err := descend(ctx, l, eps, t.Seed)
	if err != nil {
		return nil, err
	}
	return &Grown{Name: "rlp", Tree: res.Tree, Limit: stopped(ctx, res.Stats.Stopped), Outcome: new(Outcome)}, nil
}

// RLPP is RLP with a price on the size of the weights (Bredensteiner & Bennett
// 1996, problem (10)).
type RLPP struct {
	oneSplit
	Encoded
	Perturbation
}

// Perturbation is the option of the error of RLP-P.
type Perturbation struct {
	Eps float64 `above:"0" below:"1" placeholder:"0.02" group:"Linear splits, fixed structures" help:"rlp-p, fm, lfm, fm-rlp-p: weight of |w| in the error of RLP-P."`
}

// Info describes the method.
func (m *RLPP) Info() Info {
	return Info{
		Name: "rlp-p", Oblique: true, Measure: "the same with the price of |w|", Doc: "rlp with a price on the size of the weights (Bredensteiner & Bennett 1996)",
		Kind: Formulation, Proof: true, Hint: m.hint, OnlyMIO: m.onlyMIO(),
		Engines: []Engine{MIO, Heuristic}, Settings: []string{"solver", "start", "threads"}, Needs: needsOf("rlp-p"), Starts: []Start{{"rlp", false}},
	}
}

// Validate refuses what no data make right.
func (m *RLPP) Validate() error { return m.among("rlp-p", needsOf("rlp-p")) }

// On binds the method to data.
func (m *RLPP) On(_ context.Context, d *Data, _ int) (*Problem, error) {
	p := m.formulation(m, d, func(ctx context.Context, o BuildOptions) (*Model, error) {
		return buildRLP(ctx, d, o, linear.RLPOptions{Perturbed: true, Eps: m.Eps})
	})
	p.Linear = &Linear{Eps: cmp.Or(m.Eps, linear.DefaultEps)}
	return p, nil
}

// rlpPOf returns the method of a written model.
func rlpPOf(s Spec, _ []string) (Method, error) {
	return &RLPP{Perturbation: Perturbation{s.Eps}}, nil
}
