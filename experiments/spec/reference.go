package spec

import (
	"fmt"
	"slices"

	"github.com/octgen/octgen/internal/strict"
)

// Reference holds a paper's figures, to stand beside ours.
type Reference struct {
	Paper  string           `help:"Where they are from."`
	Note   string           `help:"What the figures are, and what differs; shown with them."`
	Values []ReferenceValue `help:"The figures."`
}

// ReferenceValue is a figure of a paper, in the metric's unit.
type ReferenceValue struct {
	Data   string  `required:"" help:"Name of the data."`
	Method string  `required:"" help:"Name of the method."`
	Metric string  `default:"test_error" enum:"${figures}" help:"Metric."`
	Value  float64 `required:"" help:"The figure, in the metric's unit."`
}

// Has says whether the paper has figures of a metric.
func (r *Reference) Has(metric string) bool {
	return slices.ContainsFunc(r.Values, func(v ReferenceValue) bool { return v.Metric == metric })
}

// Value is the paper's figure, nil where it has none.
func (r *Reference) Value(data, method, metric string) *float64 {
	for _, v := range r.Values {
		if v.Data == data && v.Method == method && v.Metric == metric {
			return &v.Value
		}
	}
	return nil
}

// check refuses figures of data and methods that are not there, and figures that are
// there twice. They are at the key "reference" of keys.
func (r *Reference) check(keys *strict.Keys, data, methods []string) error {
	knownData, knownMethods := set(data), set(methods)
	seen := make(map[ReferenceValue]bool, len(r.Values))
	for i, v := range r.Values {
		at := fmt.Sprintf("reference.values[%d]", i)
		same := ReferenceValue{v.Data, v.Method, v.Metric, 0}
		switch {
		case v.Data != AllData && !knownData[v.Data]:
			return noSuch(keys.At(at+".data"), "data", v.Data, append(slices.Clone(data), AllData))
		case !knownMethods[v.Method]:
			return noSuch(keys.At(at+".method"), "method", v.Method, methods)
		case seen[same]:
			return keys.At(at).Errorf("%s of %s on %s is there twice", v.Metric, v.Method, v.Data)
		}
		seen[same] = true
	}
	return nil
}

// set is the set of names.
func set(names []string) map[string]bool {
	s := make(map[string]bool, len(names))
	for _, name := range names {
		s[name] = true
	}
	return s
}
