package problem

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"time"

	"github.com/octgen/octgen/formulate/linear"
	"github.com/octgen/octgen/heuristics/vertex"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// RLP is the robust linear program of one linear split (Bennett 1992). Its search
// is a descent from vertex to vertex. As the start of other programs it is an
// algorithm, too.
type RLP struct{ oneSplit }

var (
	_ SelfProved  = (*RLP)(nil)
	_ Respecified = (*RLP)(nil)
	_ Algorithm   = (*RLP)(nil)
)

func init() { register(func() Method { return new(RLP) }) }

// Info describes the method.
func (*RLP) Info() Info {
	return Info{
		Name: "rlp", Measure: "mean distance inside the margin, per class", Doc: "the robust linear program of one linear split (Bennett 1992)", Proof: true,
		Engines: []Engine{Search, MIO}, Settings: []string{"solver", "threads"}, Needs: needsOf("rlp"),
	}
}

// Validate refuses what no data make right.
func (m *RLP) Validate() error { return m.among("rlp", needsOf("rlp")) }

// Build formulates the problem.
func (m *RLP) Build(ctx context.Context, d *Data, o BuildOptions) (*Model, error) {
	return buildRLP(ctx, d, o, linear.RLPOptions{})
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

// FromSpec returns the problem of a model.
func (m *RLP) FromSpec(s Spec, _ []string) (Problem, error) { return new(RLP), nil }

// Search is the native descent, whose multipliers prove the bound.
func (m *RLP) Search(ctx context.Context, d *Data, o SearchOptions) (*Found, error) {
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

// Crossable reports that the search is no check of the program: its own multipliers
// are.
func (*RLP) Crossable() bool { return false }

// SelfProved says that they prove the program's optimum.
func (*RLP) SelfProved() {}

// Searching says that the search has no options of its own.
func (*RLP) Searching() string { return "" }

// Grow is the split as a start.
func (m *RLP) Grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
	l, err := d.Training(ctx)
	if err != nil {
		return nil, err
	}
	eps := 0.0
	if p, ok := t.For.(*RLPP); ok {
		eps = cmp.Or(p.Eps, linear.DefaultEps)
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
	Perturbation
}

// Perturbation is the option of the error of RLP-P.
type Perturbation struct {
	Eps float64 `above:"0" below:"1" placeholder:"0.02" group:"Linear splits, fixed structures" help:"rlp-p, fm, lfm, fm-rlp-p: weight of |w| in the error of RLP-P."`
}

var _ Respecified = (*RLPP)(nil)

func init() { register(func() Method { return new(RLPP) }) }

// Info describes the method.
func (*RLPP) Info() Info {
	return Info{
		Name: "rlp-p", Measure: "the same with the price of |w|", Doc: "the same with a price on the size of the weights (Bredensteiner & Bennett 1996)", Proof: true,
		Engines: []Engine{MIO, Heuristic}, Settings: []string{"solver", "start", "threads"}, Needs: needsOf("rlp-p"), Starts: []Start{{"rlp", false}},
	}
}

// Validate refuses what no data make right.
func (m *RLPP) Validate() error { return m.among("rlp-p", needsOf("rlp-p")) }

// Build formulates the problem.
func (m *RLPP) Build(ctx context.Context, d *Data, o BuildOptions) (*Model, error) {
	return buildRLP(ctx, d, o, linear.RLPOptions{Perturbed: true, Eps: m.Eps})
}

// FromSpec returns the problem of a model.
func (m *RLPP) FromSpec(s Spec, _ []string) (Problem, error) {
	return &RLPP{Perturbation: Perturbation{s.Eps}}, nil
}
