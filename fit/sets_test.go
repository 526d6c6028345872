package fit_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/internal/datatest"
)

// rawRow is a row of categories, of which -1 is a gap, with a class or number.
type rawRow struct {
	cats []int
	y    int
}

// bestOfSets is the least loss of a tree of a depth over all sets of the categories of each column: errors or, of numbers, squared
// errors.
func bestOfSets(rows []rawRow, columns, depth int, numbers bool) float64 {
	best := lossOfRows(rows, numbers)
	if depth == 0 || best == 0 {
		return best
	}
	for j := range columns {
		for mask := 1; mask < 1<<5; mask++ {
			var in, out []rawRow
			for _, r := range rows {
				if mask>>(r.cats[j]+1)&1 == 1 {
					in = append(in, r)
				} else {
					out = append(out, r)
				}
			}
			if len(in) > 0 && len(out) > 0 {
				best = min(best, bestOfSets(in, columns, depth-1, numbers)+bestOfSets(out, columns, depth-1, numbers))
			}
		}
	}
	return best
}

func lossOfRows(rows []rawRow, numbers bool) float64 {
	counts, sum := map[int]int{}, 0.0
	for _, r := range rows {
		counts[r.y]++
		sum += float64(r.y)
	}
	if !numbers {
		most := 0
		for _, n := range counts {
			most = max(most, n)
		}
		return float64(len(rows) - most)
	}
	loss := 0.0
	for _, r := range rows {
		d := float64(r.y) - sum/float64(len(rows))
		loss += d * d
	}
	return loss
}

// TestSubsets: with sets of categories a fit is as good as the best of all sets, gaps being a category; the tree says the same of
// the rows of the file, read anew.
func TestSubsets(t *testing.T) {
	datatest.Times(t, 3, func(t *rapid.T) {
		n, columns := rapid.IntRange(3, 12).Draw(t, "n"), rapid.IntRange(1, 2).Draw(t, "columns")
		numbers := rapid.Bool().Draw(t, "numbers")
		depth := rapid.IntRange(1, 2).Draw(t, "depth")
		if columns == 1 {
			depth = rapid.IntRange(1, 3).Draw(t, "deeper")
		}
		rows := make([]rawRow, n)
		var b strings.Builder
		b.WriteString([]string{"", "p,y\n", "p,q,y\n"}[columns])
		gaps := 0
		for i := range rows {
			for range columns {
				k := rapid.IntRange(-1, 3).Draw(t, "category")
				rows[i].cats = append(rows[i].cats, k)
				b.WriteString([]string{"?", "red", "green", "blue", "grey"}[k+1] + ",")
				if k < 0 {
					gaps++
				}
			}
			rows[i].y = rapid.IntRange(0, 2).Draw(t, "y")
			fmt.Fprintf(&b, "%d\n", rows[i].y)
		}
		o := dataset.LoadOptions{Categorical: dataset.Subsets, Missing: dataset.MissingCategory, Task: dataset.Classification, NAValues: []string{"", "?"}, CategoricalColumns: []string{"p", "q"}[:columns]}
		var m problem.Method = &problem.OCT{Shape: problem.Shape{Levels: problem.Levels{Depth: problem.Depth(depth)}}}
		if numbers {
			o.Task = dataset.Regression
			m = &problem.ORT{Shape: problem.Shape{Levels: problem.Levels{Depth: problem.Depth(depth)}}}
		}
		ds, err := dataset.Read(strings.NewReader(b.String()), "sets.csv", o)
		if err != nil {
			return // a column of gaps alone
		}
		res, err := fit.Run(context.Background(), ds, fit.Options{Method: m})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := lossOnFile(t, res, b.String(), numbers), bestOfSets(rows, columns, depth, numbers); res.Status != "optimal" || math.Abs(got-want) > 1e-9 {
			t.Fatalf("%s, loss %v, want %v\n%s\n%s", res.Status, got, want, b.String(), res.Tree)
		}
	})
}

// gapRow is a row of numbers, of which -1 is a gap, with a class or number.
type gapRow = rawRow

