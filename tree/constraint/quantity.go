package constraint

import (
	"math"
	"slices"
	"strings"
)

// Quantity is what a constraint limits: its text, as a [Value] has it, without the limit.
// Of what has no limit it is the text.
func Quantity(text string) string {
	at := strings.LastIndexAny(text, "<>") // the limit is a number, which has none of them
	if at < 0 || !strings.HasPrefix(text[at+1:], "=") {
		return text
	}
	if _, err := limitOf(text[at+2:], -1e300, 1e300); err != nil {
		return text
	}
	return text[:at]
}

// ClassOf is the class of a quantity such as recall:CLASS, kind being what is before the
// colon; false for other quantities.
func ClassOf(quantity, kind string) (string, bool) {
	text, ok := strings.CutPrefix(quantity, kind+":")
	if !ok {
		return "", false
	}
	class, err := name(text)
	return class, err == nil
}

// Value is what a quantity, such as statistical-parity:sex@A,B, comes to by the rates of
// f; false where it is of another column, or where fewer than two of its levels have rows.
func (f *Fairness) Value(quantity string) (float64, bool) {
	parsed, err := parseFair(quantity+"<=1", f.Positive)
	if err != nil {
		return 0, false
	}
	c := parsed.(*fair)
	if c.column != f.Column {
		return 0, false
	}
	greatest, some := 0.0, false
	for _, r := range c.metric.rates() {
		if spread, ok := f.spread(r.name, c.levels); ok {
			greatest, some = max(greatest, spread), true
		}
	}
	return greatest, some
}

// spread is the greatest difference of a rate between levels, nil for all; false for fewer
// than two that have rows.
func (f *Fairness) spread(rate string, levels []string) (float64, bool) {
	low, high, n := math.Inf(1), math.Inf(-1), 0
	for _, r := range f.Rates {
		if r.Rate == rate && r.Value != nil && (levels == nil || slices.Contains(levels, r.Level)) {
			low, high = min(low, *r.Value), max(high, *r.Value)
			n++
		}
	}
	return high - low, n > 1
}
