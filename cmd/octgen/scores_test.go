package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/tree/score"
)

// figuresFor makes the figures of a confusion matrix without weights.
func figuresFor(counts [][]float64, classes ...string) score.Figures {
	f := score.Figures{Confusion: &score.Confusion{Classes: classes, Counts: counts}}
	for k, name := range classes {
		predicted := 0.0
		for _, row := range counts {
			predicted += row[k]
		}
		c := score.Class{Class: name}
		if predicted > 0 {
			c.Precision = pointer(counts[k][k] / predicted)
		}
		if all := total(counts[k]); all > 0 {
			c.Recall = pointer(counts[k][k] / all)
		}
		f.PerClass = append(f.PerClass, c)
	}
	return f
}

func pointer(v float64) *float64 { return &v }

// TestPrintClasses: a matrix where there is room for one, else lines of the classes
// with the most wrong rows; names that would break a line are quoted.
func TestPrintClasses(t *testing.T) {
	wide := func(k int) []string {
		var names []string
		for i := range k {
			names = append(names, fmt.Sprintf("a class with a long name, %d", i))
		}
		return names
	}
	diagonal := func(k int) [][]float64 {
		counts := make([][]float64, k)
		for y := range counts {
			counts[y] = make([]float64, k)
			counts[y][y] = 5
			counts[y][0] += float64(y % 3)
		}
		return counts
	}
	for name, c := range map[string]struct {
		figures score.Figures
		want    string
	}{
		"matrix": {figuresFor([][]float64{{120, 3, 0}, {5, 1, 0}, {0, 0, 0}}, "no", "y\nes", "?"), `
confusion of the test rows, true class by predicted
            no  "y\nes"  ?  precision  recall  F1
  no       120        3  0      0.960   0.976   -
  "y\nes"    5        1  0      0.250   0.167   -
  ?          0        0  0          -       -   -
`},
		"wide": {figuresFor(diagonal(4), wide(4)...), `
the classes on the test rows (--json has the confusion matrix)
                      rows  predicted  wrong  precision  recall  F1
  a class with a lo…     7          5      2      1.000   0.714   -
  a class with a lo…     6          5      1      1.000   0.833   -
  a class with a lo…     5          8      0      0.625   1.000   -
  a class with a lo…     5          5      0      1.000   1.000   -
`},
	} {
		var b strings.Builder
		printClasses(&b, "test", &c.figures)
		if d := cmp.Diff(strings.TrimPrefix(c.want, "\n"), b.String()); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	many := strings.Split("a b c d e f g h i j k l", " ")
	f := figuresFor(diagonal(12), many...)
	var b strings.Builder
	printClasses(&b, "training", &f)
	if text := b.String(); !strings.HasPrefix(text, "the 10 of 12 classes with the most wrong training rows") || strings.Count(text, "\n") != 12 {
		t.Error(text)
	}
	f.PerClass[0].Precision = pointer(0.25)
	b.Reset()
	printClasses(&b, "training", &f)
	if !strings.Contains(b.String(), "confusion matrix); rates are by weight\n") {
		t.Error(b.String())
	}
}

// TestResultText: the tree beside CART's and a single leaf, what is proved, and the test rows.
func TestResultText(t *testing.T) {
	ds, err := dataset.New([]float64{1, 2, 3}, []int{0, 1, 0}, []string{"x"}, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(*fit.Result)
		want   string
	}{
		"proved": {func(r *fit.Result) { r.Claim = "no tree has fewer errors" }, "22 errors; CART 33; single leaf 1; no tree has fewer errors"},
		"open":   {nil, "22 errors; CART 33; single leaf 1"},
		"test": {func(r *fit.Result) { r.Test, r.Baseline.TestErrors = &fit.Scores{Errors: 8}, pointer(9) },
			"22 errors; CART 33; single leaf 1; on test rows 8; CART 9"},
		"no baseline": {func(r *fit.Result) { r.Baseline = nil }, ""},
	} {
		res := &fit.Result{Status: "optimal", Objective: pointer(0.5), Bound: pointer(0.5), Train: &fit.Scores{Errors: 22}, Baseline: &fit.Baseline{Method: "cart", Errors: 33}}
		if c.change != nil {
			c.change(res)
		}
		if got := resultText(res, ds); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
