package dataset

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// DefaultNAValues are the texts of missing fields that LoadOptions has by default, the
// empty one included. Upper and lower case are told apart: a list of names may have a
// "Nan" in it.
func DefaultNAValues() []string {
	return []string{"", missingCategory, "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null"}
}

// legacyNAValues are those of encoders that name none: trees of schema_version 1.
var legacyNAValues = []string{"", missingCategory}

// notation says how the fields of a file are written.
type notation struct {
	missing map[string]bool // texts of missing fields
	starts  [256]bool       // their first bytes: most fields are told by theirs
	comma   bool            // the decimal mark
}

// plain is the notation of numbers that are not from a file.
var plain = newNotation(legacyNAValues, "")

func newNotation(naValues []string, decimal string) *notation {
	n := &notation{missing: make(map[string]bool), comma: decimal == ","}
	for _, s := range naValues {
		n.missing[s] = true
		if s != "" {
			n.starts[s[0]] = true
		}
	}
	return n
}

// isMissing reports whether a trimmed field has no value. An empty one never has.
func (n *notation) isMissing(s string) bool {
	return s == "" || n.starts[s[0]] && n.missing[s]
}

// classify returns the kind of a trimmed field and, for a number, its value;
// negative zero is returned as zero.
func (n *notation) classify(s string) (float64, cellKind) {
	if n.isMissing(s) {
		return 0, missing
	}
	if len(s) == 1 && '0' <= s[0] && s[0] <= '9' { // all fields of many a table
		return float64(s[0] - '0'), number
	}
	if n.comma {
		if strings.IndexByte(s, '.') >= 0 {
			return 0, text // a thousands separator more often than not
		}
		s = strings.Replace(s, ",", ".", 1)
	}
	if !isDecimal(s) {
		if isNonFinite(s) {
			return 0, nonFinite
		}
		return 0, text
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.Abs(v) > MaxAbs { // a decimal can fail by its size only
		return 0, outOfRange
	}
	return v + 0, number // -0 + 0 = +0
}

// format writes a number as a field of the file would have it.
func (n *notation) format(v float64) string {
	s := strconv.FormatFloat(v, 'g', -1, 64)
	if n.comma {
		s = strings.Replace(s, ".", ",", 1)
	}
	return s
}

func checkDecimal(decimal string) error {
	switch decimal {
	case "", ".", ",":
		return nil
	}
	return fmt.Errorf("decimal mark %q; want a point or a comma", decimal)
}

// naValues are the texts of missing fields by the options, sorted, the empty one
// included, and what missing fields are called where the options name them so: as a
// category, or by a code.
func (o *LoadOptions) naValues(codes map[string]float64) []string {
	texts := DefaultNAValues()
	if o.NAValues != nil {
		texts = []string{""}
		for _, s := range o.NAValues {
			texts = append(texts, strings.TrimSpace(s))
		}
		if _, coded := codes[missingCategory]; coded || o.Missing == MissingCategory {
			texts = append(texts, missingCategory)
		}
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}
