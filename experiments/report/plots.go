package report

import (
	"fmt"
	"html"
	"html/template"
	"image/color"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Sizes of plots in SVG user units. Pages scale them to the width there is; this
// one is that of a phone, where their text has its own size.
const (
	plotWidth  = 360
	plotHeight = 240
	plotFont   = 11
	nameRunes  = 22 // of a name beside an axis; longer ones are cut
)

// okabeIto is the palette of Okabe and Ito, safe for colour-blind readers; its
// yellow, which a white page swallows, is darker.
var okabeIto = []color.RGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255},
	{230, 159, 0, 255}, {86, 180, 233, 255}, {0, 0, 0, 255}, {138, 129, 0, 255},
}

// glyphs tell methods apart without colours.
var glyphs = []draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, diamondGlyph{},
	hollowGlyph{draw.CircleGlyph{}}, hollowGlyph{draw.BoxGlyph{}}, hollowGlyph{draw.PyramidGlyph{}}, hollowGlyph{diamondGlyph{}},
	draw.CrossGlyph{}, // nine: with eight colours no two of 72 methods look the same
}

var dashes = [][]vg.Length{nil, {5, 2}, {1.5, 1.5}, {7, 2, 1.5, 2}}

var (
	inkColor  = color.RGBA{51, 51, 51, 255}
	gridColor = color.RGBA{222, 222, 222, 255}
)

func methodColor(i int) color.RGBA { return okabeIto[i%len(okabeIto)] }

func glyph(i int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: methodColor(i), Radius: 3.2, Shape: glyphs[i%len(glyphs)]}
}

func line(i int) draw.LineStyle {
	return draw.LineStyle{Color: methodColor(i), Width: 1.3, Dashes: dashes[i/len(okabeIto)%len(dashes)]}
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

// DrawGlyph draws the glyph, and a smaller one in white over it.
func (g hollowGlyph) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, pt vg.Point) {
	g.of.DrawGlyph(c, sty, pt)
	sty.Color, sty.Radius = color.White, 0.62*sty.Radius
	c.SetColor(color.White)
	g.of.DrawGlyph(c, sty, pt)
}

// figure is a plot with the words that stand for it.
type figure struct {
	Title string // shown above
	Label string // what it shows, for those who do not see it
	Wide  bool   // takes the whole width of the page
	Times bool   // shows times, which no two runs agree in

	height float64
	plot   *plot.Plot
}

// newFigure is an empty plot in the style of the report.
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
	}
	return &figure{Title: title, Label: label, height: height, plot: p}
}

// rows names the places 0, 1, ... of the vertical axis from the top down.
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

// fix gives the range of an axis, which is that of what was added, a margin, the same
// for one value.
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

// SVG draws the figure as an element of a page: scaled to the page, with words for it,
// its font left to the page's style sheet.
func (f *figure) SVG() template.HTML {
	c := vgsvg.New(plotWidth, vg.Length(f.height))
	f.plot.BackgroundColor = nil
	f.plot.Draw(draw.Crop(draw.New(c), 0, -10, 0, -4)) // room for the last mark's label in wider fonts
	svg := fontStyle.ReplaceAllString(body(c), "")
	svg = spaces.ReplaceAllString(svg, "\n")
	return template.HTML(fmt.Sprintf(`<svg class="plot" viewBox="0 0 %d %s" role="img"><title>%s</title><desc>%s</desc>`, //nolint:gosec // escaped here and by vgsvg
		plotWidth, strconv.FormatFloat(f.height, 'f', -1, 64), html.EscapeString(clean(f.Title)), html.EscapeString(clean(f.Label))) + svg)
}

// body is a drawing's document without its opening tag.
func body(c *vgsvg.Canvas) string {
	var out strings.Builder
	if _, err := c.WriteTo(&out); err != nil {
		panic(err) // a builder takes all
	}
	return svgOpening.ReplaceAllString(out.String(), "")
}

var (
	svgOpening = regexp.MustCompile(`(?s)^.*?<svg[^>]*>\n?`)
	fontStyle  = regexp.MustCompile(`font-family:[^"]*?font-style:[a-z]*;?`)
	spaces     = regexp.MustCompile(`\s*\n\s*`)
)

// brief is a name that fits beside an axis.
func brief(name string) string {
	name = clean(name)
	if utf8.RuneCountInString(name) <= nameRunes {
		return name
	}
	return string([]rune(name)[:nameRunes-1]) + "…"
}

// timeTicks marks powers of ten of seconds.
type timeTicks struct{}

// Ticks returns the marks between low and high, which are above 0.
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
