package report

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/internal/spreadsheet"
)

// tradeoff is a frontier of the spec on one data: errors against a limit.
type tradeoff struct {
	data, name, constraint string
	atMost                 bool
	points                 []limitPoint // by their limits
}

// limitPoint is a method of a frontier on one data.
type limitPoint struct {
	kept        // of the frontier's constraint
	limit       float64
	splitsOfAll int // that the method with the most of them has a result of
	trainError  *Row
	testError   *Row
	splits      *Row
	least       Row     // errors in percent of training rows below which no tree is, as far as that is proved
	gap         float64 // greatest of a fit that is not proved, %; NaN for none
}

// whole says whether every split has a tree: else its means are over other rows than those
// of its neighbours.
func (p *limitPoint) whole() bool { return p.trees > 0 && p.trees == p.splitsOfAll }

// allProved says whether the tree of every split is proved to be best.
func (p *limitPoint) allProved() bool { return p.whole() && p.ends.proved == p.ends.all }

// tradeoffs are the frontiers of the spec on each data of which there are results.
func (s *Summary) tradeoffs() []tradeoff {
	var all []tradeoff
	for _, d := range s.Spec.DataNames() {
		first := len(all)
		for i := range s.Spec.Methods {
			m := &s.Spec.Methods[i]
			if m.Frontier == nil || len(s.of(d, m.Name)) == 0 {
				continue
			}
			at := slices.IndexFunc(all[first:], func(t tradeoff) bool { return t.name == m.Frontier.Name && t.constraint == m.Frontier.Constraint })
			if at < 0 {
				at = len(all) - first
				all = append(all, tradeoff{data: d, name: m.Frontier.Name, constraint: m.Frontier.Constraint, atMost: m.Frontier.AtMost()})
			}
			t := &all[first+at]
			t.points = append(t.points, s.limitPoint(d, m))
		}
	}
	for _, t := range all {
		most := 0
		for i := range t.points {
			most = max(most, t.points[i].ends.all)
		}
		for i := range t.points {
			t.points[i].splitsOfAll = most
		}
		slices.SortFunc(t.points, func(a, b limitPoint) int { return cmp.Compare(a.limit, b.limit) })
	}
	return all
}

func (s *Summary) limitPoint(data string, m *spec.Method) limitPoint {
	records := s.of(data, m.Name)
	p := limitPoint{
		kept: keptBy(data, m.Name, m.Frontier.Text(), records), limit: m.Frontier.Limit,
		trainError: s.find(data, m.Name, "train_error"), testError: s.find(data, m.Name, metric.TestError), splits: s.find(data, m.Name, "splits"),
		gap: greatestGap(records),
	}
	var least []float64
	for _, r := range records {
		if v := leastErrors(m, r); finite(v) {
			least = append(least, v)
		}
	}
	if len(least) < p.trees { // a mean of others says nothing of all
		least = nil
	}
	p.least.describe(least)
	return p
}

// leastErrors is the part of the training rows, in percent, that every tree within the
// limits errs on, as far as a fit with a tree has proved it; NaN where its bound is not one
// on errors alone.
func leastErrors(m *spec.Method, r *run.Record) float64 {
	if r.Error != "" || r.Result == nil || r.Result.Train == nil || problem.IsTuned(r.Result.Method) || !m.CountsErrors() {
		return math.NaN()
	}
	s := r.Result.Train
	switch {
	case s.Cost != nil || s.ErrorWeight != s.Errors || s.Rows == 0:
		return math.NaN()
	case metric.Proved(r.Result):
		return metric.ErrorPercent(s)
	case r.Result.Bound == nil || s.Objective == nil || !(*s.Objective > 0):
		return math.NaN()
	}
	least := math.Ceil(*r.Result.Bound / *s.Objective * s.Errors - wholeErrors)
	return 100 * max(0, least) / s.Rows
}

// wholeErrors is by how much a bound may be above a whole number of errors and count as it.
const wholeErrors = 1e-6

