package constraint

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/nearest"
	"github.com/octgen/octgen/tree"
)

// constraint is one of a Set.
type constraint interface {
	String() string // as Parse reads it, after the name of its flag and a colon
	bind(o *On) (bound, error)
}

// bound is a constraint on the rows of a dataset.
type bound interface {
	String() string
	value(p *predictions) Value
}

// On are the constraints on the rows of a dataset: what programs and searches take. The
// fields of kinds that are not asked for have their zero values.
type On struct {
	Data     *dataset.Dataset
	Columns  *Columns
	Warnings []string // of constraints that are left out, in whole or in part

	Rows        []Row      // of rate constraints
	Purity      float64    // least part of a leaf's class
	PuritySlack float64    // half a step of the sums that it compares with 0; see Row.Slack
	MaxFeatures int        // most columns that splits use; 0 for no limit
	FeatureCost []float64  // (columns) price of using one
	Forbidden   []bool     // (p)
	Fixed       *tree.Tree // upper splits that stay, which may be hyperplanes
	Monotone    []int8     // (p) +1, -1 or 0
	Rank        []int      // (K) place in the order of classes, with Monotone

	step   float64
	spread float64 // half the range of the numbers that are predicted
	list   []bound
}

func (o *On) predict(t *tree.Tree) *predictions {
	p := &predictions{tree: t, leaf: make([]int, o.Data.N()), class: make([]int, o.Data.N())}
	for i := range p.leaf {
		p.leaf[i] = t.Find(o.Data.Row(i))
		p.class[i] = t.Nodes[p.leaf[i]].Class
	}
	return p
}

// Values are what the constraints come to for t, in their order.
func (o *On) Values(t *tree.Tree) []Value {
	if len(o.list) == 0 {
		return nil
	}
	p := o.predict(t)
	all := make([]Value, len(o.list))
	for i, b := range o.list {
		all[i] = b.value(p)
		all[i].Text = b.String()
	}
	return all
}

// Broken lists the constraints that t does not hold, one sentence each; nil where it
// holds all.
func (o *On) Broken(t *tree.Tree) []string {
	var broken []string
	for _, v := range o.Values(t) {
		switch {
		case v.Held:
		case Rule(v.Text):
			broken = append(broken, fmt.Sprintf("the constraint %s is violated: %s", v.Text, v.Note))
		default:
			broken = append(broken, fmt.Sprintf("the constraint %s is violated: it is %s", v.Text, number(*v.Value)))
		}
	}
	return broken
}

// Price is the part of the objective that t pays for the columns it uses.
func (o *On) Price(t *tree.Tree) float64 {
	price := 0.0
	if o.FeatureCost != nil {
		for at, used := range o.Columns.Used(t) {
			if used {
				price += o.FeatureCost[at]
			}
		}
	}
	return price
}

// unitStep is what sums of weights are multiples of; 0 where there is no such number.
func (o *On) unitStep() float64 { return o.step }

func (o *On) addRow(c constraint, r Row, step, scale float64) {
	r.Text = c.String()
	r.settle(step, scale)
	o.Rows = append(o.Rows, r)
}

func (o *On) warn(c constraint, why string) {
	o.Warnings = append(o.Warnings, fmt.Sprintf("%s: %s", c, why))
}

func (o *On) leftOut(c constraint, why string) {
	o.warn(c, why+"; the constraint is left out")
}

func classIndex(d *dataset.Dataset, class string) (int, error) {
	for k, name := range d.Classes {
		if name == class {
			return k, nil
		}
	}
	return 0, fmt.Errorf("no class %s; %s", quote(class), nearest.Hint(class, d.Classes, "the classes are "+firstOf(d.Classes)))
}

// Value is what a constraint comes to for a tree on data.
type Value struct {
	Text  string      `json:"text"`
	Limit *float64    `json:"limit"` // nil: it is a price, which nothing limits
	Value *float64    `json:"value"` // nil where no row has its rate
	Held  bool        `json:"held"`
	Note  string      `json:"note,omitempty"`  // what Value alone does not say; of rules of splits, see [Rule], all of it
	Rates []GroupRate `json:"rates,omitempty"` // of fairness
}

// GroupRate is a rate of a level of a group.
type GroupRate struct {
	Level string   `json:"level"`
	Rate  string   `json:"rate"`  // what it is the rate of: predicted, true-positive, false-positive
	Rows  float64  `json:"rows"`  // source rows that it is over
	Value *float64 `json:"value"` // by weight; nil where there are no such rows
}