// bestOfRoutes is the least loss of a tree of a depth over all thresholds and both sides for gaps, and gaps apart from numbers.
func bestOfRoutes(rows []gapRow, columns, depth int, numbers bool) float64 {
	best := lossOfRows(rows, numbers)
	if depth == 0 || best == 0 {
		return best
	}
	for j := range columns {
		for b := range 6 { // 5: numbers apart from gaps
			for _, gapsLeft := range []bool{true, false} {
				var left, right []gapRow
				for _, r := range rows {
					if x := r.cats[j]; x < 0 && gapsLeft || x >= 0 && x < b {
						left = append(left, r)
					} else {
						right = append(right, r)
					}
				}
				if len(left) > 0 && len(right) > 0 {
					best = min(best, bestOfRoutes(left, columns, depth-1, numbers)+bestOfRoutes(right, columns, depth-1, numbers))
				}
			}
		}
	}
	return best
}

// TestRoute: with missing values that splits route a fit is as good as the best of all routings.
func TestRoute(t *testing.T) {
	datatest.Times(t, 3, func(t *rapid.T) {
		n, columns := rapid.IntRange(3, 10).Draw(t, "n"), rapid.IntRange(1, 2).Draw(t, "columns")
		numbers, depth := rapid.Bool().Draw(t, "numbers"), rapid.IntRange(1, 2).Draw(t, "depth")
		if columns == 1 {
			depth = rapid.IntRange(1, 3).Draw(t, "deeper")
		}
		rows := make([]gapRow, n)
		var b strings.Builder
		b.WriteString([]string{"", "p,y\n", "p,q,y\n"}[columns])
		for i := range rows {
			for range columns {
				x := rapid.IntRange(-1, 4).Draw(t, "x")
				rows[i].cats = append(rows[i].cats, x)
				if x >= 0 {
					fmt.Fprintf(&b, "%d", x)
				}
				b.WriteString(",")
			}
			rows[i].y = rapid.IntRange(0, 2).Draw(t, "y")
			fmt.Fprintf(&b, "%d\n", rows[i].y)
		}
		o := dataset.LoadOptions{Missing: dataset.MissingRoute, Task: dataset.Classification}
		var m problem.Method = &problem.OCT{Shape: problem.Shape{Levels: problem.Levels{Depth: problem.Depth(depth)}}}
		if numbers {
			o.Task = dataset.Regression
			m = &problem.ORT{Shape: problem.Shape{Levels: problem.Levels{Depth: problem.Depth(depth)}}}
		}
		ds, err := dataset.Read(strings.NewReader(b.String()), "gaps.csv", o)
		if err != nil {
			return // a column of gaps alone
		}
		res, err := fit.Run(context.Background(), ds, fit.Options{Method: m})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := lossOnFile(t, res, b.String(), numbers), bestOfRoutes(rows, columns, depth, numbers); res.Status != "optimal" || math.Abs(got-want) > 1e-9 {
			t.Fatalf("%s, loss %v, want %v\n%s\n%s", res.Status, got, want, b.String(), res.Tree)
		}
	})
}

// lossOnFile is what the tree loses on the rows of a file, read with its encoder.
func lossOnFile(t *rapid.T, res *fit.Result, text string, numbers bool) float64 {
	again, err := res.Tree.Encoder.Read(strings.NewReader(text), "again.csv", dataset.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got := 0.0
	for i := range again.N() {
		switch {
		case numbers:
			d := again.Target[i] - res.Tree.Value(again.Row(i))
			got += d * d
		case res.Tree.Predict(again.Row(i)) != again.Y[i]:
			got++
		}
	}
	return got
}

// TestRouteRefused: hyperplanes have no number for a gap.
func TestRouteRefused(t *testing.T) {
	ds, err := dataset.Read(strings.NewReader("p,q,y\n1,2,a\n,3,b\n2,2,a\n4,1,b\n"), "gaps.csv", dataset.LoadOptions{Missing: dataset.MissingRoute})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []problem.Method{&problem.OCTH{}, &problem.MSMT{}, &problem.OC1{}, &problem.LocalSearch{Splits: problem.HyperplaneSplits}} {
		if _, err := fit.Run(t.Context(), ds, fit.Options{Method: m}); err == nil || !strings.Contains(err.Error(), "--missing route is for splits on one column each") {
			t.Errorf("%s: %v", m.Info().Name, err)
		}
	}
	if _, err := fit.Run(t.Context(), ds, fit.Options{Method: &problem.OC1{AxisOnly: true}}); err != nil {
		t.Error(err)
	}
}
