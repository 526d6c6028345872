package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
)

// describeCmd is `octgen describe`.
type describeCmd struct {
	Data string `arg:"" name:"DATA.csv" help:"Labelled data."`
	dataFlags

	JSON bool `name:"json" group:"Output" help:"Print one JSON object instead of text."`
}

// Run says what is in every column, all that is wrong, and how to fit.
func (c *describeCmd) Run(a *app) error {
	e, ds, err := dataset.Examine(a.input(c.Data).open, c.Data, c.dataFlags.LoadOptions())
	if err != nil {
		return badInput(err)
	}
	f := figures{Examined: e}
	if ds != nil {
		f.Data = fit.DescribeData(ds)
	}
	return a.print(c.JSON, &f, func(w io.Writer) { printExamination(w, e, &f.Data, a.fitCommand(e)) })
}

// fitCommand is the command that fits a tree to what was described, with the flags that it needs.
func (a *app) fitCommand(e *dataset.Examination) string {
	words := []string{"octgen", "fit"}
	for _, arg := range a.args {
		if arg == "describe" && len(words) == 2 || arg == "--json" {
			continue
		}
		if strings.ContainsAny(arg, " \t\"'$&;|<>()*?#") {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		words = append(words, arg)
	}
	return strings.Join(append(words, e.Flags...), " ")
}

// printExamination prints the columns, and all that is wrong. d is empty where the file cannot be read as it is.
func printExamination(w io.Writer, e *dataset.Examination, d *fit.Data, command string) {
	if d.Reading != nil {
		label(w, "data", readText(d))
	} else {
		label(w, "data", count(e.Rows, "row", "rows"))
	}
	for _, text := range e.Recognised {
		label(w, "recognised", text)
	}
	if i := slices.IndexFunc(e.Columns, func(c dataset.ExaminedColumn) bool { return c.Kind == dataset.ReadClass }); i >= 0 && e.Classes != nil {
		if d.Reading != nil && d.Numbers != nil {
			label(w, "target", printable(e.Columns[i].Name)+": "+numbersText(d.Numbers))
		} else {
			label(w, "class", printable(e.Columns[i].Name)+": "+classesText(e.Classes))
		}
	}
	if d.Reading != nil && d.Actions != nil {
		label(w, "actions", actionsText(d.Actions))
	}
	if d.CostMatrix != nil {
		label(w, "costs", costsText(d.Reading.Classes, d.CostMatrix))
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "column\tkind\tmissing\tdistinct\trange\texample\tuse")
	for _, c := range e.Columns {
		between := ""
		if c.Least != "" {
			between = printable(c.Least) + " to " + printable(c.Most)
		}
		distinct, gaps := fmt.Sprint(c.Distinct), fmt.Sprint(c.Missing)
		if c.Distinct == 0 {
			distinct, gaps = "", ""
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", printable(c.Name), c.Kind, gaps, distinct, between, printable(c.Example), printable(c.Use))
	}
	t.Flush() // of a writer that reports its own errors
	fmt.Fprintln(w)
	for _, text := range e.Problems {
		label(w, "problem", printable(text))
	}
	for _, text := range e.Warnings {
		label(w, "warning", printable(text))
	}
	if e.Classes == nil && d.Reading == nil {
		command = "not before these problems are mended"
	}
	label(w, "fit", printable(command))
}
