package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Numbers of the two curves of a frontier, beyond those of methods: they have the first
// two colours, and the legend of methods does not hide them.
const (
	onTraining = 0x1000
	onTest     = 0x1001
)

// rowsShape is the mark of a curve.
func rowsShape(rows int) draw.GlyphDrawer {
	if rows == onTest {
		return draw.BoxGlyph{}
	}
	return draw.CircleGlyph{}
}

// rowsGlyph is the mark of a point, hollow where it is not proved.
func rowsGlyph(rows int, proved bool) draw.GlyphStyle {
	g := draw.GlyphStyle{Color: methodColor(rows), Radius: 3.4, Shape: rowsShape(rows)}
	if !proved {
		g.Shape = hollowGlyph{g.Shape}
	}
	return g
}

// pen is how a curve is drawn: its line, and its marks at points that are proved or not.
type pen struct {
	line  draw.LineStyle
	glyph func(proved bool) draw.GlyphStyle
}

// rowsPen is that of training or of test rows.
func rowsPen(rows int) pen {
	l := draw.LineStyle{Color: methodColor(rows), Width: 1.3}
	if rows == onTest {
		l.Dashes = dashes[1]
	}
	return pen{l, func(proved bool) draw.GlyphStyle { return rowsGlyph(rows, proved) }}
}

// noTree marks limits that no tree holds.
var noTree = draw.GlyphStyle{Color: inkColor, Radius: 4, Shape: crossGlyph{}}

// crossGlyph is a cross that is seen among filled marks.
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

// wholeTicks are the round ones that are whole numbers.
type wholeTicks struct{}

// Ticks returns the marks between low and high.
func (wholeTicks) Ticks(low, high float64) []plot.Tick {
	ticks := slices.DeleteFunc(roundTicks{}.Ticks(low, high), func(t plot.Tick) bool { return t.Value != math.Round(t.Value) })
	for i := range ticks {
		ticks[i].Label = number(ticks[i].Value, 0)
	}
	return ticks
}

// place is where a point is in a plot, with the ends of its vertical bar; NaN for none.
type place func(p *limitPoint) (x, y, low, high float64)

// spread is a row's mean with its standard error on both sides.
func spread(x float64, r *Row) (float64, float64, float64, float64) {
	return x, r.Mean, r.Mean - r.StdError, r.Mean + r.StdError
}

// plain is a place without a bar.
func plain(x, y float64) (float64, float64, float64, float64) { return x, y, math.NaN(), math.NaN() }

// proven is the mean error with a bar down to what is proved of it.
func proven(p *limitPoint) (x, y, low, high float64) {
	if p.open() {
		return p.limit, p.trainError.Mean, p.least.Mean, p.trainError.Mean
	}
	return plain(p.limit, p.trainError.Mean)
}

// figures draw a frontier: errors against the limit, what comes of the limit, and
// errors against that.
func (t *tradeoff) figures() []*figure {
	quantity, _, _ := strings.Cut(t.constraint, ":")
	quantity += " on the rows"
	byLimit := newFigure("Errors by limit", "Errors by limit. "+t.words(), "limit", "wrong rows, %", plotHeight)
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

	against := newFigure("Errors by value", "Errors by value. "+t.words(), quantity, "wrong rows, %", plotHeight)
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

// whole says whether the limits are counts.
func (t *tradeoff) whole() bool { return t.constraint == "max-features" }

// curveOf draws the points of which every split has a tree, with a line through them.
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

// withoutTree marks the limits that no tree holds, in some split at least, at the bottom.
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

// words are the frontier for those who do not see it.
func (t *tradeoff) words() string {
	var words []string
	for i := range t.points {
		p := &t.points[i]
		text := "limit " + t.limitText(p.limit) + ": "
		if p.trees > 0 {
			text += fmt.Sprintf("%s %% wrong on training rows, %s %% on test rows, %s and %s; ",
				number(p.trainError.Mean, 2), number(p.testError.Mean, 2), value(p.train.Mean), value(p.test.Mean))
		}
		words = append(words, text+p.proof())
	}
	return strings.Join(words, ". ")
}

// frontierKey says what the marks of frontiers are.
func frontierKey() []legendEntry {
	var key []legendEntry
	for _, e := range []struct {
		glyph draw.GlyphStyle
		name  string
	}{
		{rowsGlyph(onTraining, true), "training rows, proved"},
		{rowsGlyph(onTraining, false), "training rows, not every tree proved"},
		{rowsGlyph(onTest, true), "the same trees on test rows"},
		{rowsGlyph(onTest, false), "on test rows, not every tree proved"},
		{noTree, "no tree holds the limit, proved"},
	} {
		key = append(key, legendEntry{0, glyphSVG(e.glyph), e.name})
	}
	return key
}

// frontierNotes explain the plots of frontiers.
var frontierNotes = []string{
	"For each limit the tree of least training objective among those that hold it on training rows, where it is guaranteed (of tuned methods the one that validation rows chose). On test rows nothing is: there the limit, the dashed line beside the values, may be missed.",
	"Means over the splits, bars on test rows are standard errors, on training rows they go down to the errors below which it is proved that no tree is. A limit that no tree holds in some split is marked below and has no place on the curves.",
}

// frontierSections are the frontiers on the page.
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

// mostFrontiers is how many of them are drawn; the others have their tables.
const mostFrontiers = 24
