package problem

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/hyperplane"
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
	Rates
	Structural
	Fixing
	Keeping string `name:"margin" placeholder:"all|right" group:"Model" help:"Rows that keep the margin at the splits on their path: all (default), or right, those that are counted right; of the others each is an error, wherever it lies."`
}

var (
	_ Respecified = (*OCTH)(nil)
	_ OfTrees     = (*OCTH)(nil)
	_ StartShared = (*OCTH)(nil)
	_ LPStarted   = (*OCTH)(nil)
	_ Bounded     = (*OCTH)(nil)
	_ ByParts     = (*OCTH)(nil)
	_ Besides     = (*OCTH)(nil)
	_ Margined    = (*OCTH)(nil)
	_ Surrounded  = (*OCTH)(nil)
	_ specific    = (*OCTH)(nil)

	_ Constrainable = (*OCTH)(nil)
)

func init() { register(func() Method { return new(OCTH) }) }

// Info describes the method.
func (*OCTH) Info() Info {
	return Info{
		Name: "oct-h", Counts: "feature", Doc: "optimal classification tree with hyperplane splits by mixed-integer optimization (Bertsimas & Dunn 2017)", Proof: true,
		Engines: []Engine{MIO, Heuristic}, Settings: []string{"solver", "start", "threads"},
		Needs: hyperplane.Needs(),
		// Alternating begins with the trees of those before it; local search with its tree,
		// too, where it has a turn.
		Starts: []Start{{"cart", true}, {"msmt", true}, {"c45", false}, {"oc1", true}, {"rlp", true}, {"fm-tree", false}, {"epts", true}, {"treesearch", true}, {"alternating", true}, {"local-search", true}},
	}
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
	} else if o := m.options(); (!s.Empty() || o.Fix != "") && m.margin() != hyperplane.All {
		return wrong(asked(o), "needs --margin all: of a row that is not right --margin %s knows no prediction", m.margin())
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
func (m *OCTH) options() constraint.Options { return options(&m.Rates, &m.Structural, &m.Fixing, nil) }

// Constraints are those in use.
func (m *OCTH) Constraints() *constraint.Set {
	s, _ := parse(m.options()) // which Validate has tried
	return s
}

// resolve reads the splits that stay, and refuses constraints that name what the data have
// not, and a least leaf that the margin cannot state for the data, whatever the engine: a
// heuristic would keep it in a problem that no program has.
func (m *OCTH) resolve(ctx context.Context, ds *dataset.Dataset, files Files) error {
	if err := m.read(files, ds); err != nil {
		return err
	}
	if err := ofData(m.Constraints(), ds, &m.Levels, false); err != nil {
		return err
	}
	return m.Formulation().FitsLeaves(ctx, ds)
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

// Program names the option in use that only a program has.
func (m *OCTH) Program() string {
	if m.Encoding == "" && len(m.Without) > 0 {
		return "without"
	}
	return m.Encoded.Program()
}

// Beyond refuses to do without a proof that stands beside the program.
func (m *OCTH) Beyond() error {
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
		Margin: m.margin(), Encoding: formulate.Encoding(m.Encoding), Without: m.Without, Constraints: m.Constraints(),
	}
}

// Trees is the shape of the trees looked for.
func (m *OCTH) Trees() Shape { return m.Shape }

// StartShare is the part of the time that starts may take, one over it: of this
// program a solver rarely finds more than its start.
func (*OCTH) StartShare() int { return 4 }

// LPStarts says that linear programs re-centre splits of starts.
func (*OCTH) LPStarts() {}

// Value is errors / Lhat + alpha x features over all splits, and the prices of the columns
// used; with margin right rows
// without the margin are errors too.
func (m *OCTH) Value(d *Data) func(*tree.Tree) float64 {
	if m.margin() == hyperplane.Right {
		o := m.Formulation()
		o.MinLeaf = 0 // of which the value knows nothing
		if l, err := d.Training(context.Background()); err == nil {
			o.Training = l
		}
		if rows, err := o.Data(context.Background(), d.Dataset); err == nil {
			return func(t *tree.Tree) float64 {
				return tree.Objective(rows.WrongWeight(t), rows.Baseline(), m.Alpha, t.Terms())
			}
		} // else no row is apart from another, and there is no margin to keep
	}
	scale, price := tree.ErrorScale(d.Dataset), pricesOf(m.Constraints(), d.Dataset)
	return func(t *tree.Tree) float64 {
		return tree.Objective(t.Evaluate(d.Dataset).ErrorWeight, scale, m.Alpha, t.Terms()) + price(t)
	}
}

// Build formulates the problem. The linear programs are those of starts.
func (m *OCTH) Build(ctx context.Context, d *Data, o BuildOptions) (*Model, error) {
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
	if o := m.options(); !m.Constraints().Empty() {
		spec.Constraints = &o
	}
	p := newModel(f, spec, began)
	p.Bound, p.Lattice, p.Precision = f.Bound(), f.Lattice(), f.Precision()
	p.Complexity, p.LeafTree = (*tree.Tree).Terms, true
	p.Tightenings = f.Tightenings()
	p.Lines = []string{
		fmt.Sprintf("form oct-h, depth %d, alpha %v, min-leaf %v, max-splits %v, mu %v", opts.Depth, opts.Alpha, opts.MinLeaf, limitText(opts.MaxSplits), opts.Mu),
		"margin " + string(opts.Margin),
		"encoding " + string(opts.Encoding),
	}
	for _, name := range spec.Without {
		p.Lines = append(p.Lines, "without "+name)
	}
	p.Lines = append(p.Lines, constraintLines(m.Constraints())...)
	return p, nil
}

// FromSpec returns the problem of a model; one that names no margin is older than the
// choice, and of margin all.
func (m *OCTH) FromSpec(s Spec, _ []string) (Problem, error) {
	p := &OCTH{Shape: s.shape(), Margin: Margin{s.Mu}, Encoded: Encoded{s.Encoding}, Reduced: Reduced{s.Without}, Keeping: s.Margin}
	p.Rates, p.Structural, p.Fixing, _ = fromOptions(s.Constraints)
	return p, nil
}
