package report

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/octgen/octgen/experiments/internal/trial"
	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/internal/datatest"
)

const frontierSpec = `name: frontiers
data: [{file: d.csv, group: b}]
evaluate: {folds: 3}
methods:
  - {name: free, method: oct, depth: 2}
  - {name: parity, method: oct, depth: 2, positive: yes, frontier: {constraint: "statistical-parity:b@x,y", limits: [1, 0.05, 0.2]}}
  - {name: both, method: oct, depth: 1, recall: yes>=0.75, frontier: {constraint: "recall:no", limits: [0, 0.99]}}
`

// TestFrontiers: a list of limits gives a curve of proved trees whose errors rise as the limit
// tightens, starting with the tree without it; infeasible limits are marked.
func TestFrontiers(t *testing.T) {
	dir := t.TempDir()
	if got := execute(t, trial.Write(t, frontierSpec), run.Options{Dir: dir, Workers: 2}); got.Failed != 0 || got.Done != 18 {
		t.Fatalf("%+v", got)
	}
	outputs(t, dir)
	f, err := os.Open(filepath.Join(dir, "frontier.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := func(line []string, column string) string { return line[slices.Index(lines[0], column)] }
	var limits []string
	for _, line := range lines[1:] {
		limits = append(limits, at(line, "frontier")+" "+at(line, "limit"))
	}
	if want := []string{"parity 0.05", "parity 0.2", "parity 1", "both 0", "both 0.99"}; !slices.Equal(limits, want) {
		t.Fatalf("limits %q, want %q", limits, want)
	}
	s, err := Summarise(dir)
	if err != nil {
		t.Fatal(err)
	}
	last := math.Inf(1)
	for _, line := range lines[1:4] {
		e, err := strconv.ParseFloat(at(line, "train_error"), 64)
		if err != nil || e > last+1e-6 || at(line, "proved") != "3" || at(line, "train_held") != "3" || at(line, "infeasible") != "0" {
			t.Errorf("%q after %v", line, last)
		}
		last = e
	}
	if free := s.find("d", "free", "train_error").Mean; math.Abs(last-free) > 1e-6 {
		t.Errorf("%v %% errors at a limit that all trees satisfy, %v without", last, free)
	}
	if line := lines[5]; at(line, "trees") != "0" || at(line, "infeasible") != "3" || at(line, "train_error") != "" {
		t.Errorf("%q", line)
	}
	_, all := pageOf(t, s, dir)
	rows := tableIn(all, "frontier-2")
	if len(rows) != 3 || !strings.HasPrefix(rows[2][7], "no tree satisfies them all in 3 of 3, proved by ") || rows[1][0] != "≥ 0" {
		t.Errorf("%q", rows)
	}
	if kept := tableIn(all, "kept"); len(kept) != 3 || kept[1][0] != "both 0" || kept[1][1] != "recall:yes>=0.75" {
		t.Errorf("constraints in addition to frontiers: %q", kept)
	}
	label := s.tradeoffs()[0].figures()[0].Label
	if want := "limit ≤ 0.2: "; !strings.Contains(label, want) || !strings.Contains(label, "proved in 3 of 3") {
		t.Errorf("label %q", label)
	}
	var text strings.Builder
	if err := s.Print(&text); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "parity on d: errors against the limit on statistical-parity:b@x,y") {
		t.Error(text.String())
	}
}

// TestFrontierMarks: unproved points are hollow; a limit for which a split has no tree is marked
// and not on the curve.
func TestFrontierMarks(t *testing.T) {
	of, err := spec.Parse([]byte(`name: marks
data: [{file: d.csv, group: b}]
evaluate: {folds: 2}
methods:
  - {name: m, method: oct, positive: yes, frontier: {constraint: "statistical-parity:b", limits: [0.1, 0.2, 0.3, 0.4]}}
`), "s.yaml")
	if err != nil {
		t.Fatal(err)
	}
	gap, objective, bound := 0.125, 0.8, 0.54 // 4 errors; no tree has fewer than 2.7
	var records []run.Record
	for i, m := range of.MethodNames() {
		for fold := range 2 {
			v, yes := 0.05, true
			r := run.Record{ID: m, Data: "d", Method: m, Split: []string{"1.1", "1.2"}[fold], Result: &fit.Result{
				Train: &fit.Scores{Rows: 10, Errors: float64(5 - i), ErrorWeight: float64(5 - i)}, Test: &fit.Scores{Rows: 10, Errors: 6}, Status: "optimal", Solver: &fit.Solver{Status: "optimal"},
				Constraints: []fit.Constraint{{Text: of.Methods[i].Frontier.Text(), Train: &v, Test: &v, Held: true, TestHeld: &yes}},
			}}
			switch {
			case i == 1 && fold == 1:
				r.Result.Status, r.Result.Solver.Status, r.Result.Gap = "feasible", "feasible", &gap
				r.Result.Train.Objective, r.Result.Bound = &objective, &bound
			case i == 2 && fold == 0:
				r.Result = &fit.Result{Status: "infeasible", Constraints: []fit.Constraint{{Text: of.Methods[i].Frontier.Text()}}}
			case i == 3:
				r.Error = "no tree in the time"
				if fold == 1 {
					r.Result = &fit.Result{Status: "no solution", Constraints: []fit.Constraint{{Text: of.Methods[i].Frontier.Text()}}}
				}
			}
			records = append(records, r)
		}
	}
	s := &Summary{Spec: of}
	s.add(records)
	curve := s.tradeoffs()[0]
	var marks []string
	for i := range curve.points {
		p := &curve.points[i]
		mark := "none"
		switch {
		case p.allProved():
			mark = "filled"
		case p.whole():
			mark = "hollow"
		case p.ends.infeasible > 0:
			mark = "cross"
		}
		marks = append(marks, mark+": "+p.proof())
	}
	want := []string{
		"filled: proved in 2 of 2", "hollow: proved in 1 of 2, gap up to 12.50 %",
		"cross: proved in 1 of 2; no tree satisfies it in 1 of 2", "none: no tree found, infeasibility not proved in 1 of 2; failed in 1 of 2",
	}
	if !slices.Equal(marks, want) {
		t.Errorf("%q\nwant %q", marks, want)
	}
	for i, want := range []float64{50, 35, 30, math.NaN()} { // the second has 4 and 3 errors of 10
		if got := curve.points[i].least.Mean; got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("no tree has fewer errors than %v %%, want %v", got, want)
		}
	}
	if table := curve.table(); table.Head[2].Text != "lower bound, %" || table.Rows[1].Cells[1].Text != "35.00" {
		t.Errorf("%+v", table.Rows[1])
	}
	s = &Summary{Spec: of} // of an unfinished run
	s.add(slices.DeleteFunc(records, func(r run.Record) bool { return r.Method != "m 0.1" && (r.Method != "m 0.2" || r.Split != "1.1") }))
	if points := s.tradeoffs()[0].points; !points[0].whole() || points[1].whole() || points[1].allProved() {
		t.Errorf("one of two splits: %+v", points[1])
	}
	for _, f := range curve.figures() {
		if svg := string(f.SVG()); !strings.Contains(svg, "k0") || !strings.Contains(svg, "k1") || strings.Contains(svg, "NaN") {
			t.Errorf("%s: %s", f.Title, svg)
		}
	}
}

