package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/oct"
)

// inspectCmd is `octgen inspect`.
type inspectCmd struct {
	Data string `arg:"" name:"DATA.csv" help:"Labelled data."`

	Form string `enum:"${forms}" default:"oct" group:"Model" help:"Formulation: ${enum}."`
	methodFlags
	dataFlags

	JSON bool `name:"json" group:"Output" help:"Print one JSON object instead of text."`
}

// inspection is what inspect prints with --json.
type inspection struct {
	Data       fit.Data          `json:"data"`
	Form       string            `json:"form"`
	Depth      int               `json:"depth"`
	SingleLeaf string            `json:"single_leaf,omitempty"` // why there is nothing to formulate
	Encodings  []*oct.Inspection `json:"encodings,omitempty"`   // of oct, the one asked for first
	Models     []builtModel      `json:"models,omitempty"`      // of other forms, likewise
	Search     *fit.Forecast     `json:"search,omitempty"`      // of oct: what the exact search would need
}

// Run lays out the model of oct in the encoding asked for and, to compare, in the other one of
// threshold and bigm. Models of other forms are built, in each encoding of the form.
func (c *inspectCmd) Run(a *app, parsed *kong.Context) error {
	choice, ds, err := c.modelled(a, parsed, &c.Form, c.Data, &c.dataFlags)
	if err != nil {
		return err
	}
	in := &inspection{Data: fit.DescribeData(ds), Form: c.Form}
	if c.Form == "oct" {
		if err = in.layOut(a.ctx, choice.Method, ds); err == nil {
			in.Search, err = fit.Foresee(a.ctx, choice.Method, ds)
		}
	} else {
		in.Depth, in.Models, err = a.buildModels(choice.Method, ds)
	}
	if errors.Is(err, formulate.ErrSingleLeaf) {
		in.SingleLeaf, err = message(err), nil
	}
	if err != nil {
		return badInput(err)
	}
	return a.print(c.JSON, in, func(w io.Writer) { printInspection(w, in, ds) })
}

// layOut describes the models of oct without building them.
func (in *inspection) layOut(ctx context.Context, m problem.Method, ds *dataset.Dataset) error {
	o, err := m.Info().OCT()
	if err != nil {
		return err
	}
	if o.Encoding == "" {
		o.Encoding = oct.Threshold
	}
	in.Depth = o.Depth
	other := o
	other.Encoding = oct.Threshold
	if o.Encoding == oct.Threshold {
		other.Encoding = formulate.BigM
	} else {
		other.Scale = ""
	}
	for _, o := range []oct.Options{o, other} {
		one, err := o.Inspect(ctx, ds)
		if err != nil {
			return err
		}
		in.Encodings = append(in.Encodings, one)
	}
	return nil
}

func printInspection(w io.Writer, in *inspection, ds *dataset.Dataset) {
	target := count(in.Data.Classes, "class", "classes")
	if ds.Kind() == dataset.Numbers {
		target = "numbers to be predicted"
	}
	label(w, "data", fmt.Sprintf("%s: %s, %s, %s", in.Data.File, count(in.Data.Rows, "row", "rows"),
		count(in.Data.Features, "feature", "features"), target))
	if dropped := ds.Source.Rows - ds.N(); dropped > 0 {
		label(w, "dropped", count(dropped, "row", "rows")+" with missing values")
	}
	for _, text := range in.Data.Warnings {
		label(w, "warning", printable(text))
	}
	if in.SingleLeaf != "" {
		label(w, "model", "none: "+in.SingleLeaf)
		return
	}
	if in.Encodings == nil {
		name := in.Form
		if in.Depth > 0 {
			name = fmt.Sprintf("%s, depth %d", in.Form, in.Depth)
		}
		printModels(w, name, in.Models)
		return
	}
	printProblem(w, in.Encodings[0])
	if s := in.Search; s != nil {
		label(w, "search", fmt.Sprintf("depth %d: %s, about %s of memory (a probe proved depth %d)", in.Depth, s.Time, byteSize(s.Memory), s.Proved))
		if s.Advice != "" {
			label(w, "advice", s.Advice)
		}
	}
	fmt.Fprintln(w)
	printSizes(w, in)
	fmt.Fprintln(w)
	label(w, "tightened", strings.Join(in.Encodings[0].Tightenings, ", "))
	for _, e := range in.Encodings {
		label(w, "proof", fmt.Sprintf("%s: %s", e.Encoding, e.Proof))
	}
	for _, text := range in.Encodings[0].Warnings {
		label(w, "warning", text)
	}
}

// printProblem prints what does not depend on the encoding.
func printProblem(w io.Writer, in *oct.Inspection) {
	label(w, "features", fmt.Sprintf("%d of %d vary, %s", in.Varying, in.Features, count(in.Thresholds, "candidate threshold", "candidate thresholds")))
	label(w, "merged", fmt.Sprintf("%d rows of equal features and class into %d, of %d different points", in.Rows, in.MergedRows, in.Points))
	label(w, "baseline", "error weight "+figure(in.Baseline)+" of the single leaf")
	text := "none: some tree has no errors"
	if in.UnavoidableWeight > 0 {
		text = errorCount(in.UnavoidableErrors) + " by any tree: rows of equal features and different classes"
		if in.UnavoidableErrors != in.UnavoidableWeight {
			text = fmt.Sprintf("error weight %s (%s rows) by any tree: rows of equal features and different classes", figure(in.UnavoidableWeight), figure(in.UnavoidableErrors))
		}
	}
	label(w, "unavoidable", text)
}

// printSizes prints a column per encoding.
func printSizes(w io.Writer, in *inspection) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(name string, of func(e *oct.Inspection) string) {
		fmt.Fprint(t, name, "\t")
		for _, e := range in.Encodings {
			fmt.Fprint(t, of(e), "\t")
		}
		fmt.Fprintln(t)
	}
	line(fmt.Sprintf("%s, depth %d", in.Form, in.Depth), func(e *oct.Inspection) string { return string(e.Encoding) })
	line("rows", func(e *oct.Inspection) string { return fmt.Sprint(e.Size.Rows) })
	line("columns", func(e *oct.Inspection) string { return fmt.Sprint(e.Size.Cols) })
	line("binaries", func(e *oct.Inspection) string { return fmt.Sprint(e.Size.Binaries) })
	line("nonzeros", func(e *oct.Inspection) string { return fmt.Sprint(e.Size.Nonzeros) })
	line("memory", func(e *oct.Inspection) string { return byteSize(e.Memory) })
	line("MPS file", func(e *oct.Inspection) string { return "about " + byteSize(e.MPSBytes) })
	line("epsilon", func(e *oct.Inspection) string { return interval(e.EpsMin, e.EpsMax) })
	line("big-M", func(e *oct.Inspection) string { return interval(e.MMin, e.MMax) })
	t.Flush()
}

// byteSize writes a number of bytes with three digits.
func byteSize(n int64) string {
	v := float64(n)
	for _, unit := range []string{"B", "kB", "MB", "GB"} {
		if v < 1000 {
			return fmt.Sprintf("%.3g %s", v, unit)
		}
		v /= 1000
	}
	return fmt.Sprintf("%.3g TB", v)
}
