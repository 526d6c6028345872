package report

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg/draw"
)

// Several frontiers of one constraint in the same plots, a curve each: of methods, of data.

// onCurves is the number of the first of these curves, beyond those of methods, so that the
// first has the first colour and the legend of methods hides none.
const onCurves = 0x2000

// mostCurves is how many curves a plot has at most, each with a colour of its own.
const mostCurves = palette

// curveGlyph is the mark of curve k, hollow where it is not proved.
func curveGlyph(k int, proved bool) draw.GlyphStyle {
	g := draw.GlyphStyle{Color: methodColor(onCurves + k), Radius: 3.4, Shape: glyphs[k%4]}
	if !proved {
		g.Shape = hollowGlyph{g.Shape}
	}
	return g
}

// curvePen is how curve k is drawn.
func curvePen(k int) pen {
	return pen{line(onCurves + k), func(proved bool) draw.GlyphStyle { return curveGlyph(k, proved) }}
}

// families are the frontiers that limit the same, several each, as far as they can be told
// apart in a plot.
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

// curveNames are those of the frontiers of a family: of methods, of data, or both.
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

// familyFigures draw the curves of a family: errors on training and on test rows by limit,
// and on test rows by what the trees come to there.
func familyFigures(family []tradeoff, names []string) []*figure {
	quantity, _, _ := strings.Cut(family[0].constraint, ":")
	var words []string
	for i := range family {
		words = append(words, names[i]+": "+family[i].words())
	}
	all := []*figure{
		newFigure("Training errors by limit", "", "limit", "wrong rows, %", plotHeight),
		newFigure("Test errors by limit", "", "limit", "wrong rows, %", plotHeight),
		newFigure("Test errors by value there", "", quantity+" on test rows", "wrong rows, %", plotHeight),
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

// familySections are the plots of several frontiers on the page.
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
