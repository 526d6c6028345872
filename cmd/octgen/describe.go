package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
)

// describeCmd is `octgen describe`.
type describeCmd struct {
	Data string `arg:"" name:"DATA.csv" help:"Labelled data."`
	dataFlags

	JSON bool `name:"json" group:"Output" help:"Print one JSON object instead of text."`
}

// Run says what was read.
func (c *describeCmd) Run(a *app) error {
	ds, err := a.input(c.Data).load(c.dataFlags.LoadOptions())
	if err != nil {
		return err
	}
	d := fit.DescribeData(ds)
	return a.print(c.JSON, &figures{Data: d}, func(w io.Writer) { printData(w, &d, true) })
}

// How many columns or classes a line lists, in how many characters, and of how many
// columns it says that values are missing.
const (
	mostNames = 12
	mostWidth = 90
	mostGaps  = 4
)

// printRead prints what was read for a fit, before anything is made of it: the
// training file and, where there are, the rows to test the tree on, those of testFile
// or a part of it.
func printRead(w io.Writer, ds, test *dataset.Dataset, testFile string, warnings bool) {
	d := fit.DescribeData(ds)
	printData(w, &d, warnings)
	switch {
	case test == nil:
	case testFile == "":
		label(w, "holdout", fmt.Sprintf("%d for training, %d for testing", ds.N(), test.N()))
	default:
		text := fmt.Sprintf("%s of %s", count(test.Source.Rows, "row", "rows"), printable(testFile))
		if dropped := test.Source.Rows - test.N(); dropped > 0 {
			text += fmt.Sprintf(", %d of them dropped since a value is missing", dropped)
		}
		label(w, "test data", text)
	}
	fmt.Fprintln(w)
}

// printData prints what was read of a training file.
func printData(w io.Writer, d *fit.Data, warnings bool) {
	label(w, "data", readText(d))
	of := func(kind dataset.ReadKind, text func(c *dataset.ReadColumn) string) string {
		var list []string
		for i := range d.Columns {
			if c := &d.Columns[i]; c.Kind == kind {
				list = append(list, text(c))
			}
		}
		return few(list)
	}
	name := func(c *dataset.ReadColumn) string { return printable(c.Name) }
	label(w, "numbers", of(dataset.ReadNumber, name))
	counted := func(c *dataset.ReadColumn) string { return fmt.Sprintf("%s (%d)", name(c), c.Categories) }
	label(w, "categories", of(dataset.ReadCategory, counted))
	label(w, "dates", of(dataset.ReadDate, func(c *dataset.ReadColumn) string {
		return fmt.Sprintf("%s (%s, days since %s)", name(c), c.Format, c.First)
	}))
	label(w, "rewards", of(dataset.ReadReward, name))
	label(w, "weight", of(dataset.ReadWeight, name))
	label(w, "groups", of(dataset.ReadGroup, counted))
	label(w, "ignored", of(dataset.ReadIgnored, name))
	var classes []string
	for _, c := range d.Reading.Classes {
		classes = append(classes, fmt.Sprintf("%s %d", printable(c.Class), c.Rows))
	}
	if d.Actions == nil {
		label(w, "class", of(dataset.ReadClass, name)+": "+few(classes))
	} else {
		label(w, "actions", actionsText(d.Actions))
	}
	if d.CostMatrix != nil {
		label(w, "costs", costsText(d.Reading.Classes, d.CostMatrix))
	}
	if warnings {
		for _, text := range d.Warnings {
			label(w, "warning", printable(text))
		}
	}
}

// costsText says what answers cost, as --cost-matrix has it: without what is as usual.
func costsText(classes []dataset.ClassRows, costs [][]float64) string {
	var list []string
	for i, row := range costs {
		for k, c := range row {
			if usual := i != k; usual && c != 1 || !usual && c != 0 {
				list = append(list, fmt.Sprintf("%s:%s=%s", printable(classes[i].Class), printable(classes[k].Class), strconv.FormatFloat(c, 'g', -1, 64)))
			}
		}
	}
	return few(append(list, "other wrong answers 1, right ones 0"))
}

// actionsText says what each action earns if it is taken for all rows.
func actionsText(actions []dataset.ActionRewards) string {
	var list []string
	for _, a := range actions {
		list = append(list, fmt.Sprintf("%s %s", printable(a.Action), asIs(a.Mean)))
	}
	return "mean reward " + few(list)
}

// readText says how many rows were read, and why some of them were dropped.
func readText(d *fit.Data) string {
	text := count(d.Reading.Rows, "row", "rows")
	if d.Dropped == 0 {
		if gaps := gapsText(d.Columns); gaps != "" {
			text += ", with values missing in " + gaps
		}
		return text
	}
	return fmt.Sprintf("%s, %d of them dropped since a value is missing: in %s (--missing mean or category keeps such rows)", text, d.Dropped, gapsText(d.Columns))
}

// gapsText names the columns with most values missing.
func gapsText(columns []dataset.ReadColumn) string {
	gaps := slices.DeleteFunc(slices.Clone(columns), func(c dataset.ReadColumn) bool { return c.Missing == 0 })
	slices.SortStableFunc(gaps, func(a, b dataset.ReadColumn) int { return cmp.Compare(b.Missing, a.Missing) })
	var list []string
	for _, c := range gaps[:min(len(gaps), mostGaps)] {
		list = append(list, fmt.Sprintf("%s %d", printable(c.Name), c.Missing))
	}
	if more := len(gaps) - mostGaps; more > 0 {
		list = append(list, count(more, "other column", "other columns"))
	}
	return strings.Join(list, ", ")
}

// few lists the first of the texts, one at least, and says how many there are.
func few(texts []string) string {
	width := 0
	for i, text := range texts {
		width += len(text) + len(", ")
		if i > 0 && (i == mostNames || width > mostWidth) {
			return fmt.Sprintf("%s, ... (%d in all)", strings.Join(texts[:i], ", "), len(texts))
		}
	}
	return strings.Join(texts, ", ")
}
