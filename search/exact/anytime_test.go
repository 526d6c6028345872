package exact

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/plot/plotter"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/heuristics/localsearch"
	"github.com/octgen/octgen/internal/datatest"
)

// curve is the best value over time.
type curve struct {
	seconds, value []float64
}

func (c *curve) add(began time.Time, value float64) {
	if k := len(c.value); k == 0 || value < c.value[k-1]-1e-12 {
		c.seconds, c.value = append(c.seconds, time.Since(began).Seconds()), append(c.value, value)
	}
}

// at returns the value after some seconds; before the first tree, that of a single leaf.
func (c *curve) at(seconds float64) float64 {
	v := 1.0
	for i, s := range c.seconds {
		if s <= seconds {
			v = c.value[i]
		}
	}
	return v
}

// integral returns the mean relative distance from best until the limit: the primal integral (Berthold 2013),
// divided by the limit.
func (c *curve) integral(best, limit float64) float64 {
	sum, v, last := 0.0, 1.0, 0.0
	for i, s := range append(c.seconds[:len(c.seconds):len(c.seconds)], limit) {
		s = min(s, limit)
		sum += (s - last) * (v - best) / v
		if last = s; i < len(c.value) {
			v = c.value[i]
		}
	}
	return sum / limit
}

// TestAnytime compares the best trees over 30 seconds of the search alone, the search with annealing, and local
// search. With -update it writes docs/tables/anytime.md and docs/anytime.svg.
func TestAnytime(t *testing.T) {
	study(t)
	const limit = 30 * time.Second
	methods := []struct {
		name string
		run  func(ctx context.Context, ds *dataset.Dataset, depth int, c *curve, began time.Time)
	}{
		{"search alone", func(ctx context.Context, ds *dataset.Dataset, depth int, c *curve, began time.Time) {
			searchCurve(t, ctx, ds, depth, true, c, began)
		}},
		{"search with annealing", func(ctx context.Context, ds *dataset.Dataset, depth int, c *curve, began time.Time) {
			searchCurve(t, ctx, ds, depth, false, c, began)
		}},
		{"local search", func(ctx context.Context, ds *dataset.Dataset, depth int, c *curve, began time.Time) {
			r, err := localsearch.Search(ctx, ds, localsearch.Options{Depth: depth, MinLeaf: 1, Progress: func(v float64) { c.add(began, v) }})
			if err != nil {
				t.Fatal(err)
			}
			c.add(began, r.Stats.Objective)
		}},
	}
	var table strings.Builder
	lines, cells := make([]line, len(methods)), 0
	for i, m := range methods {
		lines[i].name = m.name
	}
	var grid []float64
	for s := 0.1; s <= 30.01; s *= math.Pow(300, 1./40) {
		grid = append(grid, s)
	}
	sums := make([][]float64, len(methods))
	for i := range sums {
		sums[i] = make([]float64, len(grid))
	}
	for _, name := range []string{"pima", "statlog-german-credit", "contree-rice", "contree-bean", "adult"} {
		ds := datatest.Load(t, name)
		scale := float64(ds.N()) - maxOf(ds.ClassWeights())
		for depth := 5; depth <= 6; depth++ {
			curves, best := make([]curve, len(methods)), math.Inf(1)
			for i, m := range methods {
				ctx, cancel := context.WithTimeout(context.Background(), limit)
				m.run(ctx, ds, depth, &curves[i], time.Now())
				cancel()
				best = min(best, curves[i].at(limit.Seconds()))
			}
			fmt.Fprintf(&table, "| %s | %d |", name, depth)
			for i := range curves {
				c := &curves[i]
				fmt.Fprintf(&table, " %.0f / %.0f / %.0f | %.3f |", scale*c.at(1), scale*c.at(5), scale*c.at(30), c.integral(best, limit.Seconds()))
				for k, s := range grid {
					sums[i][k] += c.at(s)/best - 1
				}
			}
			fmt.Fprintln(&table)
			fmt.Print(name, " ", depth, "\n", table.String())
			cells++
		}
	}
	if !*update {
		return
	}
	for i := range lines {
		for k, s := range grid {
			lines[i].xy = append(lines[i].xy, plotter.XY{X: s, Y: 100*sums[i][k]/float64(cells) + 0.01})
		}
	}
	drawLines(t, "anytime.svg", "seconds", "mean per cent above the best tree known", lines)
	head := "# Good trees before the proof\n\n" +
		"Made by `OCTGEN_LONG=1 go test ./search/exact -run TestAnytime -v -timeout 60m -args -update`: one thread, 30 s. Errors after 1 / 5 /\n" +
		"30 s, and the primal integral: the mean over the time of the relative distance of the best tree from the best\n" +
		"one that any of the three found (0 is best). Read in [search.md](../search.md).\n\n![mean distance from the best tree known](../anytime.svg)\n\n" +
		"| dataset | depth | search alone | integral | search with annealing | integral | local search | integral |\n|---|--:|--:|--:|--:|--:|--:|--:|\n"
	if err := os.WriteFile(filepath.Join("..", "..", "docs", "tables", "anytime.md"), []byte(head+table.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func searchCurve(t *testing.T, ctx context.Context, ds *dataset.Dataset, depth int, alone bool, c *curve, began time.Time) {
	r, err := Solve(ctx, ds, Options{Depth: depth, NoAnneal: alone, Progress: func(p Progress) { c.add(began, p.Objective) }})
	if err != nil {
		t.Fatal(err)
	}
	c.add(began, r.Objective)
}
