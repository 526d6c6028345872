package problem

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/heuristics/alternating"
	"github.com/octgen/octgen/search/parts"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// OCTH is the optimal classification tree with hyperplane splits: Bertsimas & Dunn
// (2017), section 4.
type OCTH struct {
	Shape
	Margin
	Encoded
	Reduced
	constraint.Rates
	constraint.Structural
	Fixing
	Keeping string `name:"margin" placeholder:"all|right" group:"Model" help:"Rows that must keep the margin: all (default), or right: only correctly classified rows."`
}

// Info describes the method.
func (m *OCTH) Info() Info {
	info := Info{
		Name: "oct-h", Oblique: true, Doc: "optimal classification tree with hyperplane splits by mixed-integer optimization (Bertsimas & Dunn 2017)",
		Kind: Formulation, Proof: true, Counts: "feature", LPStarts: true, Margin: string(m.margin()),
		Engines: []Engine{MIO, Heuristic}, Settings: []string{"solver", "start", "threads"},
		Needs: hyperplane.Needs(),
		// Alternating begins with the trees of those before it, and local search with its tree
		// too if it has a turn.
		Starts:     []Start{{"cart", true}, {"msmt", true}, {"c45", false}, {"oc1", true}, {"rlp", true}, {"fm-tree", false}, {"epts", true}, {"treesearch", true}, {"alternating", true}, {"local-search", true}},
		StartShare: 4, // a solver rarely finds more than its start
		OnlyMIO:    m.onlyMIO(), NotWritten: m.notWritten(), Depth: &m.Depth, Shape: &m.Shape,
	}
	info.describe(m.options(), &m.Fixing)
	return info
}

// Validate refuses what no data make right.
func (m *OCTH) Validate() error {
	if !slices.Contains(hyperplane.Margins(), m.margin()) {
		return wrong("margin", "is %q; it is %s or %s", m.Keeping, hyperplane.All, hyperplane.Right)
	}
	if err := m.among("oct-h", hyperplane.Needs()); err != nil {
		return err
	}
	encoding := formulate.Encoding(m.Encoding)
	if states := hyperplane.FactsOf(encoding).Margin; m.Encoding != "" && states != m.margin() {
		return wrong("encoding", "%s states --margin %s; for --margin %s there %s", encoding, states, m.margin(), encodingsText(m.margin()))
	}
	if s, err := parse(m.options()); err != nil {
		return err
	} else if flag := asked(s, m.options()); flag != "" && m.margin() != hyperplane.All {
		return wrong(flag, "needs --margin all: of a row that is not right --margin %s knows no prediction", m.margin())
	}
	for _, name := range m.Without {
		switch tightening := slices.Contains(hyperplane.Tightenings(), name); {
		case !slices.Contains(hyperplane.Switches(), name):
			return wrong("without", "has no %q; of oct-h there are %s", name, strings.Join(hyperplane.Switches(), ", "))
		case tightening && m.Encoding != "" && !hyperplane.FactsOf(encoding).Tightened:
			return wrong("without", "%s is of the encodings soct and served; %s has no tightenings", name, encoding)
		}
	}
	return nil
}

// options are the constraints in use.
func (m *OCTH) options() constraint.Options {
	return m.Fixing.options(m.Rates, m.Structural, constraint.Univariate{})
}

// On binds the method to data. It refuses a minimum leaf size that the margin cannot state
// for the data, whatever the engine: a heuristic would keep it in a problem that no model
// has.
func (m *OCTH) On(ctx context.Context, d *Data, depth int) (*Problem, error) {
	o := *m
	on, err := bound(d.Dataset, &o.Fixing, &o.Levels, depth, false, o.options)
	if err == nil {
		err = o.Formulation().FitsLeaves(ctx, d.Dataset)
	}
	if err != nil {
		return nil, err
	}
	p := &Problem{
		Info: o.Info(), Method: &o, Data: d, Shape: o.Shape, Complexity: (*tree.Tree).Terms, Keep: on,
		Bound: d.bound, Value: o.value(d, on), Admits: o.admits(d, on),
		Build:        func(ctx context.Context, b BuildOptions) (*Model, error) { return o.build(ctx, d, on, b) },
		Beside:       new(Alternating), // unless an encoding is named, which asks for its model alone
		AxisParallel: &OCT{Shape: o.Shape, Rates: o.Rates, Structural: o.Structural, Fixing: o.Fixing},
		Hyperplanes:  &Hyperplanes{Mu: o.mu(), Right: o.margin() == hyperplane.Right}, BesideDoubts: o.Encoding != "", PartsShare: partsShare,
	}
	p.Parts = func(ctx context.Context, q PartsOptions) (*parts.Result, error) { return o.parts(ctx, p, q) }
	if o.Alpha == 0 && o.MaxSplits == 0 && o.Greatest() > 1 {
		p.PartsShare = clausesShare
	}
	return p, nil
}

