package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/octgen/octgen/mio"
)

// modelInfoCmd is `octgen model info`.
type modelInfoCmd struct {
	Model string `arg:"" name:"MODEL.mps" help:"Model, plain or gzip, - for standard input."`
	JSON  bool   `name:"json" help:"Print one JSON object instead of text."`
}

// modelInfo is the object that --json prints.
type modelInfo struct {
	File string `json:"file"`
	Name string `json:"name"`
	mio.Stats
	Warning string   `json:"warning,omitempty"` // of the spread of the matrix
	Notes   []string `json:"notes,omitempty"`   // where solvers would read the file otherwise
}

// Run prints the figures.
func (c *modelInfoCmd) Run(a *app) error {
	f, err := a.readModel(c.Model)
	if err != nil {
		return err
	}
	info := &modelInfo{File: f.path, Name: f.m.Name(), Stats: f.m.Stats(), Warning: f.m.CoefRange().Warning(), Notes: f.notes}
	return a.print(c.JSON, info, func(w io.Writer) { printModelInfo(w, f, info) })
}

func printModelInfo(w io.Writer, f *modelFile, s *modelInfo) {
	title := f.base()
	if s.Name != "" {
		title += ", named " + s.Name
	}
	label(w, "model", title)
	objective := s.Sense
	if s.Costs.Max > 0 {
		objective += ", costs " + spreadText(s.Costs)
	}
	if s.Offset != 0 {
		objective += ", constant " + figure(s.Offset)
	}
	label(w, "objective", objective)
	c, r := &s.Columns, &s.Rows
	label(w, "columns", tally(c.Total, []part{{c.Binary, "binary"}, {c.Integer, "integer"}, {c.Continuous, "continuous"}},
		[]part{{c.Free, "free"}, {c.Fixed, "fixed"}, {c.Empty, "in no row"}}))
	label(w, "rows", tally(r.Total, []part{{r.Equal, "="}, {r.Less, "<="}, {r.Greater, ">="}, {r.Range, "with a range"}, {r.Free, "without bounds"}},
		[]part{{r.Quadratic, "quadratic"}, {r.Indicator, "on a condition"}, {r.Empty, "without coefficients"}}))
	label(w, "nonzeros", fmt.Sprintf("%d, %s", s.Nonzeros, spreadText(s.Matrix)))
	label(w, "bounds", spreadText(s.Bounds))
	label(w, "right sides", spreadText(s.RightSides))
	if s.QuadraticCosts+s.QuadraticTerms > 0 {
		label(w, "quadratic", fmt.Sprintf("%s of the objective, %d of rows", count(s.QuadraticCosts, "term", "terms"), s.QuadraticTerms))
	}
	if s.SOS1+s.SOS2 > 0 {
		label(w, "sets", fmt.Sprintf("%d of type 1, %d of type 2", s.SOS1, s.SOS2))
	}
	label(w, "warning", s.Warning)
	for _, n := range s.Notes {
		label(w, "note", n)
	}
}

// part is a number of things of a kind.
type part struct {
	n    int
	kind string
}

// tally writes a total, what it is made of, and what else is to be said of its
// parts; kinds of which there are none are left out.
func tally(total int, of, also []part) string {
	text := fmt.Sprint(total)
	for _, list := range []struct {
		before string
		parts  []part
	}{{": ", of}, {"; ", also}} {
		var said []string
		for _, p := range list.parts {
			if p.n > 0 {
				said = append(said, fmt.Sprintf("%d %s", p.n, p.kind))
			}
		}
		if said != nil {
			text += list.before + strings.Join(said, ", ")
		}
	}
	return text
}

func spreadText(s mio.Spread) string {
	switch {
	case s.Max == 0:
		return "none but 0"
	case s.Min == s.Max:
		return fmt.Sprintf("all %.3g", s.Min)
	}
	return fmt.Sprintf("%.3g to %.3g", s.Min, s.Max)
}
