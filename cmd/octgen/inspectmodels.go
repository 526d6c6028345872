package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
)

// builtModel is the size of a model that was built, or why there is none.
type builtModel struct {
	Encoding string  `json:"encoding"`
	Reason   string  `json:"reason,omitempty"` // why it cannot be built
	Rows     int     `json:"rows"`
	Columns  int     `json:"columns"`
	Binaries int     `json:"binaries"`
	Nonzeros int     `json:"nonzeros"` // of the linear part
	Products int     `json:"products"` // quadratic terms
	Least    float64 `json:"coef_min"`
	Most     float64 `json:"coef_max"`
}

// buildModels builds the models of a form, that of the encoding asked for first, and returns
// its depth, 0 if it has none, and their sizes.
func (a *app) buildModels(m problem.Method, ds *dataset.Dataset) (depth int, sizes []builtModel, err error) {
	if m, err = a.forData(a.ctx, m, ds); err != nil {
		return 0, nil, err
	}
	data := problem.NewData(ds)
	built := func(m problem.Method) (*problem.Model, error) {
		p, err := m.On(a.ctx, data, 0)
		if err != nil {
			return nil, err
		}
		return p.Build(a.ctx, problem.BuildOptions{LP: anyLP(), OmitNames: true})
	}
	first, err := built(m)
	if err != nil {
		return 0, nil, err
	}
	sizes = append(sizes, describeModel(first))
	for _, encoding := range otherEncodings(m, first.Encoding) {
		spec := first.Spec
		spec.Encoding = encoding
		var f *problem.Model
		other, err := spec.Method(ds.Classes)
		if err == nil {
			f, err = built(other)
		}
		if err != nil {
			sizes = append(sizes, builtModel{Encoding: encoding, Reason: message(err)})
			continue
		}
		sizes = append(sizes, describeModel(f))
	}
	return first.Spec.Depth, sizes, nil
}

// otherEncodings lists the encodings of a form but one.
func otherEncodings(m problem.Method, one string) (names []string) {
	for _, n := range m.Info().Needs {
		if e := string(n.Encoding); e != one && !slices.Contains(names, e) {
			names = append(names, e)
		}
	}
	return names
}

func describeModel(f *problem.Model) builtModel {
	m := f.Model()
	coef := m.CoefRange()
	return builtModel{
		Encoding: f.Encoding, Rows: m.NumRows(), Columns: m.NumCols(), Binaries: m.NumDiscrete(), Nonzeros: m.NumNonzeros(),
		Products: len(m.QuadCost()) + len(m.QuadRows()), Least: coef.Min, Most: coef.Max,
	}
}

// printModels prints a line per encoding.
func printModels(w io.Writer, name string, models []builtModel) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%s\trows\tcolumns\tbinaries\tnonzeros\tproducts\tcoefficients\t\n", name)
	for _, m := range models {
		if m.Reason == "" {
			fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%s\t\n", m.Encoding, m.Rows, m.Columns, m.Binaries, m.Nonzeros, m.Products, interval(m.Least, m.Most))
		}
	}
	t.Flush()
	for _, m := range models {
		if m.Reason != "" {
			label(w, m.Encoding, "none: "+m.Reason)
		}
	}
}

func interval(low, high float64) string {
	switch {
	case high == 0:
		return "-"
	case low == high:
		return figure(low)
	}
	return figure(low) + " to " + figure(high)
}