// margin is the problem asked for.
func (m *OCTH) margin() hyperplane.Margin {
	if m.Keeping == "" {
		return hyperplane.All
	}
	return hyperplane.Margin(m.Keeping)
}

// encodingsText says which encodings a margin has.
func encodingsText(m hyperplane.Margin) string {
	var names []string
	for _, e := range hyperplane.EncodingsOf(m) {
		names = append(names, string(e))
	}
	if len(names) == 1 {
		return "is " + names[0]
	}
	return "are " + Listed(names)
}

// onlyMIO names the option in use that only a model has.
func (m *OCTH) onlyMIO() string {
	if m.Encoding == "" && len(m.Without) > 0 {
		return "without"
	}
	return m.Encoded.onlyMIO()
}

// notWritten refuses to do without a proof that stands beside the model.
func (m *OCTH) notWritten() error {
	for _, name := range m.Without {
		if slices.Contains(hyperplane.Proofs(), name) {
			return wrong("without", "%s is a proof that fit tries beside the program; a written program has only its tightenings: %s", name, strings.Join(hyperplane.Tightenings(), ", "))
		}
	}
	return nil
}

// Formulation returns the options of the program.
func (m *OCTH) Formulation() hyperplane.Options {
	return hyperplane.Options{
		Depth: m.Greatest(), Alpha: m.Alpha, MinLeaf: m.MinLeaf, MaxSplits: m.MaxSplits, Mu: m.Mu,
		Margin: m.margin(), Encoding: formulate.Encoding(m.Encoding), Without: m.Without, Constraints: m.Info().Constraints,
	}
}

// value is errors / Lhat + alpha x features over all splits, and the prices of the columns
// used; with margin right, rows without the margin are errors too.
func (m *OCTH) value(d *Data, on *constraint.On) func(*tree.Tree) float64 {
	price, value := columnPrices(on), octHValue(d, m.Alpha)
	every := func(t *tree.Tree) float64 { return value(t) + price(t) }
	if m.margin() == hyperplane.All {
		return every
	}
	layout := m.laidOut(d)
	return func(t *tree.Tree) float64 {
		rows := layout()
		if rows == nil { // no row is apart from another, and there is no margin to keep
			return every(t)
		}
		return tree.Objective(rows.WrongWeight(t), rows.Baseline(), m.Alpha, t.Terms())
	}
}

// build formulates the problem. The linear programs are those of starts.
func (m *OCTH) build(ctx context.Context, d *Data, on *constraint.On, o BuildOptions) (*Model, error) {
	began := time.Now()
	l, err := d.Training(ctx)
	if err != nil {
		return nil, err
	}
	opts := m.Formulation()
	opts.OmitNames, opts.LP, opts.Training = o.OmitNames, o.LP, l
	f, err := opts.Build(ctx, d.Dataset)
	if err != nil {
		return nil, err
	}
	opts = f.Options()
	spec := specOf("oct-h", opts.Encoding, opts.Depth, opts.Alpha, opts.MinLeaf, opts.MaxSplits)
	spec.Mu, spec.Margin, spec.OmitNames = opts.Mu, string(opts.Margin), opts.OmitNames
	for _, name := range hyperplane.Tightenings() {
		if slices.Contains(m.Without, name) {
			spec.Without = append(spec.Without, name)
		}
	}
	if o := m.options(); on != nil {
		spec.Constraints = &o
	}
	p := newModel(f, spec, began)
	p.Bound, p.Lattice, p.Precision = f.Bound(), f.Lattice(), f.Precision()
	p.Bounded, p.LeafTree, p.Widen = true, true, f.Widen
	p.Tightenings = f.Tightenings()
	p.Lines = []string{
		fmt.Sprintf("form oct-h, depth %d, alpha %v, min-leaf %v, max-splits %v, mu %v", opts.Depth, opts.Alpha, opts.MinLeaf, limitText(opts.MaxSplits), opts.Mu),
		"margin " + string(opts.Margin),
		"encoding " + string(opts.Encoding),
	}
	for _, name := range spec.Without {
		p.Lines = append(p.Lines, "without "+name)
	}
	p.Lines = append(p.Lines, constraintLines(m.Info().Constraints)...)
	return p, nil
}

