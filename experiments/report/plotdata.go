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

	"github.com/octgen/octgen/experiments/run"
)

// manyData is the number of data from which on there are plots per method instead
// of per data.
const manyData = 13

// mark is a value with an interval, which may be missing (NaN).
type mark struct {
	name             string
	value, low, high float64
	method           int
}

// marks draws values with their intervals, a row each, and a line at 0: a forest
// plot of differences.
func marks(title, x string, of []mark, rowHeight float64) *figure {
	var names, words []string
	for _, m := range of {
		names = append(names, m.name)
		words = append(words, fmt.Sprintf("%s %s", m.name, interval(m.value, m.low, m.high)))
	}
	f := newFigure(title, x+": "+strings.Join(words, "; "), x, "", 56+rowHeight*float64(len(of)))
	f.plot.Add(verticalGrid())
	zero := plotter.XYs{{X: 0, Y: -float64(len(of)) + 0.4}, {X: 0, Y: 0.6}}
	f.path(zero, draw.LineStyle{Color: inkColor, Width: 0.8, Dashes: []vg.Length{3, 2}})
	for i, m := range of {
		f.mark(m, -float64(i))
	}
	f.rows(names)
	fix(&f.plot.X)
	return f
}

// mark draws one value with its interval in a row.
func (f *figure) mark(m mark, y float64) {
	if !finite(m.value) {
		return
	}
	if finite(m.low) && finite(m.high) {
		bar := plotter.XYs{{X: m.low, Y: y}, {X: m.high, Y: y}}
		f.path(bar, draw.LineStyle{Color: methodColor(m.method), Width: 1.6})
	}
	f.points(plotter.XYs{{X: m.value, Y: y}}, glyph(m.method))
}

// points draws a glyph at each point.
func (f *figure) points(xys plotter.XYs, style draw.GlyphStyle) {
	s, err := plotter.NewScatter(xys)
	if err != nil { // none, or none that is a number
		return
	}
	s.GlyphStyle = style
	f.plot.Add(s)
}

// path draws a line through the points.
func (f *figure) path(xys plotter.XYs, style draw.LineStyle) {
	l, err := plotter.NewLine(xys)
	if err != nil { // none, or one that is no number
		return
	}
	l.LineStyle = style
	f.plot.Add(l)
}

func verticalGrid() *plotter.Grid {
	g := plotter.NewGrid()
	g.Vertical.Color, g.Vertical.Width, g.Vertical.Dashes = gridColor, 0.6, nil
	g.Horizontal.Color = nil
	return g
}

func crossGrid() *plotter.Grid {
	g := verticalGrid()
	g.Horizontal = g.Vertical
	return g
}

func interval(v, low, high float64) string {
	switch {
	case math.IsNaN(v):
		return "no figure"
	case !finite(low) || !finite(high):
		return number(v, 2)
	}
	return fmt.Sprintf("%s (%s to %s)", number(v, 2), number(low, 2), number(high, 2))
}

// boxes draws the values of each method: box plots, with the values themselves as
// long as they are few.
func boxes(title, x string, methods []string, values [][]float64) *figure {
	var words []string
	f := newFigure(title, "", x, "", 56+24*float64(len(methods)))
	f.plot.Add(verticalGrid())
	for i, v := range values {
		v = slices.DeleteFunc(slices.Clone(v), func(v float64) bool { return !finite(v) })
		if len(v) == 0 {
			words = append(words, methods[i]+" has no figure")
			continue
		}
		words = append(words, f.box(i, methods[i], v))
	}
	f.Label = x + ": " + strings.Join(words, "; ")
	f.rows(methods)
	fix(&f.plot.X)
	return f
}

// fewValues is up to how many values a box plot shows each of them.
const fewValues = 60

// box adds the box of one method and puts it in words.
func (f *figure) box(i int, name string, v []float64) string {
	b, err := plotter.NewBoxPlot(13, -float64(i), plotter.Values(v))
	if err != nil { // NaN, which the caller has taken out
		return name
	}
	b.Horizontal = true
	quartiles(b)
	c := methodColor(i)
	b.FillColor = paleColor(i)
	b.BoxStyle = draw.LineStyle{Color: c, Width: 1}
	b.WhiskerStyle = b.BoxStyle
	b.MedianStyle = draw.LineStyle{Color: c, Width: 2.2}
	style := glyph(i)
	style.Radius = 2
	b.GlyphStyle = style
	f.plot.Add(b)
	if len(v) <= fewValues {
		b.GlyphStyle.Radius = 0 // all are drawn here
		xys := make(plotter.XYs, len(v))
		for k := range v {
			xys[k] = plotter.XY{X: v[k], Y: -float64(i)}
		}
		f.points(xys, style)
	}
	return fmt.Sprintf("%s median %.2f, quartiles %.2f and %.2f, from %.2f to %.2f",
		name, b.Median, b.Quartile1, b.Quartile3, b.Min, b.Max)
}

