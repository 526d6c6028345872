package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
)

// withGroups adds the columns that the constraints of m compare rows by to those that are
// read as groups.
func withGroups(o dataset.LoadOptions, m problem.Method) dataset.LoadOptions {
	c, ok := m.(problem.Constrainable)
	if !ok {
		return o
	}
	o.Groups = slices.Clone(o.Groups)
	for _, column := range c.GroupColumns() {
		if !slices.Contains(o.Groups, column) && !slices.Contains(o.GroupFeatures, column) {
			o.Groups = append(o.Groups, column)
		}
	}
	return o
}

// printConstraints prints a line for each constraint: what it is, and on which rows it is
// held.
func printConstraints(w io.Writer, all []fit.Constraint) {
	for i := range all {
		label(w, "constraint", constraintText(&all[i]))
	}
}

func constraintText(c *fit.Constraint) string {
	text, rows := c.Text+": ", "training rows"
	if c.Validation != nil {
		rows = "the training part"
	}
	switch {
	case c.Train == nil && c.Note == "":
		return c.Text
	case c.Train == nil:
		text += c.Note
	case c.Rule(): // of splits, whatever the rows
		return text + c.Note + map[bool]string{true: "", false: ", NOT HELD"}[c.Held]
	case c.Limit == nil:
		text += figure(*c.Train) + " paid"
	case c.Held:
		text += figure(*c.Train) + ", held on " + rows
	default:
		text += figure(*c.Train) + ", NOT HELD on " + rows
	}
	if c.Validation != nil && c.Limit != nil {
		text += fmt.Sprintf("; %s on validation rows", figure(*c.Validation))
	}
	if c.Test != nil && c.Limit != nil {
		text += fmt.Sprintf("; %s on test rows", figure(*c.Test))
		if c.TestHeld != nil && !*c.TestHeld {
			text += ", missed there"
		}
	}
	return text
}
