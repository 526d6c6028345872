package constraint

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// Fairness is what the metrics come to for a tree between the levels of a group.
type Fairness struct {
	Column   string        `json:"column"`
	Positive string        `json:"positive"` // class whose rates are compared
	Metrics  []MetricValue `json:"metrics"`
	Rates    []GroupRate   `json:"rates"`
}

// MetricValue is the greatest difference of two levels' rates, nil where fewer than two
// have rows for it.
type MetricValue struct {
	Metric Metric   `json:"metric"`
	Value  *float64 `json:"value"`
}

// FairnessOf reports every metric of t on d, of each group of d and each positive class:
// the one that is named or, with "", of two classes the second, of more every one.
func FairnessOf(t *tree.Tree, d *dataset.Dataset, positive string) ([]Fairness, error) {
	classes := []int{d.K() - 1}
	switch {
	case positive != "":
		k, err := classIndex(d, positive)
		if err != nil {
			return nil, &Error{Flag: "positive", Err: err}
		}
		classes[0] = k
	case d.K() > 2:
		classes = make([]int, d.K())
		for k := range classes {
			classes[k] = k
		}
	}
	var all []Fairness
	p := (&On{Data: d}).predict(t)
	for i := range d.Groups {
		for _, k := range classes {
			f, err := fairnessOf(d, &d.Groups[i], k, p)
			if err != nil {
				return nil, err
			}
			all = append(all, f)
		}
	}
	return all, nil
}

func fairnessOf(d *dataset.Dataset, g *dataset.Group, k int, p *predictions) (Fairness, error) {
	f := Fairness{Column: g.Name, Positive: d.Classes[k]}
	for _, m := range Metrics() {
		c := &fair{metric: m, column: g.Name, positive: d.Classes[k], most: math.Inf(1)}
		b, err := c.bind(&On{Data: d})
		if err != nil {
			return f, fmt.Errorf("constraint: %w", err)
		}
		v := b.value(p)
		f.Metrics = append(f.Metrics, MetricValue{m, v.Value})
		if m == StatisticalParity || m == EqualizedOdds { // which have all rates between them
			f.Rates = append(f.Rates, v.Rates...)
		}
	}
	return f, nil
}

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