// open says whether the errors of a point are not proved to be the least, but those are
// known below which no tree is.
func (p *limitPoint) open() bool { return p.whole() && !p.allProved() && p.least.N > 0 }

// greatestGap is the greatest gap of trees that are not proved, in percent; NaN for none.
func greatestGap(records []*run.Record) float64 {
	greatest := math.NaN()
	for _, r := range records {
		if r.Error != "" || r.Result == nil || r.Result.Train == nil || metric.Proved(r.Result) {
			continue
		}
		if gap := 100 * fit.ValueOr(r.Result.Gap, math.NaN()); !(gap <= greatest) {
			greatest = gap
		}
	}
	return greatest
}

// title says what the frontier is of.
func (t *tradeoff) title() string {
	return fmt.Sprintf("%s on %s: errors against the limit on %s", t.name, t.data, t.constraint)
}

// table is the frontier in figures.
func (t *tradeoff) table() *htmlTable {
	table := &htmlTable{Label: t.title(), Head: heads("limit", "training error, %", "test error, %", "value on training rows", "on test rows", "held on test rows", "splits", "proof")}
	table.Head[len(table.Head)-1].Class = "says"
	open := slices.ContainsFunc(t.points, func(p limitPoint) bool { return p.open() })
	if open {
		table.Head = slices.Insert(table.Head, 2, htmlCell{Text: "no tree below, %"})
	}
	for i := range t.points {
		p := &t.points[i]
		row := htmlRow{Head: t.limitText(p.limit)}
		for _, r := range []*Row{p.trainError, p.testError} {
			c := figureCell(r)
			c.Failed = 0
			row.Cells = append(row.Cells, c)
		}
		if open {
			row.Cells = slices.Insert(row.Cells, 1, figureCell(&p.least))
		}
		splits := figureCell(p.splits)
		splits.Failed, splits.Error = 0, "" // which is no news
		row.Cells = append(row.Cells, valueCell(&p.train), valueCell(&p.test), heldCell(p.testHeld, p.tested), splits, htmlCell{Text: p.proof(), Class: "says"})
		table.Rows = append(table.Rows, row)
	}
	return table
}

// proof says what is proved of a limit.
func (p *limitPoint) proof() string {
	text := p.ends.String()
	if finite(p.gap) {
		text += ", gap up to " + number(p.gap, 2) + " %"
	}
	return text
}

// limitText is a limit as a heading.
func (t *tradeoff) limitText(limit float64) string {
	sign := "≥ "
	if t.atMost {
		sign = "≤ "
	}
	return sign + strconv.FormatFloat(limit, 'g', -1, 64)
}

// writeFrontiers writes frontier.csv: a line for each data, frontier and limit.
func (s *Summary) writeFrontiers(w io.Writer) error {
	lines := [][]string{{
		"data", "frontier", "constraint", "limit", "method", "tasks", "trees", "proved", "infeasible", "failed", "gap",
		"train_error", "train_error_std_error", "train_error_least", "test_error", "test_error_std_error",
		"train_value", "train_value_std_error", "test_value", "test_value_std_error", "train_held", "test_held", "splits",
	}}
	count := strconv.Itoa
	for _, t := range s.tradeoffs() {
		for i := range t.points {
			p := &t.points[i]
			line := []string{
				spreadsheet.Text(t.data), spreadsheet.Text(t.name), spreadsheet.Text(t.constraint), digits(p.limit), spreadsheet.Text(p.method),
				count(p.ends.all), count(p.trees), count(p.ends.proved), count(p.ends.infeasible), count(p.ends.failed), digits(p.gap),
			}
			line = append(line, digits(p.trainError.Mean), digits(p.trainError.StdError), digits(p.least.Mean))
			for _, r := range []*Row{p.testError, &p.train, &p.test} {
				line = append(line, digits(r.Mean), digits(r.StdError))
			}
			lines = append(lines, append(line, count(p.held), count(p.testHeld), digits(p.splits.Mean)))
		}
	}
	return csv.NewWriter(w).WriteAll(lines)
}