// quartiles sets a box's quartiles to those between the nearest values (R's type
// 7) instead of gonum's, which differ in kind below and above the median where the
// values are odd in number; and the whiskers to them.
func quartiles(b *plotter.BoxPlot) {
	v := slices.Sorted(slices.Values(b.Values))
	at := func(part float64) float64 {
		whole, rest := math.Modf(part * float64(len(v)-1))
		i := int(whole)
		return v[i] + rest*(v[min(i+1, len(v)-1)]-v[i])
	}
	b.Quartile1, b.Median, b.Quartile3 = at(0.25), at(0.5), at(0.75)
	fence := 1.5 * (b.Quartile3 - b.Quartile1)
	b.AdjLow, b.AdjHigh, b.Outside = b.Quartile1, b.Quartile3, nil
	for i, x := range b.Values {
		if x < b.Quartile1-fence || x > b.Quartile3+fence {
			b.Outside = append(b.Outside, i)
			continue
		}
		b.AdjLow, b.AdjHigh = min(b.AdjLow, x), max(b.AdjHigh, x)
	}
}

// curve is the gap of one solve over time.
type curve struct {
	method int
	proved bool
	first  bool // of the first split of its data and method
	points []run.TracePoint
}

// gapPercent is the gap of a point as curves show it: without an incumbent or a
// bound, and where it is larger, 100 %.
func gapPercent(p run.TracePoint) float64 {
	if !finite(p.Objective) || !finite(p.Bound) {
		return 100
	}
	gap := math.Abs(p.Objective-p.Bound) / max(math.Abs(p.Objective), 1e-10)
	return 100 * min(1, gap)
}

// manyCurves is the most curves in a plot, manyPoints about the most points of all
// of them: more can neither be seen nor sent.
const (
	manyCurves = 120
	manyPoints = 4000
)

// gaps draws the gap of solves over time, steps, with a mark where a solve ended.
func gaps(title string, methods []string, curves []curve) *figure {
	f := newFigure(title, "", "seconds", "gap, %", plotHeight)
	f.Times = true
	f.plot.Add(crossGrid())
	solves, proved := make([]int, len(methods)), make([]int, len(methods))
	for _, c := range curves {
		c.points = run.Thin(c.points, max(8, manyPoints/len(curves)))
		f.curve(c)
		solves[c.method]++
		if c.proved {
			proved[c.method]++
		}
	}
	var words []string
	for i, name := range methods {
		if solves[i] > 0 {
			words = append(words, fmt.Sprintf("%s: %d of %d solves proved", name, proved[i], solves[i]))
		}
	}
	f.Label = "Gap over time. " + strings.Join(words, "; ")
	low, high := f.plot.X.Min, f.plot.X.Max
	if low > high { // no point
		low, high = run.LeastSeconds, run.LeastSeconds
	}
	f.plot.X.Min, f.plot.X.Max = low, max(high, 10*low)*1.15 // a decade at least
	f.plot.X.Scale, f.plot.X.Tick.Marker = plot.LogScale{}, timeTicks{}
	f.plot.Y.Min, f.plot.Y.Max = -4, 104
	return f
}

// curve adds one solve.
func (f *figure) curve(c curve) {
	if len(c.points) == 0 {
		return
	}
	var xys plotter.XYs
	for i, p := range c.points {
		t := max(p.Seconds, run.LeastSeconds)
		if i > 0 {
			xys = append(xys, plotter.XY{X: t, Y: xys[len(xys)-1].Y})
		}
		xys = append(xys, plotter.XY{X: t, Y: gapPercent(p)})
	}
	style := line(c.method)
	style.Width = 1
	f.path(xys, style)
	f.points(xys[len(xys)-1:], glyph(c.method))
}

// crossMark is the mean of a method in two measures with their standard errors.
type crossMark struct {
	name    string
	method  int
	x, xErr float64
	y, yErr float64
}

// against draws error against complexity.
func against(title, x, y string, of []crossMark) *figure {
	f := newFigure(title, "", x, y, plotHeight)
	f.plot.Add(crossGrid())
	var words []string
	for i, m := range of {
		if !finite(m.x) || !finite(m.y) {
			continue
		}
		dx, dy := orZero(m.xErr), orZero(m.yErr)
		for _, bar := range []plotter.XYs{
			{{X: m.x - dx, Y: m.y}, {X: m.x + dx, Y: m.y}},
			{{X: m.x, Y: m.y - dy}, {X: m.x, Y: m.y + dy}},
		} {
			if bar[0] != bar[1] {
				f.path(bar, line(m.method))
			}
		}
		g := glyph(m.method)
		g.Radius = vg.Length(4 + 2.5*coincident(m, of[i+1:])) // seen around those drawn over it
		f.points(plotter.XYs{{X: m.x, Y: m.y}}, g)
		words = append(words, fmt.Sprintf("%s: %s %.2f, %s %.2f", m.name, x, m.x, y, m.y))
	}
	f.Label = strings.Join(words, "; ")
	fix(&f.plot.X)
	fix(&f.plot.Y)
	return f
}

// coincident counts the marks at the place of m, up to three.
func coincident(m crossMark, of []crossMark) float64 {
	n := 0.0
	for _, o := range of {
		if math.Abs(o.x-m.x) < tie && math.Abs(o.y-m.y) < tie {
			n++
		}
	}
	return min(n, 3)
}

func orZero(v float64) float64 {
	if !finite(v) {
		return 0
	}
	return v
}
