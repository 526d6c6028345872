package report

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

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
	splitsOfAll int // maximum number of splits with a result over the methods
	trainError  *Row
	testError   *Row
	splits      *Row
	least       Row     // proved lower bound on the training error of any tree, in percent
	gap         float64 // maximum gap of the unproved fits, %; NaN for none
}

// whole reports whether every split has a tree; otherwise its means cover other rows than those of
// its neighbours.
func (p *limitPoint) whole() bool { return p.trees > 0 && p.trees == p.splitsOfAll }

// allProved reports whether the tree of every split is proved optimal.
func (p *limitPoint) allProved() bool { return p.whole() && p.ends.proved == p.ends.all }

// tradeoffs returns the frontiers of the spec on each data with results.
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
	if len(least) < p.trees { // a mean over some splits does not bound all
		least = nil
	}
	p.least.describe(least)
	return p
}

// leastErrors returns the proved lower bound on the training error, in percent, of every tree
// within the limits, for a fit with a tree; NaN if the fit's bound is not on errors alone.
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

// wholeErrors is the maximum distance of a bound above a whole number of errors at which it counts
// as that number.
const wholeErrors = 1e-6

// open reports whether the errors of a point are not proved minimal, but have a proved lower bound.
func (p *limitPoint) open() bool { return p.whole() && !p.allProved() && p.least.N > 0 }

// greatestGap returns the maximum gap of unproved trees, in percent; NaN for none.
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

// title returns the title of the frontier.
func (t *tradeoff) title() string {
	return fmt.Sprintf("%s on %s: errors against the limit on %s", t.name, t.data, t.constraint)
}

// table returns the frontier as a table.
func (t *tradeoff) table() *htmlTable {
	table := &htmlTable{Label: t.title(), Head: heads("limit", "training error, %", "test error, %", "value on training rows", "on test rows", "satisfied on test rows", "splits", "proof")}
	table.Head[len(table.Head)-1].Class = "says"
	open := slices.ContainsFunc(t.points, func(p limitPoint) bool { return p.open() })
	if open {
		table.Head = slices.Insert(table.Head, 2, htmlCell{Text: "lower bound, %"})
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
		splits.Failed, splits.Error = 0, "" // failures are reported elsewhere
		row.Cells = append(row.Cells, valueCell(&p.train), valueCell(&p.test), heldCell(p.testHeld, p.tested), splits, htmlCell{Text: p.proof(), Class: "says"})
		table.Rows = append(table.Rows, row)
	}
	return table
}

// proof describes the proofs for a limit.
func (p *limitPoint) proof() string {
	text := p.ends.String()
	if finite(p.gap) {
		text += ", gap up to " + number(p.gap, 2) + " %"
	}
	return text
}

// limitText returns a limit as a heading.
func (t *tradeoff) limitText(limit float64) string {
	sign := "≥ "
	if t.atMost {
		sign = "≤ "
	}
	return sign + strconv.FormatFloat(limit, 'g', -1, 64)
}

// writeFrontiers writes frontier.csv: a line per data, frontier and limit.
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

// Numbers of the two curves of a frontier, above those of methods: they have the first two colours,
// and the legend of methods does not hide them.
const (
	onTraining = 0x1000
	onTest     = 0x1001
)

// rowsShape returns the mark of a curve.
func rowsShape(rows int) draw.GlyphDrawer {
	if rows == onTest {
		return draw.BoxGlyph{}
	}
	return draw.CircleGlyph{}
}

// rowsGlyph returns the mark of a point, hollow if it is not proved.
func rowsGlyph(rows int, proved bool) draw.GlyphStyle {
	g := draw.GlyphStyle{Color: methodColor(rows), Radius: 3.4, Shape: rowsShape(rows)}
	if !proved {
		g.Shape = hollowGlyph{g.Shape}
	}
	return g
}

// pen is the style of a curve: its line, and its marks for proved and unproved points.
type pen struct {
	line  draw.LineStyle
	glyph func(proved bool) draw.GlyphStyle
}

