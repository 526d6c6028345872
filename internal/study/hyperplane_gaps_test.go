//go:build cgo && !nohighs

package study

import (
	"image/color"
	"math"
	"os"
	"testing"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	_ "gonum.org/v1/plot/vg/vgsvg" // the format

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/internal/datatest"
)

// TestPlanesGaps draws the gap over time of the published program and of what oct-h does
// by default: docs/oct-h-gaps.svg, written where OCTGEN_LONG is set.
func TestPlanesGaps(t *testing.T) {
	datatest.Long(t)
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = "seconds", "gap, %"
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0.1, planeLimit.Seconds(), 0, 100
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	p.Legend.Top = false
	colors := []color.RGBA{{31, 119, 180, 255}, {214, 39, 40, 255}, {44, 160, 44, 255}, {148, 103, 189, 255}, {230, 130, 20, 255}}
	for k, c := range []struct {
		name  string
		depth int
	}{{"iris", 2}, {"monks-1", 2}, {"hayes-roth", 1}, {"breast-cancer-wisconsin", 1}, {"blood-transfusion", 2}} {
		ds := datatest.Load(t, c.name)
		for _, encoding := range []string{"", "bigm"} {
			h := planesOf(c.depth)
			h.Encoding = encoding
			began, gap := time.Now(), 100.0
			points := plotter.XYs{{X: p.X.Min, Y: gap}}
			note := func(g float64) {
				if g = 100 * min(g, 1); !math.IsNaN(g) && g < gap {
					at := max(p.X.Min, time.Since(began).Seconds())
					points = append(points, plotter.XY{X: at, Y: gap}, plotter.XY{X: at, Y: g})
					gap = g
				}
			}
			r := fitPlanes(t, ds, h, planeLimit, func(e fit.Event) {
				if e.Progress != nil {
					note(e.Progress.Gap)
				}
			})
			if r.Gap != nil {
				note(*r.Gap)
			}
			points = append(points, plotter.XY{X: p.X.Max, Y: gap})
			line, err := plotter.NewLine(points)
			if err != nil {
				t.Fatal(err)
			}
			line.Color, line.Width = colors[k], vg.Points(1.5)
			if encoding != "" {
				line.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
			} else {
				p.Legend.Add(c.name, line)
			}
			p.Add(line)
			t.Logf("%s, depth %d, encoding %q: %s", c.name, c.depth, encoding, cell(r, scaleOf(ds)))
		}
	}
	w, err := p.WriterTo(16*vg.Centimeter, 10*vg.Centimeter, "svg")
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create("../../docs/oct-h-gaps.svg")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.WriteTo(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
