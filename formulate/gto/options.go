package gto

import (
	"fmt"
	"math"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/tree"
)

// DefaultBox is the default box on weights and thresholds, in standardised units. In 1199 random
// problems of at most 10 rows and 2 features (small integers, and normal values), enumeration of
// all vertices showed that a box of 1 cut off the optimum in 834, of 10 in 107, of 100 in 6, of
// 1000 in none. But M grows with the box, and with it the errors that a solver's tolerances can
// hide.
const DefaultBox = 100

// Options are the parameters of GTO. The zero value is the minimum error of the full tree of depth
// 2 (deeper with more than 4 classes), whose leaves have the classes 0, 1, ..., K-1, 0, 1, ... from
// left to right, as a mixed-integer linear program.
type Options struct {
	// Structure is the tree's shape with the classes of its leaves: FullStructure, StructureOf a
	// tree, ParseStructure, or built by hand. nil means the full tree of depth Depth with Labels as
	// its leaf classes from left to right, repeated as often as needed; without Labels they are 0,
	// ..., K-1.
	Structure *Structure
	Depth     int
	Labels    []int

	Objective Objective          // default MinimumError
	Encoding  formulate.Encoding // default the first of Needs that fits the structure
	Norm      int                // p of the decision errors: 1 (default) or 2

	// Box bounds |w_j| and |gamma| of every decision on standardised features; 0 is DefaultBox. It
	// must be at least 1, so that w = 0 can send all rows to one side. See Formulation.
	Box float64

	OmitNames bool // leave variables and constraints unnamed, for in-process solving

	// Training is the layout of the data passed to Build, which only reads it. nil: Build lays out
	// the data.
	Training *tree.Training
}

// withDefaults sets valid options for k classes and checks the structure.
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

// withErrors sets the options that define the errors.
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

// Validate returns an error that names an option out of range and its valid values. Build also
// checks the options that depend on the data.
func (o Options) Validate() error {
	switch {
	case o.Structure == nil && (o.Depth < 0 || o.Depth > formulate.MaxDepth):
		return fmt.Errorf("formulate: depth is %d, expected 1 to %d, or 0 for the minimum that suits the classes", o.Depth, formulate.MaxDepth)
	case o.Structure != nil && (o.Depth != 0 || len(o.Labels) > 0):
		return fmt.Errorf("formulate: a structure excludes a depth and labels")
	case o.Norm < 0 || o.Norm > 2:
		return fmt.Errorf("formulate: the norm is %d, expected 1 or 2", o.Norm)
	case o.Box != 0 && !(o.Box >= 1 && o.Box <= math.MaxFloat64):
		return fmt.Errorf("formulate: the box is %v, expected a finite number >= 1", o.Box)
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
	// MinimumError sums, over the rows, the minimum of the leaf errors (18). It is the default.
	MinimumError Objective = "minimum"
	// CountError counts the rows with an error at all leaves of their class (16).
	CountError Objective = "count"
	// ProductError sums, over the rows, the product of the leaf errors (20).
	ProductError Objective = "product"
)

// Objectives lists the objectives of GTO, the default first.
func Objectives() []Objective {
	return []Objective{MinimumError, CountError, ProductError}
}

// Multilinear is the encoding that represents products by variables with quadratic constraints.
const Multilinear formulate.Encoding = "multilinear"

// Needs lists the encodings of GTO for an objective and p = 1, the default first, with what a
// solver must support for each; nil for an unknown objective. Product error prefers Bilinear, which
// requires a structure in which no class has more than two leaves. With p = 2, all need quadratic
// terms except those of the count error, for which p does not matter: see Formulation.Needs.
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
		return []formulate.EncodingNeeds{bilinear, {Form: form, Encoding: Multilinear, Quadratic: true, QuadRows: true}}
	}
	return nil
}

// encodingNeeds returns the entry of Needs for o and e; the zero Encoding means the default. The
// error lists the valid encodings.
func encodingNeeds(o Objective, e formulate.Encoding) (formulate.EncodingNeeds, error) {
	known := Needs(o)
	if known == nil {
		return formulate.EncodingNeeds{}, fmt.Errorf("formulate: GTO has no objective %q, only %q", o, Objectives())
	}
	var names []formulate.Encoding
	for _, k := range known {
		if k.Encoding == e || e == "" {
			return k, nil
		}
		names = append(names, k.Encoding)
	}
	return formulate.EncodingNeeds{}, fmt.Errorf("formulate: GTO with the %s error has no encoding %q, only %q", o, e, names)
}