// rowsPen returns the pen of the training or the test set.
func rowsPen(rows int) pen {
	l := draw.LineStyle{Color: methodColor(rows), Width: 1.3}
	if rows == onTest {
		l.Dashes = dashes[1]
	}
	return pen{l, func(proved bool) draw.GlyphStyle { return rowsGlyph(rows, proved) }}
}

// noTree marks limits that no tree satisfies.
var noTree = draw.GlyphStyle{Color: inkColor, Radius: 4, Shape: crossGlyph{}}

// crossGlyph is a cross that is visible among filled marks.
type crossGlyph struct{}

// DrawGlyph draws the cross.
func (crossGlyph) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, pt vg.Point) {
	c.SetLineStyle(draw.LineStyle{Color: sty.Color, Width: 1.6})
	r := sty.Radius * 0.9
	for _, d := range []vg.Length{-r, r} {
		var p vg.Path
		p.Move(vg.Point{X: pt.X - r, Y: pt.Y - d})
		p.Line(vg.Point{X: pt.X + r, Y: pt.Y + d})
		c.Stroke(p)
	}
}

// wholeTicks are the round ticks that are whole numbers.
type wholeTicks struct{}

// Ticks returns the ticks between low and high.
func (wholeTicks) Ticks(low, high float64) []plot.Tick {
	ticks := slices.DeleteFunc(roundTicks{}.Ticks(low, high), func(t plot.Tick) bool { return t.Value != math.Round(t.Value) })
	for i := range ticks {
		ticks[i].Label = number(ticks[i].Value, 0)
	}
	return ticks
}

// place returns the position of a point in a plot, with the ends of its vertical bar; NaN for none.
type place func(p *limitPoint) (x, y, low, high float64)

// spread returns a row's mean with its standard error on both sides.
func spread(x float64, r *Row) (float64, float64, float64, float64) {
	return x, r.Mean, r.Mean - r.StdError, r.Mean + r.StdError
}

// plain returns a place without a bar.
func plain(x, y float64) (float64, float64, float64, float64) { return x, y, math.NaN(), math.NaN() }

// proven returns the mean error with a bar down to the proved lower bound.
func proven(p *limitPoint) (x, y, low, high float64) {
	if p.open() {
		return p.limit, p.trainError.Mean, p.least.Mean, p.trainError.Mean
	}
	return plain(p.limit, p.trainError.Mean)
}

// figures draws a frontier: errors against the limit, the resulting value against the limit, and
// errors against that value.
func (t *tradeoff) figures() []*figure {
	quantity, _, _ := strings.Cut(t.constraint, ":")
	quantity += " on the rows"
	byLimit := newFigure("Errors by limit", "Errors by limit. "+t.words(), "limit", "error rate, %", plotHeight)
	byLimit.plot.Add(crossGrid())
	byLimit.curveOf(t, rowsPen(onTraining), proven)
	byLimit.curveOf(t, rowsPen(onTest), func(p *limitPoint) (x, y, low, high float64) { return spread(p.limit, p.testError) })
	byLimit.withoutTree(t)

	missed := "below"
	if t.atMost {
		missed = "above"
	}
	title := "Value, missed " + missed + " the dashes"
	kept := newFigure(title, title+". "+t.words(), "limit", quantity, plotHeight)
	kept.plot.Add(crossGrid())
	low, high := t.points[0].limit, t.points[len(t.points)-1].limit
	kept.path(plotter.XYs{{X: low, Y: low}, {X: high, Y: high}}, draw.LineStyle{Color: inkColor, Width: 0.8, Dashes: []vg.Length{3, 2}})
	kept.curveOf(t, rowsPen(onTraining), func(p *limitPoint) (x, y, low, high float64) { return plain(p.limit, p.train.Mean) })
	kept.curveOf(t, rowsPen(onTest), func(p *limitPoint) (x, y, low, high float64) { return spread(p.limit, &p.test) })

	against := newFigure("Errors by value", "Errors by value. "+t.words(), quantity, "error rate, %", plotHeight)
	against.plot.Add(crossGrid())
	against.curveOf(t, rowsPen(onTraining), func(p *limitPoint) (x, y, low, high float64) { return plain(p.train.Mean, p.trainError.Mean) })
	against.curveOf(t, rowsPen(onTest), func(p *limitPoint) (x, y, low, high float64) { return plain(p.test.Mean, p.testError.Mean) })

	all := []*figure{byLimit, kept, against}
	for _, f := range all {
		fix(&f.plot.X)
		fix(&f.plot.Y)
		if t.whole() {
			f.plot.X.Tick.Marker = wholeTicks{}
		}
	}
	if t.whole() {
		kept.plot.Y.Tick.Marker = wholeTicks{}
	}
	return all
}

