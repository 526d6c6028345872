package report

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/experiments/internal/trial"
	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// summaryOf returns the summary of test errors of two methods on two data with three folds; NaN is
// a failed task.
func summaryOf(t *testing.T, errors map[string][]float64) *Summary {
	t.Helper()
	spec, err := spec.Parse([]byte(`name: by hand
data: [{file: a.csv}, {file: b.csv}]
evaluate: {folds: 3}
methods: [{name: X, method: cart}, {name: Y_|, method: cart, depth: 3}]
reference: {paper: "A & B", values: [{data: a, method: X, value: 12}]}
`), "s.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var records []run.Record
	for _, d := range spec.DataNames() {
		for _, m := range spec.MethodNames() {
			for i, e := range errors[d+"/"+m] {
				r := run.Record{ID: "1", Data: d, Method: m, Split: fmt.Sprintf("1.%d", i+1)}
				if math.IsNaN(e) {
					r.Error = "it | did\nnot work"
				} else {
					r.Result = &fit.Result{Train: &fit.Scores{Rows: 20, Errors: 1, Splits: 2, Depth: 2}, Test: &fit.Scores{Rows: 10, Errors: e}}
				}
				records = append(records, r)
			}
		}
	}
	s := &Summary{Spec: spec, Tasks: 12, Done: len(records), Version: "v1"}
	s.add(records)
	return s
}

// TestSummary: figures computed by hand.
func TestSummary(t *testing.T) {
	s := summaryOf(t, map[string][]float64{
		"a/X": {1, 2, 3}, "a/Y_|": {1, 1, 1},
		"b/X": {4, 4, math.NaN()}, "b/Y_|": {5, 4},
	})
	near := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) < 1e-6) {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	x := s.find("a", "X", metric.TestError)
	near("mean", x.Mean, 20)
	near("standard error", x.StdError, 10/math.Sqrt(3)) // the standard deviation of 10, 20, 30 is 10
	if x.Versus != nil || x.Paper == nil || *x.Paper != 12 || x.Min != 10 || x.Max != 30 || x.N != 3 {
		t.Errorf("%+v", x)
	}
	// The differences are 0, -10, -20; t(0.975, 2) = 4.30265273; a test set has half as many rows
	// as its training set.
	y := s.find("a", "Y_|", metric.TestError).Versus
	near("difference", y.Difference, -10)
	half := 4.30265273 * math.Sqrt((1.0/3+0.5)*100)
	near("low", y.Low, -10-half)
	near("high", y.High, -10+half)
	if y.Wins != 2 || y.Ties != 1 || y.Losses != 0 || y.Pairs != 3 || y.Baseline != "X" {
		t.Errorf("%+v", y)
	}
	// Over data: X 20 and 40, Y 10 and 45; the differences -10 and 5 of independent data; t(0.975,
	// 1) = 12.7062047.
	all := s.find(spec.AllData, "Y_|", metric.TestError)
	near("mean of means", all.Mean, 27.5)
	near("difference of means", all.Versus.Difference, -2.5)
	near("high", all.Versus.High, -2.5+12.7062047*math.Sqrt(112.5/2))
	if all.Versus.Wins != 1 || all.Versus.Losses != 1 {
		t.Errorf("%+v", all.Versus)
	}
	if b := s.find("b", "X", metric.TestError); b.Failed != 1 || b.N != 2 || len(s.Failed) != 1 {
		t.Errorf("%+v, %v", b, s.Failed)
	}
	if one := compareRows("X", map[string]float64{"1": 2}, map[string]float64{"1": 1}, 0, false); one.Losses != 1 || !math.IsNaN(one.Low) {
		t.Errorf("%+v", one)
	}
	if none := compareRows("X", map[string]float64{"1": 2}, map[string]float64{"2": 1}, 0, false); none.Pairs != 0 || !math.IsNaN(none.Difference) {
		t.Errorf("%+v", none)
	}
}

