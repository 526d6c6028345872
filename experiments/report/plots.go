package report

import (
	"fmt"
	"html"
	"html/template"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/octgen/octgen/experiments/run"
)

// Sizes of plots in SVG user units. Pages scale them to the available width; this size is that of a
// phone, at which the text has its nominal size.
const (
	plotWidth  = 360
	plotHeight = 240
	plotFont   = 11
	nameRunes  = 22 // maximum length of a name next to an axis
)

// palette is the number of colours that the page's style has for methods (page.Style).
const palette = 8

// glyphs distinguish methods without colours.
var glyphs = []draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, diamondGlyph{},
	hollowGlyph{draw.CircleGlyph{}}, hollowGlyph{draw.BoxGlyph{}}, hollowGlyph{draw.PyramidGlyph{}}, hollowGlyph{diamondGlyph{}},
	draw.CrossGlyph{}, // nine glyphs and eight colours give 72 distinct methods
}

var dashes = [][]vg.Length{nil, {5, 2}, {1.5, 1.5}, {7, 2, 1.5, 2}}

// Colours in drawings are placeholders for names with colours in the page's style, light or dark:
// ink, the grid, and those of methods. themed inserts the names.
var (
	inkColor  = color.RGBA{51, 51, 51, 255}
	gridColor = color.RGBA{222, 222, 222, 255}
)

// methodColor and paleColor are the placeholders for a method, by its number, and for its fill;
// holeColor is that for the paper visible through a hollow glyph of the method's colour.
func methodColor(i int) color.RGBA { return color.RGBA{0xfd, uint8(i >> 8), uint8(i), 255} }
func paleColor(i int) color.RGBA   { return color.RGBA{0xfc, uint8(i >> 8), uint8(i), 255} }

func holeColor(of color.Color) color.Color {
	r, g, b, a := of.RGBA()
	return color.RGBA{uint8(r>>8) - 2, uint8(g >> 8), uint8(b >> 8), uint8(a >> 8)}
}

var (
	methodStyle = regexp.MustCompile(`style="([^"]*?)(fill|stroke):#F([BCD])([0-9A-F]{4})([^"]*)"`)
	plainColors = strings.NewReplacer("#333333", "var(--ink)", "#DEDEDE", "var(--line)")
)

// themed replaces colour placeholders by names. Elements of a method get its class, m0, m1, ..., by
// which the page hides them.
func themed(svg string) string {
	svg = methodStyle.ReplaceAllStringFunc(svg, func(style string) string {
		m := methodStyle.FindStringSubmatch(style)
		i, err := strconv.ParseUint(m[4], 16, 16)
		if err != nil {
			panic(err) // four digits cannot fail
		}
		paint := m[2] + ":var(--k)"
		switch m[3] {
		case "B":
			paint = m[2] + ":var(--paper)"
		case "C":
			paint += ";fill-opacity:.22"
		}
		return fmt.Sprintf(`class="m%d k%d" style="%s%s%s"`, i, i%palette, m[1], paint, m[5])
	})
	return plainColors.Replace(svg)
}

func glyph(i int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: methodColor(i), Radius: 3.2, Shape: glyphs[i%len(glyphs)]}
}

func line(i int) draw.LineStyle {
	return draw.LineStyle{Color: methodColor(i), Width: 1.3, Dashes: dashes[i/palette%len(dashes)]}
}

// diamondGlyph is a filled diamond.
type diamondGlyph struct{}

// DrawGlyph draws the diamond.
func (diamondGlyph) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, pt vg.Point) {
	c.SetColor(sty.Color)
	r := sty.Radius * 1.3
	var p vg.Path
	p.Move(vg.Point{X: pt.X - r, Y: pt.Y})
	p.Line(vg.Point{X: pt.X, Y: pt.Y + r})
	p.Line(vg.Point{X: pt.X + r, Y: pt.Y})
	p.Line(vg.Point{X: pt.X, Y: pt.Y - r})
	p.Close()
	c.Fill(p)
}

// hollowGlyph is the outline of a filled glyph.
type hollowGlyph struct{ of draw.GlyphDrawer }

// DrawGlyph draws the glyph, and a smaller one in the colour of paper on top.
func (g hollowGlyph) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, pt vg.Point) {
	g.of.DrawGlyph(c, sty, pt)
	sty.Color, sty.Radius = holeColor(sty.Color), 0.62*sty.Radius
	c.SetColor(sty.Color)
	g.of.DrawGlyph(c, sty, pt)
}

