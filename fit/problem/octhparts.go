package problem

import (
	"context"
	"sync"

	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/heuristics/alternating"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/search/parts"
	"github.com/octgen/octgen/tree"
)

// What proves trees of hyperplanes beside the whole program.

// layout is the data as the programs see it; nil where nothing is to be parted.
func (m *OCTH) layout(ctx context.Context, d *Data) *hyperplane.Data {
	o := m.Formulation()
	o.MinLeaf = 0 // of which rows and planes know nothing
	if l, err := d.Training(ctx); err == nil {
		o.Training = l
	}
	rows, err := o.Data(ctx, d.Dataset)
	if err != nil {
		return nil
	}
	return rows
}

// DataBound are the errors that rows with equal features and different classes force on
// every tree.
func (m *OCTH) DataBound(d *Data) float64 {
	w, _ := d.UnavoidableErrors()
	return w / tree.ErrorScale(d.Dataset)
}

// marginRounding is what rounding may take of a margin, of 1. The tolerances of solvers,
// which are far greater, make no tree admitted here.
const marginRounding = 1e-12

// Admits reports whether t is within the limits, holds the constraints and, unless only
// right rows have to, all rows keep the margin.
func (m *OCTH) Admits(t *tree.Tree, d *Data) bool { return m.admitting(d)(t) }

// admitting is Admits for many trees: the rows are laid out once, when a tree with a
// split is first asked about.
func (m *OCTH) admitting(d *Data) func(*tree.Tree) bool {
	l := verify.Limits{Depth: m.Greatest(), MinLeaf: m.MinLeaf, MaxSplits: m.MaxSplits, Complexity: (*tree.Tree).Terms}
	on, err := m.Constraints().On(d.Dataset)
	layout := sync.OnceValue(func() *hyperplane.Data { return m.layout(context.Background(), d) })
	return func(t *tree.Tree) bool {
		if err != nil || l.Broken(t, d.Dataset) != nil || on.Broken(t) != nil {
			return false
		}
		if t.Splits() == 0 || m.margin() == hyperplane.Right {
			return true
		}
		rows := layout()
		return rows != nil && rows.LeastMargin(t) >= m.mu()*(1-marginRounding)
	}
}

// Parts proves by infeasible subsystems, row generation and blocks, see package
// decompose; nil where an encoding is named, which asks for that program alone, without a
// start, from which the trees of parts come, and under constraints, of which parts of the
// rows know nothing.
func (m *OCTH) Parts(ctx context.Context, d *Data, o PartsOptions) (*parts.Result, error) {
	if m.Encoding != "" || o.NoStart || !m.Constraints().Empty() {
		return nil, nil
	}
	l, err := d.Training(ctx)
	if err != nil {
		return nil, err
	}
	form := m.Formulation()
	form.Training, form.LP = l, o.LP
	return parts.Prove(ctx, d.Dataset, parts.Options{
		Form: form, Solve: o.Solve, Incumbent: o.Start, Seed: o.Seed, Progress: o.Progress,
		Value: m.Value(d), Admits: m.admitting(d),
		Improve: func(ctx context.Context, t *tree.Tree) *tree.Tree { return m.improved(ctx, d, l, t, o.Seed) },
	})
}

// improved is the best admitted tree of a descent from t, t itself where that is one.
func (m *OCTH) improved(ctx context.Context, d *Data, l *tree.Training, t *tree.Tree, seed uint64) *tree.Tree {
	r, err := alternating.Search(ctx, d.Dataset, alternating.Options{
		Depth: m.Greatest(), Alpha: m.Alpha, MinLeaf: m.MinLeaf, MaxSplits: m.MaxSplits, Mu: m.mu(), Right: m.margin() == hyperplane.Right,
		Starts: []*tree.Tree{t}, Restarts: -1, Seed: seed, Training: l, Enough: m.DataBound(d),
	})
	if err != nil {
		return t
	}
	return r.Tree
}

// KeptBy says which rows keep the margin.
func (m *OCTH) KeptBy() string { return string(m.margin()) }

// Beside is the search that goes on while a solver works, unless an encoding is named.
func (m *OCTH) Beside() (a Algorithm, alone bool) { return new(Alternating), m.Encoding != "" }