// predictions are what a tree makes of the rows of a dataset.
type predictions struct {
	tree  *tree.Tree
	leaf  []int // (n)
	class []int // (n)
}

// heldWithin is tolerance with room for the order in which sums are added up: searches and
// programs keep to tolerance, and what they keep is held.
const heldWithin = tolerance * (1 + 1e-3)

// atLeast and atMost are the values of constraints with limits from below and above.
func atLeast(v, limit float64) Value {
	return Value{Limit: &limit, Value: &v, Held: v >= limit-heldWithin}
}

func atMost(v, limit float64) Value {
	return Value{Limit: &limit, Value: &v, Held: v <= limit+heldWithin}
}

// tolerance is by how much of its rate a constraint may be missed and is held.
const tolerance = 1e-9

// Row is a linear form of predictions: sum_i G[i] q_i,Class <= H, over the rows of the
// dataset that it was bound to.
//
// Where all weights are whole numbers the sum has values of a lattice only, and H is one
// of them, the greatest that holds. A program writes H + Slack, half a step beyond, so
// that no solver's tolerance decides what holds.
type Row struct {
	Name  string    // of the row in programs: letters, digits, "_"
	Text  string    // of the constraint
	Class int       // whose predictions are counted
	G     []float64 // (n)
	H     float64
	Slack float64
}

// Sum is the row's left side for the classes that the rows are predicted (n).
func (r *Row) Sum(predicted []int) float64 {
	sum := 0.0
	for i, k := range predicted {
		if k == r.Class {
			sum += r.G[i]
		}
	}
	return sum
}

// leastStep is the step of a lattice below which a solver's tolerances could jump it.
const leastStep = 1e-4

// settle puts H on the lattice of the given step, 0 for none, at the greatest value that
// is within reach of the tolerance, scale being what the row's rate was multiplied by.
func (r *Row) settle(step, scale float64) {
	h := r.H + scale*tolerance
	if step < leastStep {
		r.H = h
		return
	}
	r.H = math.Floor(h/step+1e-9) * step
	r.Slack = step / 2
}

// whole reports whether all weights are whole numbers whose sums are exact.
func whole(d *dataset.Dataset) bool {
	total := 0.0
	for _, w := range d.Weight {
		if w != math.Trunc(w) {
			return false
		}
		total += w
	}
	return total <= dataset.MostUnits
}

// parts is the least b of 1, 10, 100, ... of which v is a whole number of parts 1/b; 0
// where none up to a million is.
func parts(v float64) float64 {
	for b := 1.0; b <= 1e6; b *= 10 {
		if math.Abs(v*b-math.Round(v*b)) < 1e-9 {
			return b
		}
	}
	return 0
}

func gcd(a, b float64) float64 {
	for b != 0 {
		a, b = b, math.Mod(a, b)
	}
	return a
}

// Columns are the columns of the source file that features come from; of data made in
// memory each feature is one.
type Columns struct {
	Names []string
	Of    []int // (p) column of each feature
	kind  []dataset.ColumnKind
	route []bool
}

func columnsOf(d *dataset.Dataset) *Columns {
	c := &Columns{}
	if d.Encoder == nil {
		for j, name := range d.Features {
			c.Names, c.Of, c.kind = append(c.Names, name), append(c.Of, j), append(c.kind, dataset.Numeric)
			c.route = append(c.route, false)
		}
		return c
	}
	for i := range d.Encoder.Columns {
		s := &d.Encoder.Columns[i]
		c.Names, c.kind, c.route = append(c.Names, s.Name), append(c.kind, s.Kind), append(c.route, s.Route)
	}
	c.Of = d.Encoder.Sources()
	return c
}

// find returns the index of a column.
func (c *Columns) find(name string) (int, error) {
	for i, n := range c.Names {
		if n == name {
			return i, nil
		}
	}
	return -1, fmt.Errorf("no feature column %s; %s", quote(name), nearest.Hint(name, c.Names, "the columns are "+strings.Join(c.Names, ", ")))
}

// Used says which columns some split of t uses.
func (c *Columns) Used(t *tree.Tree) []bool {
	used := make([]bool, len(c.Names))
	for _, j := range t.FeaturesUsed() {
		used[c.Of[j]] = true
	}
	return used
}

// Rule reports whether a constraint, by its text, is a rule of splits that a tree keeps or
// breaks, whatever the rows: its value counts what breaks it, and its note says what that is.
func Rule(text string) bool {
	flag, _, _ := strings.Cut(text, ":")
	return slices.ContainsFunc(kinds, func(k kind) bool { return k.rule && k.flag == flag })
}