// figure is a plot with its description in text.
type figure struct {
	Title string // shown above
	Label string // description, for accessibility
	Wide  bool   // takes the full width of the page
	Times bool   // shows times, which are not reproducible

	height float64
	plot   *plot.Plot
}

// newFigure returns an empty plot in the style of the report.
func newFigure(title, label, x, y string, height float64) *figure {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = x, y
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font.Size, a.Tick.Label.Font.Size = plotFont, plotFont
		a.Label.TextStyle.Font.Variant, a.Tick.Label.Font.Variant = "Sans", "Sans"
		a.Label.TextStyle.Color, a.Tick.Label.Color = inkColor, inkColor
		a.LineStyle.Color, a.Tick.Color = inkColor, inkColor
		a.Padding = 0
		a.Tick.Length = 4
		a.Tick.Marker = roundTicks{}
	}
	return &figure{Title: title, Label: label, height: height, plot: p}
}

// rows names the positions 0, 1, ... of the vertical axis from the top down.
func (f *figure) rows(names []string) {
	ticks := make([]plot.Tick, len(names))
	for i, name := range names {
		ticks[i] = plot.Tick{Value: -float64(i), Label: brief(name)}
	}
	f.plot.Y.Tick.Marker = plot.ConstantTicks(ticks)
	f.plot.Y.Tick.LineStyle.Width = 0
	f.plot.Y.LineStyle.Width = 0
	f.plot.Y.Min, f.plot.Y.Max = -float64(len(names))+0.4, 0.6
}

// fix sets the range of an axis to that of the added values plus a margin, which also covers a
// single value.
func fix(a *plot.Axis) {
	if a.Min > a.Max { // nothing was added
		a.Min, a.Max = 0, 1
	}
	margin := 0.06 * (a.Max - a.Min)
	if !(margin > 0) {
		margin = max(0.05*math.Abs(a.Min), 0.5)
	}
	a.Min, a.Max = a.Min-margin, a.Max+margin
}

// SVG returns the figure as an element of a page: scaled to the page, with a description, and the
// font of the page's style sheet.
func (f *figure) SVG() template.HTML {
	c := vgsvg.New(plotWidth, vg.Length(f.height))
	f.plot.BackgroundColor = nil
	f.plot.Draw(draw.Crop(draw.New(c), 0, -10, 0, -4)) // room for the last label in wider fonts
	svg := themed(fontStyle.ReplaceAllString(body(c), ""))
	svg = spaces.ReplaceAllString(svg, "\n")
	return template.HTML(fmt.Sprintf(`<svg class="plot" viewBox="0 0 %d %s" role="img"><title>%s</title><desc>%s</desc>`, //nolint:gosec // escaped here and by vgsvg
		plotWidth, strconv.FormatFloat(f.height, 'f', -1, 64), html.EscapeString(clean(f.Title)), html.EscapeString(clean(f.Label))) + svg)
}

// glyphSVG returns a glyph as an element of a page.
func glyphSVG(g draw.GlyphStyle) template.HTML {
	c := vgsvg.New(16, 16)
	g.Radius = 4
	canvas := draw.New(c)
	canvas.DrawGlyph(g, canvas.Center())
	return template.HTML(`<svg viewBox="0 0 16 16" aria-hidden="true">` + themed(body(c))) //nolint:gosec // a glyph
}

// body returns the document of a drawing without its opening tag.
func body(c *vgsvg.Canvas) string {
	var out strings.Builder
	if _, err := c.WriteTo(&out); err != nil {
		panic(err) // a builder never fails
	}
	return svgOpening.ReplaceAllString(out.String(), "")
}

var (
	svgOpening = regexp.MustCompile(`(?s)^.*?<svg[^>]*>\n?`)
	fontStyle  = regexp.MustCompile(`font-family:[^"]*?font-style:[a-z]*;?`)
	spaces     = regexp.MustCompile(`\s*\n\s*`)
)

// brief shortens a name to fit next to an axis.
func brief(name string) string {
	name = clean(name)
	if utf8.RuneCountInString(name) <= nameRunes {
		return name
	}
	return string([]rune(name)[:nameRunes-1]) + "…"
}

// roundTicks returns ticks at multiples of 1, 2 or 5 times a power of ten, with labels.
type roundTicks struct{}

// mostTicks is the approximate number of ticks on an axis.
const mostTicks = 6