// whole reports whether the limits are counts.
func (t *tradeoff) whole() bool { return t.constraint == "max-features" }

// curveOf draws the points for which every split has a tree, connected by a line.
func (f *figure) curveOf(t *tradeoff, of pen, at place) {
	var line plotter.XYs
	for i := range t.points {
		p := &t.points[i]
		x, y, low, high := at(p)
		if !p.whole() || !finite(x) || !finite(y) {
			continue
		}
		line = append(line, plotter.XY{X: x, Y: y})
		if low < high {
			f.path(plotter.XYs{{X: x, Y: low}, {X: x, Y: high}}, draw.LineStyle{Color: of.line.Color, Width: 0.8})
		}
	}
	f.path(line, of.line)
	for i := range t.points {
		if p := &t.points[i]; p.whole() {
			if x, y, _, _ := at(p); finite(x) && finite(y) {
				f.points(plotter.XYs{{X: x, Y: y}}, of.glyph(p.allProved()))
			}
		}
	}
}

// withoutTree marks at the bottom the limits that no tree satisfies in at least one split.
func (f *figure) withoutTree(t *tradeoff) {
	bottom := f.plot.Y.Min
	if bottom > f.plot.Y.Max { // no curve
		bottom = 0
	}
	for i := range t.points {
		if p := &t.points[i]; p.ends.infeasible > 0 {
			f.points(plotter.XYs{{X: p.limit, Y: bottom}}, noTree)
		}
	}
}

// words describes the frontier in text, for accessibility.
func (t *tradeoff) words() string {
	var words []string
	for i := range t.points {
		p := &t.points[i]
		text := "limit " + t.limitText(p.limit) + ": "
		if p.trees > 0 {
			text += fmt.Sprintf("%s %% training error, %s %% test error, %s and %s; ",
				number(p.trainError.Mean, 2), number(p.testError.Mean, 2), value(p.train.Mean), value(p.test.Mean))
		}
		words = append(words, text+p.proof())
	}
	return strings.Join(words, ". ")
}

// frontierKey explains the marks of frontiers.
func frontierKey() []legendEntry {
	var key []legendEntry
	for _, e := range []struct {
		glyph draw.GlyphStyle
		name  string
	}{
		{rowsGlyph(onTraining, true), "training rows, proved"},
		{rowsGlyph(onTraining, false), "training rows, not all trees proved"},
		{rowsGlyph(onTest, true), "the same trees on test rows"},
		{rowsGlyph(onTest, false), "on test rows, not all trees proved"},
		{noTree, "limit proved infeasible"},
	} {
		key = append(key, legendEntry{0, glyphSVG(e.glyph), e.name})
	}
	return key
}

// frontierNotes explain the plots of frontiers.
var frontierNotes = []string{
	"For each limit: the tree with the minimum training objective that satisfies it on the training set, where it is guaranteed (for tuned methods, the tree chosen on the validation set). On the test set nothing is guaranteed: values may miss the limit, the dashed line.",
	"Means over the splits. Bars on test rows are standard errors; bars on training rows extend to the proved lower bound on the error. A limit that is infeasible in some split is marked at the bottom and is not on the curves.",
}

// frontierSections returns the frontiers on the page.
func (s *Summary) frontierSections() []section {
	var all []section
	for i, t := range s.tradeoffs() {
		sec := section{ID: fmt.Sprintf("frontier-%d", i+1), Title: clean(t.title()), Table: t.table()}
		if i < mostFrontiers {
			sec.Figures = t.figures()
		}
		all = append(all, sec)
	}
	return all
}

// mostFrontiers is the maximum number of frontiers drawn; the others only have tables.
const mostFrontiers = 24

