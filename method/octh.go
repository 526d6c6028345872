package method

import (
	"context"
	"fmt"
	"time"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/tree"
)

// OCTH is the optimal classification tree with hyperplane splits: Bertsimas & Dunn
// (2017), section 4.
type OCTH struct {
	Shape
	Margin
	Encoded
}

var (
	_ Respecified = (*OCTH)(nil)
	_ OfTrees     = (*OCTH)(nil)
	_ StartShared = (*OCTH)(nil)
	_ LPStarted   = (*OCTH)(nil)
)

func init() { register(func() Method { return new(OCTH) }) }

// Info describes the method.
func (*OCTH) Info() Info {
	return Info{
		Name: "oct-h", Counts: "feature", Doc: "optimal classification tree with hyperplane splits by mixed-integer optimization (Bertsimas & Dunn 2017)", Proof: true,
		Engines: []Engine{MIO, Heuristic}, Settings: []string{"solver", "start", "threads"},
		Needs: hyperplane.Needs(),
		// Where time is short, hyperplanes count for more than univariate trees.
		Starts: []Start{{"cart", true}, {"msmt", false}, {"c45", false}, {"oc1", true}, {"rlp", false}, {"local-search", true}, {"treesearch", true}},
	}
}

// Validate refuses what no data make right.
func (m *OCTH) Validate() error { return m.among("oct-h", hyperplane.Needs()) }

// Trees is the shape of the trees looked for.
func (m *OCTH) Trees() Shape { return m.Shape }

// StartShare is the part of the time that starts may take, one over it: of this
// program a solver rarely finds more than its start.
func (*OCTH) StartShare() int { return 4 }

// LPStarts says that linear programs re-centre splits of starts.
func (*OCTH) LPStarts() {}

// Value is errors / Lhat + alpha x features over all splits.
func (m *OCTH) Value(d *Data) func(*tree.Tree) float64 {
	scale := tree.ErrorScale(d.Dataset)
	return func(t *tree.Tree) float64 {
		return tree.Objective(t.Evaluate(d.Dataset).ErrorWeight, scale, m.Alpha, t.Terms())
	}
}

// Build formulates the problem. The linear programs are those of starts.
func (m *OCTH) Build(ctx context.Context, d *Data, o BuildOptions) (*Model, error) {
	began := time.Now()
	l, err := d.Training(ctx)
	if err != nil {
		return nil, err
	}
	f, err := hyperplane.Options{
		Depth: m.Greatest(), Alpha: m.Alpha, MinLeaf: m.MinLeaf, MaxSplits: m.MaxSplits, Mu: m.Mu,
		Encoding: formulate.Encoding(m.Encoding), OmitNames: o.OmitNames, LP: o.LP, Training: l,
	}.Build(ctx, d.Dataset)
	if err != nil {
		return nil, err
	}
	opts := f.Options()
	spec := specOf("oct-h", opts.Encoding, opts.Depth, opts.Alpha, opts.MinLeaf, opts.MaxSplits)
	spec.Mu, spec.OmitNames = opts.Mu, opts.OmitNames
	p := newModel(f, spec, began)
	p.Bound, p.Lattice, p.Precision = f.Bound(), f.Lattice(), f.Precision()
	p.Complexity, p.LeafTree = (*tree.Tree).Terms, true
	p.Lines = []string{
		fmt.Sprintf("form oct-h, depth %d, alpha %v, min-leaf %v, max-splits %v, mu %v", opts.Depth, opts.Alpha, opts.MinLeaf, limitText(opts.MaxSplits), opts.Mu),
		"encoding " + string(opts.Encoding),
	}
	return p, nil
}

// FromSpec returns the problem of a model.
func (m *OCTH) FromSpec(s Spec, _ []string) (Problem, error) {
	return &OCTH{Shape: s.shape(), Margin: Margin{s.Mu}, Encoded: Encoded{s.Encoding}}, nil
}
