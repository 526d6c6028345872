package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/octgen/octgen/experiments/internal/trial"
	"github.com/octgen/octgen/experiments/run"
)

const familySpec = `name: families
data: [{file: d.csv, group: b}]
evaluate: {folds: 3}
methods:
  - {name: rules, method: oct, depth: 2, forbid: a}
  - {name: one level, method: oct, depth: 1, positive: yes, frontier: {constraint: "statistical-parity:b@x,y", limits: [0.05, 1]}}
  - {name: two levels, method: oct, depth: 2, positive: yes, frontier: {constraint: "statistical-parity:b@x,y", limits: [0.05, 1]}}
  - {name: found, method: oct, depth: 1, frontier: {constraint: "recall:no", limits: [0, 0.9]}}
`

// TestFamilies: frontiers of the same constraint are in plots together, a curve each; one
// alone is not. Rules of splits are kept in words.
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
			t.Errorf("%s has not the two curves", f.Title)
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

// TestCurveNames: curves are named by what tells them apart.
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
