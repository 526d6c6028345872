package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
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

// build builds the models of a form other than oct, that of the encoding asked for first.
func (c *inspectCmd) build(a *app, m problem.Method) error {
	if err := m.Info().NotWritten; err != nil {
		return badInput(err)
	}
	ds, err := a.input(c.Data).load(withGroups(c.dataFlags.LoadOptions(), m))
	if err == nil {
		err = withoutRewards(ds, "programs are")
	}
	if err != nil {
		return err
	}
	if m, err = a.forData(a.ctx, m, ds); err != nil {
		return err
	}
	data := problem.NewData(ds)
	sized := func(m problem.Method) (*problem.Model, error) {
		p, err := m.On(a.ctx, data, 0)
		if err != nil {
			return nil, err
		}
		return p.Build(a.ctx, problem.BuildOptions{LP: anyLP(), OmitNames: true})
	}
	in := &inspection{Data: fit.DescribeData(ds), Form: c.Form}
	first, err := sized(m)
	if errors.Is(err, formulate.ErrSingleLeaf) {
		in.SingleLeaf = message(err)
		return a.print(c.JSON, in, func(w io.Writer) { printInspection(w, in, ds) })
	}
	if err != nil {
		return badInput(err)
	}
	in.Depth = first.Spec.Depth
	in.Models = append(in.Models, describeModel(first))
	for _, encoding := range otherEncodings(m, first.Encoding) {
		spec := first.Spec
		spec.Encoding = encoding
		other, err := spec.Method(ds.Classes)
		var f *problem.Model
		if err == nil {
			f, err = sized(other)
		}
		if err != nil {
			in.Models = append(in.Models, builtModel{Encoding: encoding, Reason: message(err)})
			continue
		}
		in.Models = append(in.Models, describeModel(f))
	}
	return a.print(c.JSON, in, func(w io.Writer) { printInspection(w, in, ds) })
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
func printModels(w io.Writer, in *inspection) {
	name := in.Form
	if in.Depth > 0 {
		name = fmt.Sprintf("%s, depth %d", in.Form, in.Depth)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%s\trows\tcolumns\tbinaries\tnonzeros\tproducts\tcoefficients\t\n", name)
	for _, m := range in.Models {
		if m.Reason == "" {
			fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%s\t\n", m.Encoding, m.Rows, m.Columns, m.Binaries, m.Nonzeros, m.Products, interval(m.Least, m.Most))
		}
	}
	t.Flush()
	for _, m := range in.Models {
		if m.Reason != "" {
			label(w, m.Encoding, "none: "+m.Reason)
		}
	}
}
