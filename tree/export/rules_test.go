package export_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/export"
)

// TestRulesOfDates: a threshold is a date where every row has one, and a number of days
// where a number stands for missing dates.
func TestRulesOfDates(t *testing.T) {
	mean := 341.7
	e := &dataset.Encoder{Target: "class", Classes: []string{"a", "b"}, Columns: []dataset.SourceColumn{
		{Name: "Start", Kind: dataset.Numeric, Date: &dataset.Date{Format: "DD.MM.YYYY", First: "2021-01-06"}},
		{Name: "End", Kind: dataset.Numeric, Impute: &mean, Date: &dataset.Date{Format: "YYYY-MM-DD hh:mm:ss", First: "2021-01-06"}},
		{Name: "Seen", Kind: dataset.Numeric, Date: &dataset.Date{Format: "YYYY-MM-DDThh:mm:ss", First: "2021-01-06"}},
	}}
	tr := tree.NewLeaf(&dataset.Dataset{Features: e.Features(), Classes: e.Classes, Encoder: e}, 0)
	tr.Grow(0, tree.Univariate(0, 341.5), 0, 1)
	tr.Grow(2, tree.Univariate(1, 341.5), 0, 1)
	tr.Grow(4, tree.Univariate(2, 0.5000000000000001), 0, 1)
	var out bytes.Buffer
	if err := export.Write(&out, tr, "rules", export.Options{}); err != nil {
		t.Fatal(err)
	}
	want := `
# classes: "a" "b"
# "Start": dates, DD.MM.YYYY; as numbers the days since 2021-01-06
# "Start" missing: no class
# "End": dates, YYYY-MM-DD hh:mm:ss; as numbers the days since 2021-01-06
# "End" missing: counts as 341.7
# "Seen": dates, YYYY-MM-DDThh:mm:ss; as numbers the days since 2021-01-06
# "Seen" missing: no class
if "Start" < 14.12.2021 then "a" (rows 0, shares 1.0 0.0)
if "Start" >= 14.12.2021 and "End" < 341.5 then "a" (rows 0, shares 1.0 0.0)
if "Start" >= 14.12.2021 and "End" >= 341.5 and "Seen" <= 2021-01-06T12:00:00 then "a" (rows 0, shares 1.0 0.0)
if "Start" >= 14.12.2021 and "End" >= 341.5 and "Seen" > 2021-01-06T12:00:00 then "b" (rows 0, shares 0.0 1.0)
`
	if diff := cmp.Diff(want, "\n"+out.String()); diff != "" {
		t.Error(diff)
	}
}

// TestRulesOfDeepTrees: a rule of a deep tree has at most two bounds for each column, which
// mean what all bounds on the path do.
func TestRulesOfDeepTrees(t *testing.T) {
	const columns, levels = 3, 300
	r := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		tr := &tree.Tree{Features: []string{"x", "y", "z"}, Classes: []string{"a", "b"}}
		for i := range levels {
			n := tree.Node{Split: tree.Univariate(r.IntN(columns), float64(r.IntN(20))), Left: 2*i + 1, Right: 2*i + 2}
			if r.IntN(2) == 0 {
				n.Left, n.Right = n.Right, n.Left
			}
			tr.Nodes = append(tr.Nodes, n, tree.Node{Class: i % 2})
		}
		tr.Nodes = append(tr.Nodes, tree.Node{Class: levels % 2})
		for i := range tr.Nodes { // leaves say who they are
			if tr.Nodes[i].Leaf() {
				tr.Nodes[i].Count = []float64{float64(i), 0}
			}
		}
		b, err := export.Bytes(tr, "rules", export.Options{})
		if err != nil {
			t.Fatal(err)
		}
		rules := parseRules(t, string(b))
		for range 200 {
			x := []float64{float64(r.IntN(22) - 1), float64(r.IntN(22) - 1), float64(r.IntN(22) - 1)}
			var hold []int
			for leaf, rule := range rules {
				if rule.holds(x) {
					hold = append(hold, leaf)
				}
			}
			if want := []int{tr.Find(x)}; !slices.Equal(hold, want) {
				t.Fatalf("%v: rules of the leaves %v hold, want %v", x, hold, want)
			}
		}
		for leaf, rule := range rules {
			if len(rule) > 2*columns {
				t.Errorf("leaf %d: %d conditions", leaf, len(rule))
			}
		}
	}
}

// ruleOfBounds are the bounds of a rule.
type ruleOfBounds []struct {
	column int
	below  bool
	at     float64
}

func (r ruleOfBounds) holds(x []float64) bool {
	for _, b := range r {
		if (x[b.column] < b.at) != b.below {
			return false
		}
	}
	return true
}

// parseRules returns the rules by the number of rows, which is the leaf's.
func parseRules(t *testing.T, text string) map[int]ruleOfBounds {
	t.Helper()
	rules := make(map[int]ruleOfBounds)
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		conditions, rest, _ := strings.Cut(strings.TrimPrefix(line, "if "), " then ")
		_, rows, _ := strings.Cut(rest, "(rows ")
		var leaf int
		if _, err := fmt.Sscanf(rows, "%d", &leaf); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		rule := ruleOfBounds{}
		for condition := range strings.SplitSeq(conditions, " and ") {
			var name, compare string
			var low, at float64
			if _, err := fmt.Sscanf(condition, "%g <= %q < %g", &low, &name, &at); err == nil {
				rule = append(rule, ruleOfBounds{{int(name[0] - 'x'), false, low}, {int(name[0] - 'x'), true, at}}...)
				continue
			}
			if _, err := fmt.Sscanf(condition, "%q %s %g", &name, &compare, &at); err != nil {
				t.Fatalf("%q: %v", condition, err)
			}
			rule = append(rule, ruleOfBounds{{int(name[0] - 'x'), compare == "<", at}}...)
		}
		rules[leaf] = rule
	}
	return rules
}

// TestRulesMerged: leaves of one class that have one parent are one rule, with their rows and shares.
func TestRulesMerged(t *testing.T) {
	ds, err := dataset.New([]float64{1, 2, 3, 4, 5, 6}, []int{0, 0, 1, 1, 0, 1}, []string{"x"}, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	tr := tree.NewLeaf(ds, 0)
	low, high := tr.Grow(0, tree.Univariate(0, 2.5), 0, 1)
	tr.Grow(low, tree.Univariate(0, 1.5), 0, 0)
	_, last := tr.Grow(high, tree.Univariate(0, 3.5), 1, 1)
	tr.Grow(last, tree.Univariate(0, 5.5), 1, 1)
	tr.Annotate(ds)
	value := 0.25
	tr.Fit = &tree.Fit{Method: "oct", Data: "a*/--\n\"b.csv", Status: "feasible", Objective: &value, Bound: &value, Gap: &value}
	b, err := export.Bytes(tr, "rules", export.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := `# Fitted to a* /- -/n'b.csv by the method oct.
# Not proved: gap 25 %. Its objective is 0.25; a tree down to 0.25 is not ruled out.
# classes: "a" "b"
# "x" missing: no class
if "x" < 2.5 then "a" (rows 2, shares 1.0 0.0)
if "x" >= 2.5 then "b" (rows 4, shares 0.25 0.75)
`
	if diff := cmp.Diff(want, string(b)); diff != "" {
		t.Error(diff)
	}
}