// Several frontiers of one constraint in the same plots, one curve per method or data.

// onCurves is the number of the first of these curves, above those of methods, so that it has the
// first colour and the legend of methods hides none.
const onCurves = 0x2000

// mostCurves is the maximum number of curves in a plot, each with its own colour.
const mostCurves = palette

// curveGlyph returns the mark of curve k, hollow if it is not proved.
func curveGlyph(k int, proved bool) draw.GlyphStyle {
	g := draw.GlyphStyle{Color: methodColor(onCurves + k), Radius: 3.4, Shape: glyphs[k%4]}
	if !proved {
		g.Shape = hollowGlyph{g.Shape}
	}
	return g
}

// curvePen returns the pen of curve k.
func curvePen(k int) pen {
	return pen{line(onCurves + k), func(proved bool) draw.GlyphStyle { return curveGlyph(k, proved) }}
}

// families returns the groups of several frontiers with the same limited quantity, as far as a plot
// can distinguish them.
func families(all []tradeoff) [][]tradeoff {
	var out [][]tradeoff
	for _, t := range all {
		at := slices.IndexFunc(out, func(f []tradeoff) bool { return f[0].constraint == t.constraint && f[0].atMost == t.atMost })
		if at < 0 {
			at, out = len(out), append(out, nil)
		}
		out[at] = append(out[at], t)
	}
	return slices.DeleteFunc(out, func(f []tradeoff) bool { return len(f) < 2 || len(f) > mostCurves })
}

// curveNames returns the names of the frontiers of a family: of methods, of data, or both.
func curveNames(family []tradeoff) []string {
	methods, data := map[string]bool{}, map[string]bool{}
	for _, t := range family {
		methods[t.name], data[t.data] = true, true
	}
	var names []string
	for _, t := range family {
		switch {
		case len(data) == 1:
			names = append(names, t.name)
		case len(methods) == 1:
			names = append(names, t.data)
		default:
			names = append(names, t.name+" on "+t.data)
		}
	}
	return names
}

// familyFigures draws the curves of a family: training and test errors by limit, and test errors by
// the value on the test set.
func familyFigures(family []tradeoff, names []string) []*figure {
	quantity, _, _ := strings.Cut(family[0].constraint, ":")
	var words []string
	for i := range family {
		words = append(words, names[i]+": "+family[i].words())
	}
	all := []*figure{
		newFigure("Training errors by limit", "", "limit", "error rate, %", plotHeight),
		newFigure("Test errors by limit", "", "limit", "error rate, %", plotHeight),
		newFigure("Test errors by value there", "", quantity+" on test rows", "error rate, %", plotHeight),
	}
	for i, at := range []place{
		func(p *limitPoint) (x, y, low, high float64) { return plain(p.limit, p.trainError.Mean) },
		func(p *limitPoint) (x, y, low, high float64) { return plain(p.limit, p.testError.Mean) },
		func(p *limitPoint) (x, y, low, high float64) { return plain(p.test.Mean, p.testError.Mean) },
	} {
		f := all[i]
		f.Label = f.Title + ". " + strings.Join(words, ". ")
		f.plot.Add(crossGrid())
		for k := range family {
			f.curveOf(&family[k], curvePen(k), at)
		}
		fix(&f.plot.X)
		fix(&f.plot.Y)
		if family[0].whole() {
			f.plot.X.Tick.Marker = wholeTicks{}
		}
	}
	return all
}

// familySections returns the plots of several frontiers on the page.
func (s *Summary) familySections() []section {
	var all []section
	for _, family := range families(s.tradeoffs()) {
		if len(all) == mostFrontiers {
			break
		}
		names := curveNames(family)
		sec := section{ID: fmt.Sprintf("curves-%d", len(all)+1), Title: fmt.Sprintf("%d curves under limits on %s", len(family), clean(family[0].constraint))}
		for k, name := range names {
			sec.Key = append(sec.Key, legendEntry{0, glyphSVG(curveGlyph(k, true)), clean(name)})
		}
		sec.Figures = familyFigures(family, names)
		all = append(all, sec)
	}
	return all
}
