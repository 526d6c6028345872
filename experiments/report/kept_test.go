package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/octgen/octgen/experiments/internal/trial"
	"github.com/octgen/octgen/experiments/run"
)

const keptSpec = `name: kept
data: [{file: d.csv, group: b, positive: yes}]
evaluate: {folds: 3}
methods:
  - {name: free, method: oct, depth: 2}
  - {name: fair, method: oct, depth: 2, positive: yes, fair: "statistical-parity:b@x,y<=0.1", recall: yes>=0.25}
  - {name: never, method: oct, depth: 1, recall: [yes>=0.99, no>=0.99]}
metrics: [test_error, train_constraint, test_statistical_parity, infeasible]
`

// TestKept: constraints appear on the page, in the tables and in summary.csv; an infeasible problem
// is reported with its proof and is not a failure.
func TestKept(t *testing.T) {
	dir := t.TempDir()
	if got := execute(t, trial.Write(t, keptSpec), run.Options{Dir: dir, Workers: 2}); got.Failed != 0 || got.Done != 9 {
		t.Fatalf("%+v", got)
	}
	s, err := Summarise(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"train_constraint:statistical-parity:b@x,y", "test_constraint:recall:yes", "test_equalized_odds"} {
		for method, n := range map[string]int{"free": 3, "fair": 3, "never": 0} {
			if r := s.find("d", method, name); r == nil || r.N != n {
				t.Errorf("%s of %s: %+v", name, method, r)
			}
		}
	}
	if r := s.find("d", "fair", "train_constraint:statistical-parity:b@x,y"); r.Max > 0.1+1e-9 {
		t.Errorf("parity %v on training rows", r.Max)
	}
	if free, fair := s.find("d", "free", "train_error"), s.find("d", "fair", "train_error"); free.Mean > fair.Mean {
		t.Errorf("%v errors without constraints, %v with", free.Mean, fair.Mean)
	}
	var shown []string
	for _, x := range s.tables() {
		shown = append(shown, x.Name)
	}
	if want := []string{"test_error", "train_constraint:statistical-parity:b@x,y", "train_constraint:recall:yes", "train_constraint:recall:no", "test_statistical_parity", "infeasible"}; !slices.Equal(sorted(shown), sorted(want)) {
		t.Errorf("tables of %q, want %q", shown, want)
	}
	_, all := pageOf(t, s, dir)
	rows := tableIn(all, "kept")
	if len(rows) != 5 || rows[1][0] != "fair" || !strings.Contains(rows[1][6], "proved in 3 of 3") || rows[1][4] != "3 of 3" {
		t.Errorf("%q", rows)
	}
	for _, row := range rows[len(rows)-2:] {
		if row[0] != "never" || row[2] != dash || !strings.HasPrefix(row[6], "no tree satisfies them all in 3 of 3, proved by ") {
			t.Errorf("%q", row)
		}
	}
	verdict := strings.Join(s.verdict(), " ")
	for _, want := range []string{"3 of 3 trees satisfy their constraints on the training set, ", "3 of 6 fits are proved infeasible."} {
		if !strings.Contains(verdict, want) {
			t.Errorf("%s: lacks %q", verdict, want)
		}
	}
	var text, markdown strings.Builder
	if err := s.Print(&text); err != nil {
		t.Fatal(err)
	}
	if err := s.markdown(&markdown); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "statistical-parity:b@x,y<=0.1") || !strings.Contains(markdown.String(), "## Constraints\n\n"+guarantee[:40]) {
		t.Errorf("%s\n%s", text.String(), markdown.String())
	}
}

func sorted(texts []string) []string {
	texts = slices.Clone(texts)
	slices.Sort(texts)
	return texts
}
