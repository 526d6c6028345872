package gto

import (
	"fmt"
	"math"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/tree"
)

// DefaultBox is the box on weights and thresholds, in standardised units,
// where Options.Box is 0. Of 1199 random problems of at most 10 rows and 2
// features (small integers, and normal values), all vertices tried, a box of 1
// cut off the optimum in 834, of 10 in 107, of 100 in 6, of 1000 in none; but M
// grows with the box, and with it what a solver's tolerances can hide.
const DefaultBox = 100

// Options are the parameters of GTO. The zero value is the minimum error of
// the full tree of depth 2 (deeper where there are more than 4 classes), whose
// leaves have the classes 0, 1, ..., K-1, 0, 1, ... from left to right, as a
// mixed-integer linear program.
type Options struct {
	// Structure is the tree's shape with the classes of its leaves:
	// FullStructure, StructureOf a tree, ParseStructure, or made by hand. Where
	// it is nil, the full tree of depth Depth is taken with Labels as its leaf
	// classes from left to right, repeated as often as needed; no Labels are 0,
	// ..., K-1.
	Structure *Structure
	Depth     int
	Labels    []int

	Objective Objective          // default MinimumError
	Encoding  formulate.Encoding // default the first of Needs that fits the structure
	Norm      int                // p of the decision errors: 1 (default) or 2

	// Box bounds |w_j| and |gamma| of every decision, on standardised features;
	// 0 is DefaultBox. At least 1, which lets w = 0 send all rows one way. See
	// Formulation for what it means.
	Box float64

	OmitNames bool // leave columns and rows unnamed, for in-process solving

	// Training is the data that Build is given, laid out already; not written to. Nil:
	// Build lays it out.
	Training *tree.Training
}

// withDefaults fills in valid options for k classes and checks the structure.
func (o Options) withDefaults(k int) (Options, error) {
	o = o.withErrors()
	if o.Box == 0 {
		o.Box = DefaultBox
	}
	if o.Structure == nil {
		o.Structure = o.fullStructure(k)
	}
	if o.Structure.Leaf() {
		return o, fmt.Errorf("formulate: the structure is a single leaf; GTO needs a decision")
	}
	return o, o.Structure.validate(k, 0)
}

// withErrors fills in the options that say what the errors are.
func (o Options) withErrors() Options {
	if o.Objective == "" {
		o.Objective = MinimumError
	}
	if o.Norm == 0 {
		o.Norm = 1
	}
	return o
}

func (o Options) fullStructure(k int) *Structure {
	labels := o.Labels
	for c := 0; c < k && len(o.Labels) == 0; c++ {
		labels = append(labels, c)
	}
	depth := o.Depth
	if depth == 0 {
		for depth = 2; 1<<depth < k; depth++ {
		}
	}
	return FullStructure(depth, labels...)
}

// Validate says which option is out of range, and what would be right. Build
// checks those that depend on the data as well.
func (o Options) Validate() error {
	switch {
	case o.Structure == nil && (o.Depth < 0 || o.Depth > formulate.MaxDepth):
		return fmt.Errorf("formulate: depth is %d, expected 1 to %d, or 0 for the least that suits the classes", o.Depth, formulate.MaxDepth)
	case o.Structure != nil && (o.Depth != 0 || len(o.Labels) > 0):
		return fmt.Errorf("formulate: a structure and a depth or labels: expected one of the two")
	case o.Norm < 0 || o.Norm > 2:
		return fmt.Errorf("formulate: the norm is %d, expected 1 or 2", o.Norm)
	case o.Box != 0 && !(o.Box >= 1 && o.Box <= math.MaxFloat64):
		return fmt.Errorf("formulate: the box is %v, expected a finite number of at least 1", o.Box)
	}
	objective := o.Objective
	if objective == "" {
		objective = MinimumError
	}
	_, err := encodingNeeds(objective, o.Encoding)
	return err
}

// Objective is an error function of Bennett & Blue (1996), section 3.2.
type Objective string

const (
	// MinimumError sums, over the rows, the least of the leaf errors (18). The
	// default.
	MinimumError Objective = "minimum"
	// CountError counts the rows with an error at all their leaves (16).
	CountError Objective = "count"
	// ProductError sums, over the rows, the product of the leaf errors (20).
	ProductError Objective = "product"
)

// Objectives lists the objectives of GTO, the default first.
func Objectives() []Objective {
	return []Objective{MinimumError, CountError, ProductError}
}

// Multilinear is the encoding that names products by columns with quadratic rows.
const Multilinear formulate.Encoding = "multilinear"

// Needs lists the encodings of GTO with an objective and p = 1, the default
// first, with what a solver must take for each; nil for an unknown objective.
// Product error prefers Bilinear, which is for structures where no class has
// more than two leaves. With p = 2 all need quadratic terms but those of the
// count error, where p does not matter: see Formulation.Needs.
func Needs(o Objective) []formulate.EncodingNeeds {
	const form = "gto"
	gated := []formulate.EncodingNeeds{
		{Form: form, Encoding: formulate.MIO, Discrete: true},
		{Form: form, Encoding: formulate.Indicator, Discrete: true, Indicator: true},
	}
	bilinear := formulate.EncodingNeeds{Form: form, Encoding: formulate.Bilinear, Quadratic: true}
	switch o {
	case MinimumError:
		return append(gated, bilinear)
	case CountError:
		return gated
	case ProductError:
		return []formulate.EncodingNeeds{bilinear, {Form: form, Encoding: Multilinear, Quadratic: true}}
	}
	return nil
}

// encodingNeeds returns the entry of Needs for o and e; the zero Encoding
// stands for the default. The error says what there is.
func encodingNeeds(o Objective, e formulate.Encoding) (formulate.EncodingNeeds, error) {
	known := Needs(o)
	if known == nil {
		return formulate.EncodingNeeds{}, fmt.Errorf("formulate: GTO has no objective %q; it has %q", o, Objectives())
	}
	var names []formulate.Encoding
	for _, k := range known {
		if k.Encoding == e || e == "" {
			return k, nil
		}
		names = append(names, k.Encoding)
	}
	return formulate.EncodingNeeds{}, fmt.Errorf("formulate: GTO with the %s error has no encoding %q; it has %q", o, e, names)
}