// octHOf returns the method of a written model; one that names no margin is older than the
// choice, and of margin all.
func octHOf(s Spec, _ []string) (Method, error) {
	m := &OCTH{Shape: s.shape(), Margin: Margin{s.Mu}, Encoded: Encoded{s.Encoding}, Reduced: Reduced{s.Without}, Keeping: s.Margin}
	if o := s.Constraints; o != nil {
		m.Rates, m.Structural, m.Fixing = o.Rates, o.Structural, fixing(o)
	}
	return m, nil
}

// laidOut lays the data out as the models see them when first asked; nil if no rows are to
// be separated.
func (m *OCTH) laidOut(d *Data) func() *hyperplane.Data {
	return sync.OnceValue(func() *hyperplane.Data {
		o := m.Formulation()
		o.MinLeaf = 0 // of which rows and planes know nothing
		if l, err := d.Training(context.Background()); err == nil {
			o.Training = l
		}
		rows, err := o.Data(context.Background(), d.Dataset)
		if err != nil {
			return nil
		}
		return rows
	})
}

// marginRounding is what rounding may take of a margin, of 1. The tolerances of solvers,
// which are far greater, make no tree admitted here.
const marginRounding = 1e-12

// admits reports whether a tree is within the limits, holds the constraints and, unless only
// correctly classified rows have to, keeps the margin on all rows.
func (m *OCTH) admits(d *Data, on *constraint.On) func(*tree.Tree) bool {
	l := m.limits((*tree.Tree).Terms)
	layout := m.laidOut(d)
	return func(t *tree.Tree) bool {
		if l.Broken(t, d.Dataset) != nil || on != nil && on.Broken(t) != nil {
			return false
		}
		if t.Splits() == 0 || m.margin() == hyperplane.Right {
			return true
		}
		rows := layout()
		return rows != nil && rows.LeastMargin(t) >= m.mu()*(1-marginRounding)
	}
}

// parts proves by infeasible subsystems, row generation and blocks, see package
// search/parts. The result is nil if an encoding is named, which asks for that model alone,
// without a start, from which the trees of parts come, and under constraints, of which parts
// of the rows know nothing.
func (m *OCTH) parts(ctx context.Context, p *Problem, o PartsOptions) (*parts.Result, error) {
	if m.Encoding != "" || o.NoStart || p.Keep != nil {
		return nil, nil
	}
	l, err := p.Data.Training(ctx)
	if err != nil {
		return nil, err
	}
	form := m.Formulation()
	form.Training, form.LP = l, o.LP
	return parts.Prove(ctx, p.Data.Dataset, parts.Options{
		Form: form, Solve: o.Solve, Incumbent: o.Start, Seed: o.Seed, Progress: o.Progress,
		Value: p.Value, Admits: p.Admits,
		Improve: func(ctx context.Context, t *tree.Tree) *tree.Tree { return m.improved(ctx, p, l, t, o.Seed) },
	})
}

// improved is the best admitted tree of a descent from t, t itself where that is one.
func (m *OCTH) improved(ctx context.Context, p *Problem, l *tree.Training, t *tree.Tree, seed uint64) *tree.Tree {
	r, err := alternating.Search(ctx, p.Data.Dataset, alternating.Options{
		Depth: m.Greatest(), Alpha: m.Alpha, MinLeaf: m.MinLeaf, MaxSplits: m.MaxSplits, Mu: m.mu(), Right: m.margin() == hyperplane.Right,
		Starts: []*tree.Tree{t}, Restarts: -1, Seed: seed, Training: l, Enough: p.Bound(),
	})
	if err != nil {
		return t
	}
	return r.Tree
}
