package formulate

import "fmt"

// Multilinear names products by columns with quadratic rows: an encoding of
// GTO, beside Bilinear, MIO and Indicator.
const Multilinear Encoding = "multilinear"

// GTOObjective is an error function of Bennett & Blue (1996), section 3.2.
type GTOObjective string

const (
	// MinimumError sums, over the rows, the least of the leaf errors (18). The
	// default.
	MinimumError GTOObjective = "minimum"
	// CountError counts the rows with an error at all their leaves (16).
	CountError GTOObjective = "count"
	// ProductError sums, over the rows, the product of the leaf errors (20).
	ProductError GTOObjective = "product"
)

// GTOObjectives lists the objectives of GTO, the default first.
func GTOObjectives() []GTOObjective {
	return []GTOObjective{MinimumError, CountError, ProductError}
}

// GTOEncodings lists the encodings of GTO with an objective and p = 1, the default
// first, with what a solver must take for each; nil for an unknown objective.
// Product error prefers Bilinear, which is for structures where no class has
// more than two leaves. With p = 2 all need quadratic terms but those of the
// count error, where p does not matter: see GTO.Needs.
func GTOEncodings(o GTOObjective) []EncodingNeeds {
	const form = "gto"
	gated := []EncodingNeeds{
		{Form: form, Encoding: MIO, Discrete: true},
		{Form: form, Encoding: Indicator, Discrete: true, Indicator: true},
	}
	bilinear := EncodingNeeds{Form: form, Encoding: Bilinear, Quadratic: true}
	switch o {
	case MinimumError:
		return append(gated, bilinear)
	case CountError:
		return gated
	case ProductError:
		return []EncodingNeeds{bilinear, {Form: form, Encoding: Multilinear, Quadratic: true}}
	}
	return nil
}

// gtoEncodingNeeds returns the entry of GTOEncodings for o and e; the zero Encoding
// stands for the default. The error says what there is.
func gtoEncodingNeeds(o GTOObjective, e Encoding) (EncodingNeeds, error) {
	known := GTOEncodings(o)
	if known == nil {
		return EncodingNeeds{}, fmt.Errorf("formulate: GTO has no objective %q; it has %q", o, GTOObjectives())
	}
	var names []Encoding
	for _, k := range known {
		if k.Encoding == e || e == "" {
			return k, nil
		}
		names = append(names, k.Encoding)
	}
	return EncodingNeeds{}, fmt.Errorf("formulate: GTO with the %s error has no encoding %q; it has %q", o, e, names)
}