// TestChosenMetrics: a spec selects the tables and their order; for some figures larger is better.
func TestChosenMetrics(t *testing.T) {
	s := summaryOf(t, map[string][]float64{"a/X": {1, 2}, "a/Y_|": {1, 1}, "b/X": {4}, "b/Y_|": {5}})
	s.Spec.Metrics = []string{"test_auc", "depth", metric.TestError, "test_f1"}
	for i := range s.records {
		r := s.records[i].Result.Test
		auc := 1 - r.Errors/r.Rows
		r.AUC = &auc
	}
	s = &Summary{Spec: s.Spec, records: s.records}
	s.add(s.records)
	var shown []string
	for _, x := range s.tables() {
		shown = append(shown, x.Name)
	}
	if diff := cmp.Diff([]string{"test_auc", "depth", metric.TestError}, shown); diff != "" { // no figure for the last one
		t.Error(diff)
	}
	for _, name := range []string{"test_auc", metric.TestError} {
		x := s.metric(name)
		if y := s.find("a", "Y_|", name).Versus; y.Wins != 1 || y.Ties != 1 || y.Losses != 0 {
			t.Errorf("%s: %+v", name, y)
		}
		table := s.metricTable(x)
		if a, b := table.Rows[0].Cells, table.Rows[1].Cells; a[0].Class != "" || a[1].Class != "best" || b[0].Class != "best" || b[1].Class != "" {
			t.Errorf("%s: %+v", name, table.Rows)
		}
	}
	if note := s.metricSection(s.metric("test_auc")).Notes[0]; !strings.HasSuffix(note, "Bold: the highest in a row.") {
		t.Error(note)
	}
}

// TestTables: the files and the printed tables.
func TestTables(t *testing.T) {
	s := summaryOf(t, map[string][]float64{
		"a/X": {1, 2, 3}, "a/Y_|": {1, 1, 1},
		"b/X": {4, 4, math.NaN()}, "b/Y_|": {5, 4},
	})
	dir := t.TempDir()
	if err := s.Write(dir); err != nil {
		t.Fatal(err)
	}
	var printed strings.Builder
	if err := s.Print(&printed); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{"tables.txt": printed.String()}
	for _, name := range []string{"summary.csv", "report.md"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		got[name] = string(text)
	}
	for name, text := range got {
		golden := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(golden, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), text); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestSummaryOfNothing: a run without results has tables without figures.
func TestSummaryOfNothing(t *testing.T) {
	s := summaryOf(t, nil)
	var printed strings.Builder
	if err := s.Print(&printed); err != nil || printed.String() != "0 of 12 tasks done, 0 failed\n" {
		t.Errorf("%q, %v", printed.String(), err)
	}
	if err := s.Write(t.TempDir()); err != nil {
		t.Error(err)
	}
}

func TestCompareSplits(t *testing.T) {
	order := []string{"1", "1.1", "1.2", "1.10", "2.1", "10.1"}
	for i := range order {
		for j := range order {
			if got := compareSplits(order[i], order[j]); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("%s, %s: %d", order[i], order[j], got)
			}
		}
	}
}

// TestFailed: a failed task has no figure, even with a result; after a successful retry it has one.
func TestFailed(t *testing.T) {
	trial.SetMood(trial.Breaks)
	path, dir := trial.WriteMoody(t, "start: cart"), filepath.Join(t.TempDir(), "out")
	execute(t, path, run.Options{Dir: dir})
	s, err := Summarise(dir)
	if err != nil {
		t.Fatal(err)
	}
	if row := s.find("d", "OCT", metric.TestError); row.N != 0 || row.Failed != 3 || len(s.Failed) != 3 {
		t.Errorf("%+v", row)
	}
	trial.SetMood(trial.Works)
	execute(t, path, run.Options{Dir: dir, Retry: true})
	s, err = Summarise(dir)
	if err != nil || s.Done != 6 || len(s.Failed) != 0 || s.find("d", "OCT", metric.TestError).N != 3 {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestTruth: tables show how much of the true tree was recovered.
func TestTruth(t *testing.T) {
	path, dir := trial.Write(t, trial.Truth), filepath.Join(t.TempDir(), "out")
	execute(t, path, run.Options{Dir: dir, Workers: 2})
	s, err := Summarise(dir)
	if err != nil {
		t.Fatal(err)
	}
	leaf, oct := s.find("uni", "LEAF", "true_discovery"), s.find("uni", "OCT", "true_discovery")
	if leaf.N != 2 || leaf.Mean != 0 || oct.Mean < 60 || leaf.Versus != nil {
		t.Errorf("%+v, %+v", leaf, oct)
	}
	if f := s.find("uni", "LEAF", "false_discovery"); f.Mean != 0 || f.Versus == nil {
		t.Errorf("%+v", f)
	}
	if b := s.find("uni", "BAD", "true_discovery"); b.N != 0 || !math.IsNaN(b.Mean) {
		t.Errorf("%+v", b)
	}
	var printed strings.Builder
	if err := s.Print(&printed); err != nil || !strings.Contains(printed.String(), "true_discovery: splits of the true tree that are recovered, %") {
		t.Error(printed.String(), err)
	}
}
