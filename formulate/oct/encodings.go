package oct

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/shape"
)

// kinds are the encodings of OCT, the default first; each stands in its own file.
var kinds = []kind{thresholdKind, flowKind, cutKind, binOCTKind, bigMKind, indicatorKind, publishedKind}

// kindOf is the encoding of a name, "" being the default; the zero kind for others.
func kindOf(e formulate.Encoding) kind {
	for _, k := range kinds {
		if k.name == e || e == "" {
			return k
		}
	}
	return kind{}
}

// FactsOf returns what is true of an encoding of OCT, "" being the default; nothing is
// of others.
func FactsOf(e formulate.Encoding) Facts { return kindOf(e).Facts }

// Encodings lists the encodings of OCT, the default first.
func Encodings() []formulate.Encoding {
	var all []formulate.Encoding
	for _, k := range kinds {
		all = append(all, k.name)
	}
	return all
}

// Needs lists the encodings with what a solver must take for each, the default first.
func Needs() []formulate.EncodingNeeds {
	var all []formulate.EncodingNeeds
	for _, k := range kinds {
		all = append(all, formulate.EncodingNeeds{Form: "oct", Encoding: k.name, Discrete: true, Indicator: k.Indicators})
	}
	return all
}

func (o Options) withDefaults() Options {
	if o.Encoding == "" {
		o.Encoding = kinds[0].name
	}
	if o.Scale == "" {
		o.Scale = RankScale
	}
	return o
}

// validate says which option is out of range, and what would be right.
func (o Options) validate() error {
	o = o.withDefaults()
	if err := shape.Check(o.Depth, o.Alpha, o.MinLeaf, o.MaxSplits); err != nil {
		return err
	}
	switch {
	case !slices.Contains(Encodings(), o.Encoding):
		return fmt.Errorf("formulate: OCT has no encoding %q; it has %q", o.Encoding, Encodings())
	case !o.Constraints.Empty() && !FactsOf(o.Encoding).Constrained:
		return fmt.Errorf("formulate: the encoding %s has no constraints; %s have", o.Encoding, constrainedText())
	case o.Scale != RankScale && o.Scale != MinMaxScale:
		return fmt.Errorf("formulate: scale is %q, expected %q or %q", o.Scale, RankScale, MinMaxScale)
	}
	return nil
}

// constrainedText lists the encodings that have constraints.
func constrainedText() string {
	var names []string
	for _, k := range kinds {
		if k.Constrained {
			names = append(names, string(k.name))
		}
	}
	return strings.Join(names, ", ")
}
