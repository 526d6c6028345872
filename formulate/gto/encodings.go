package gto

import (
	"fmt"

	"github.com/octgen/octgen/formulate"
)

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
