package exact

import (
	"context"
	"flag"
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
)

var update = flag.Bool("update", false, "write the plots of TestGrowth and TestPolicyGrowth to docs")

// study skips tests that are too long for every day.
func study(t *testing.T) {
	t.Helper()
	if os.Getenv("OCTGEN_LONG") == "" {
		t.Skip("a study: OCTGEN_LONG=1 runs it")
	}
}

// TestAblation prints the work that each rule saves and checks that no rule changes the optimum.
func TestAblation(t *testing.T) {
	study(t)
	const limit = 60 * time.Second
	variants := []struct {
		name  string
		rules Rules
	}{
		{"all", Rules{}},
		{"monotone", Rules{NoMonotone: true}},
		{"similar", Rules{NoSimilar: true}},
		{"whole", Rules{NoWhole: true}},
		{"points", Rules{NoPoints: true}},
		{"classes", Rules{NoClasses: true}},
		{"target", Rules{NoTarget: true}},
		{"cache", Rules{NoCache: true}},
	}
	fmt.Printf("%-30s", "seconds without")
	for _, v := range variants {
		fmt.Printf(" %9s", v.name)
	}
	fmt.Println()
	for _, c := range []struct {
		name  string
		depth int
		alpha float64
	}{
		{"hayes-roth", 4, 0}, {"balance-scale", 4, 0}, {"mammographic-mass", 4, 0}, {"seeds", 4, 0.005}, {"bupa", 3, 0}, {"pima", 3, 0}, {"pima", 3, 0.01},
		{"connectionist-vowel", 3, 0}, {"sonar", 3, 0}, {"wdbc", 3, 0}, {"contree-page", 3, 0}, {"contree-rice", 3, 0},
	} {
		ds := datatest.Load(t, c.name)
		fmt.Printf("%-30s", fmt.Sprintf("%s, %d, alpha %v", c.name, c.depth, c.alpha))
		want := math.NaN()
		for _, v := range variants {
			r := solveWithin(t, limit, ds, Options{Depth: c.depth, Alpha: c.alpha, Rules: v.rules})
			switch {
			case r.Status != mio.Optimal:
				fmt.Printf(" %9s", ">"+fmt.Sprint(limit.Seconds()))
				continue
			case math.IsNaN(want):
				want = r.Objective
			case math.Abs(r.Objective-want) > 1e-9:
				t.Errorf("%s without %s: objective %v, with it %v", c.name, v.name, r.Objective, want)
			}
			fmt.Printf(" %9.3f", r.Runtime.Seconds())
		}
		fmt.Println()
	}
}

// TestGrowth measures time against rows and features; with -update it plots the times.
func TestGrowth(t *testing.T) {
	study(t)
	var rows, features []line
	for _, c := range []struct {
		name  string
		depth int
	}{
		{"contree-avila", 2}, {"contree-eeg", 2}, {"skin", 2}, {"contree-eeg", 3}, {"contree-rice", 3},
	} {
		ds := datatest.Load(t, c.name)
		l := line{name: fmt.Sprintf("%s, depth %d", c.name, c.depth)}
		for parts := 64; parts >= 1; parts /= 2 {
			part := ds.Subset(every(ds.N(), parts))
			l.add(t, float64(part.N()), part, c.depth)
		}
		rows = append(rows, l)
	}
	for _, c := range []struct {
		name  string
		depth int
	}{
		{"sonar", 2}, {"sonar", 3}, {"spambase", 3}, {"optical-recognition", 2}, {"qsar-biodegradation", 3},
	} {
		ds := datatest.Load(t, c.name)
		l := line{name: fmt.Sprintf("%s, depth %d", c.name, c.depth)}
		for p := 4; p < 2*ds.P(); p *= 2 {
			p := min(p, ds.P())
			part := ds.WithFeatures(every(ds.P(), 1)[:p])
			l.add(t, float64(p), part, c.depth)
		}
		features = append(features, l)
	}
	if *update {
		draw(t, "treesearch-rows.svg", "rows", rows)
		draw(t, "treesearch-features.svg", "features", features)
	}
}

// every returns every k-th of n indices.
func every(n, k int) []int {
	var all []int
	for i := 0; i < n; i += k {
		all = append(all, i)
	}
	return all
}

type line struct {
	name string
	xy   plotter.XYs
}

// add measures the minimum of three runs in processor seconds, which depend less on other programs
// than the clock's.
func (l *line) add(t *testing.T, x float64, ds *dataset.Dataset, depth int) {
	least := math.Inf(1)
	for range 3 {
		before := processorSeconds()
		r, err := Solve(context.Background(), ds, Options{Depth: depth})
		if err != nil || r.Status != mio.Optimal {
			t.Fatal(l.name, x, r, err)
		}
		seconds := processorSeconds() - before
		if seconds <= 0 { // unknown, or too short to measure
			seconds = r.Runtime.Seconds()
		}
		if least = min(least, seconds); least > 4 {
			break
		}
	}
	l.xy = append(l.xy, plotter.XY{X: x, Y: least})
	exponent := ""
	if n := len(l.xy); n > 1 {
		exponent = fmt.Sprintf("  exponent %.2f", math.Log(l.xy[n-1].Y/l.xy[n-2].Y)/math.Log(l.xy[n-1].X/l.xy[n-2].X))
	}
	fmt.Printf("%-32s %8.0f %10.5f s%s\n", l.name, x, least, exponent)
}

func draw(t *testing.T, file, x string, lines []line) {
	drawLines(t, file, x, "processor seconds to the proof", lines)
}

func drawLines(t *testing.T, file, x, y string, lines []line) {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = x, y
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: -1}, plot.LogTicks{Prec: -1}
	p.Legend.Top, p.Legend.Left, p.Legend.Padding = true, true, vg.Millimeter
	for i, l := range lines {
		s, points, err := plotter.NewLinePoints(l.xy)
		if err != nil {
			t.Fatal(err)
		}
		c := []color.RGBA{{31, 119, 180, 255}, {214, 39, 40, 255}, {44, 160, 44, 255}, {148, 103, 189, 255}, {255, 127, 14, 255}}[i%5]
		s.Color, points.Color = c, c
		p.Add(s, points)
		p.Legend.Add(l.name, s, points)
	}
	if err := p.Save(16*vg.Centimeter, 11*vg.Centimeter, filepath.Join("..", "..", "docs", file)); err != nil {
		t.Fatal(err)
	}
}
