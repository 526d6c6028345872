package constraint

import (
	"fmt"

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

	step float64
	list []bound
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
			broken = append(broken, fmt.Sprintf("the constraint %s is not held: %s", v.Text, v.Note))
		default:
			broken = append(broken, fmt.Sprintf("the constraint %s is not held: it is %s", v.Text, number(*v.Value)))
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
	return 0, fmt.Errorf("no class %s; %s", quote(class), nearest.Hint(class, d.Classes, "the classes are "+quoted(d.Classes)))
}