const familySpec = `name: families
data: [{file: d.csv, group: b}]
evaluate: {folds: 3}
methods:
  - {name: rules, method: oct, depth: 2, forbid: a}
  - {name: one level, method: oct, depth: 1, positive: yes, frontier: {constraint: "statistical-parity:b@x,y", limits: [0.05, 1]}}
  - {name: two levels, method: oct, depth: 2, positive: yes, frontier: {constraint: "statistical-parity:b@x,y", limits: [0.05, 1]}}
  - {name: found, method: oct, depth: 1, frontier: {constraint: "recall:no", limits: [0, 0.9]}}
`

// TestFamilies: frontiers of the same constraint share plots, one curve each; a single frontier
// does not. Rules on splits appear in words.
func TestFamilies(t *testing.T) {
	dir := t.TempDir()
	if got := execute(t, trial.Write(t, familySpec), run.Options{Dir: dir, Workers: 2}); got.Failed != 0 {
		t.Fatalf("%+v", got)
	}
	s, err := Summarise(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := s.familySections()
	if len(all) != 1 || len(all[0].Key) != 2 || all[0].Key[0].Name != "one level" || all[0].Key[1].Name != "two levels" || !strings.Contains(all[0].Title, "statistical-parity:b@x,y") {
		t.Fatalf("%+v", all)
	}
	for _, f := range all[0].Figures {
		if svg := string(f.SVG()); !strings.Contains(svg, "k0") || !strings.Contains(svg, "k1") || strings.Contains(svg, "k2") {
			t.Errorf("%s lacks the two curves", f.Title)
		}
		if !strings.Contains(f.Label, "one level: limit ≤ 0.05") || !strings.Contains(f.Label, "two levels: ") {
			t.Errorf("label %q", f.Label)
		}
	}
	_, page := pageOf(t, s, dir)
	if kept := tableIn(page, "kept"); len(kept) != 2 || !slices.Equal(kept[1][:4], []string{"rules", "forbid:a", "no split uses it", dash}) {
		t.Errorf("kept %q", tableIn(page, "kept"))
	}
}

// TestCurveNames: the names of curves distinguish them.
func TestCurveNames(t *testing.T) {
	for _, c := range []struct {
		of   []tradeoff
		want []string
	}{
		{[]tradeoff{{data: "d", name: "a"}, {data: "d", name: "b"}}, []string{"a", "b"}},
		{[]tradeoff{{data: "d", name: "a"}, {data: "e", name: "a"}}, []string{"d", "e"}},
		{[]tradeoff{{data: "d", name: "a"}, {data: "e", name: "b"}}, []string{"a on d", "b on e"}},
	} {
		if got := curveNames(c.of); !slices.Equal(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// curvesOf runs the tasks of a spec of experiments/constraints whose names match, and returns its
// frontiers.
func curvesOf(t *testing.T, name, only string) []tradeoff {
	t.Helper()
	t.Setenv("OCTGEN_DATA", datatest.Dir(t))
	dir := t.TempDir()
	o := run.Options{Dir: dir, Workers: 2, Only: regexp.MustCompile(only)}
	if got := execute(t, filepath.Join("..", "constraints", name+".yaml"), o); got.Failed != 0 || got.Done == 0 {
		t.Fatalf("%+v", got)
	}
	s, err := Summarise(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(dir); err != nil {
		t.Fatal(err)
	}
	return s.tradeoffs()
}

// holdsItself checks that every tree of a curve is proved and satisfies its limit on the training
// set, and that errors do not rise as the limit loosens.
func holdsItself(t *testing.T, curve tradeoff) {
	t.Helper()
	var errors []float64
	for i := range curve.points {
		p := &curve.points[i]
		if p.ends.infeasible == p.ends.all {
			continue
		}
		if !p.allProved() || p.held != p.trees {
			t.Errorf("%s %v: %s, held by %d of %d", curve.name, p.limit, p.proof(), p.held, p.trees)
		}
		if curve.atMost && p.train.Max > p.limit+1e-9 || !curve.atMost && p.train.Min < p.limit-1e-9 {
			t.Errorf("%s %v: from %v to %v on training rows", curve.name, p.limit, p.train.Min, p.train.Max)
		}
		errors = append(errors, p.trainError.Mean)
	}
	if curve.atMost {
		slices.Reverse(errors)
	}
	if !slices.IsSorted(errors) {
		t.Errorf("%s: errors %v as the limit tightens", curve.name, errors)
	}
}

// TestCompasCurve: the minimum errors at depth 2 under limits on the difference of two races'
// rates, means over three folds, are those of docs/tables/constraints.md.
func TestCompasCurve(t *testing.T) {
	want := map[string][]float64{ // proved, so the same for every engine
		"parity d2": {41.834, 41.364, 39.598, 37.079, 34.413, 32.785},
		"odds d2":   {41.713, 41.048, 38.910, 35.993, 33.644, 32.656},
	}
	curves := curvesOf(t, "compas", "/(CART|(parity|odds) d2 .*)/")
	if len(curves) != len(want) {
		t.Fatalf("%d curves", len(curves))
	}
	for _, curve := range curves {
		holdsItself(t, curve)
		for i := range curve.points {
			if p := &curve.points[i]; math.Abs(p.trainError.Mean-want[curve.name][i]) > 6e-4 {
				t.Errorf("%s %v: %v %% errors, want %v", curve.name, p.limit, p.trainError.Mean, want[curve.name][i])
			}
		}
	}
}

// TestRecallCurve: the recall of malignant cases costs errors, and together with a capacity most of
// it is proved infeasible.
func TestRecallCurve(t *testing.T) {
	want := []float64{3.184, 3.184, 3.184, 3.660, 5.307, 7.687}
	curves := curvesOf(t, "recall", "")
	for _, curve := range curves {
		holdsItself(t, curve)
		for i := range curve.points {
			p := &curve.points[i]
			switch capacity := curve.name != "recall"; {
			case capacity && p.limit >= 0.98 && p.ends.infeasible != 5:
				t.Errorf("%s %v: %s", curve.name, p.limit, p.proof())
			case !capacity && math.Abs(p.trainError.Mean-want[i]) > 6e-4:
				t.Errorf("%s %v: %v %% errors, want %v", curve.name, p.limit, p.trainError.Mean, want[i])
			}
		}
	}
	if len(curves) != 2 {
		t.Errorf("%d curves", len(curves))
	}
}