// Ticks returns the ticks between low and high.
func (roundTicks) Ticks(low, high float64) []plot.Tick {
	unit := math.Pow(10, math.Floor(math.Log10((high-low)/mostTicks)))
	step := 10 * unit
	for _, k := range []float64{1, 2, 5} {
		if k*unit*mostTicks >= (high-low)*(1-1e-9) {
			step = k * unit
			break
		}
	}
	if !(step > 0) || math.IsInf(step, 0) {
		return nil
	}
	digits := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	var ticks []plot.Tick
	for k := math.Ceil(low/step - 1e-9); k*step <= high+1e-9*step && len(ticks) <= 2*mostTicks; k++ {
		label := strconv.FormatFloat(k*step+0, 'f', digits, 64)
		if digits > 4 || math.Abs(k*step) >= 1e6 {
			label = strconv.FormatFloat(k*step+0, 'g', 3, 64)
		}
		ticks = append(ticks, plot.Tick{Value: k * step, Label: label})
	}
	return ticks
}

// timeTicks returns ticks at powers of ten of seconds.
type timeTicks struct{}

// Ticks returns the ticks between low and high, which must be above 0.
func (timeTicks) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	first, last := math.Floor(math.Log10(low)), math.Ceil(math.Log10(high))
	every := max(1, math.Ceil((last-first)/5))
	for e := first; e <= last; e++ {
		v := math.Pow(10, e)
		if v < low*(1-1e-9) || v > high*(1+1e-9) {
			continue
		}
		t := plot.Tick{Value: v}
		if math.Mod(e-first, every) == 0 {
			t.Label = strconv.FormatFloat(v, 'g', -1, 64)
		}
		ticks = append(ticks, t)
	}
	return ticks
}

// manyData is the number of data from which plots are per method instead of per data.
const manyData = 13

// mark is a value with an interval, which may be missing (NaN).
type mark struct {
	name             string
	value, low, high float64
	method           int
}

// marks draws values with their intervals, one per row, and a line at 0: a forest plot of
// differences.
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
	if err != nil { // no point, or none that is a number
		return
	}
	s.GlyphStyle = style
	f.plot.Add(s)
}

// path draws a line through the points.
func (f *figure) path(xys plotter.XYs, style draw.LineStyle) {
	l, err := plotter.NewLine(xys)
	if err != nil { // no point, or one that is not a number
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

// boxes draws a box plot per method, and the values themselves if there are few.
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

// fewValues is the maximum number of values at which a box plot shows each value.
const fewValues = 60

// box adds the box of one method and returns its description.
func (f *figure) box(i int, name string, v []float64) string {
	b, err := plotter.NewBoxPlot(13, -float64(i), plotter.Values(v))
	if err != nil { // NaN, which the caller has removed
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
		b.GlyphStyle.Radius = 0 // outliers are drawn here
		xys := make(plotter.XYs, len(v))
		for k := range v {
			xys[k] = plotter.XY{X: v[k], Y: -float64(i)}
		}
		f.points(xys, style)
	}
	return fmt.Sprintf("%s median %.2f, quartiles %.2f and %.2f, from %.2f to %.2f",
		name, b.Median, b.Quartile1, b.Quartile3, b.Min, b.Max)
}

// quartiles sets a box's quartiles by linear interpolation (R's type 7) instead of gonum's, which
// are inconsistent below and above the median for an odd number of values; it also sets the
// whiskers.
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

// gapPercent returns the gap of a point for curves: 100 % without an incumbent or bound, and for
// larger gaps.
func gapPercent(p run.TracePoint) float64 {
	if !finite(p.Objective) || !finite(p.Bound) {
		return 100
	}
	gap := math.Abs(p.Objective-p.Bound) / max(math.Abs(p.Objective), 1e-10)
	return 100 * min(1, gap)
}

// manyCurves is the maximum number of curves in a plot, manyPoints the approximate maximum number
// of their points: more are neither visible nor small enough to send.
const (
	manyCurves = 120
	manyPoints = 4000
)

// gaps draws the gap of solves over time as steps, with a mark at the end of each solve.
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
	f.plot.X.Min, f.plot.X.Max = low, max(high, 10*low)*1.15 // at least one decade
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
		g.Radius = vg.Length(4 + 2.5*coincident(m, of[i+1:])) // visible around those drawn on top
		f.points(plotter.XYs{{X: m.x, Y: m.y}}, g)
		words = append(words, fmt.Sprintf("%s: %s %.2f, %s %.2f", m.name, x, m.x, y, m.y))
	}
	f.Label = strings.Join(words, "; ")
	fix(&f.plot.X)
	fix(&f.plot.Y)
	return f
}

// coincident returns the number of marks at the position of m, up to three.
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
