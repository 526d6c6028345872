package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/tree"
)

// fitted is a task of method m on data a: its test errors on 100 rows, whether they are proved, and
// the algorithm.
type fitted struct {
	m, algorithm string
	errors       []float64
	proved       []bool
}

func summaryOfTrees(t *testing.T, baseline string, of ...fitted) *Summary {
	t.Helper()
	var methods []string
	for _, f := range of {
		methods = append(methods, fmt.Sprintf("{name: %s, method: cart}", f.m))
	}
	sp, err := spec.Parse([]byte("name: trees\ndata: [{name: a, file: a.csv}]\nevaluate: {folds: 3}\nbaseline: "+baseline+"\nmethods: ["+strings.Join(methods, ", ")+"]\n"), "s.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s := &Summary{Spec: sp, trees: make(map[string]bool)}
	var records []run.Record
	for _, f := range of {
		for i, e := range f.errors {
			r := run.Record{ID: f.m + fmt.Sprint(i), Data: "a", Method: f.m, Split: fmt.Sprintf("1.%d", i+1)}
			r.Result = &fit.Result{Method: f.algorithm, Train: &fit.Scores{Rows: 200}, Test: &fit.Scores{Rows: 100, Errors: e}}
			if f.proved != nil && f.proved[i] {
				r.Result.Status, r.Result.Solver = "optimal", new(fit.Solver)
			}
			records = append(records, r)
			s.trees[r.ID] = true
		}
	}
	s.Tasks, s.Done = len(records), len(records)
	s.add(records)
	return s
}

// TestChoose: the tree shown first, and the one next to it.
func TestChoose(t *testing.T) {
	cart := fitted{"C", "cart", []float64{1, 1, 1}, nil}
	for name, c := range map[string]struct {
		baseline string
		of       []fitted
		want     choice
	}{
		"a proof before less error":         {"C", []fitted{cart, {"O", "oct", []float64{6, 9, 9}, []bool{true, true, true}}, {"L", "local-search", []float64{2, 2, 2}, nil}}, choice{"O", "C", "1.2", true}},
		"of two with proofs the better":     {"C", []fitted{cart, {"O", "oct", []float64{6, 9, 9}, []bool{true, true, true}}, {"P", "oct", []float64{5, 5, 8}, []bool{true, true, true}}}, choice{"P", "C", "1.1", true}},
		"the proved tree nearest the mean":  {"C", []fitted{cart, {"O", "oct", []float64{6, 9, 9}, []bool{true, false, false}}}, choice{"O", "C", "1.1", true}},
		"without proofs the least error":    {"C", []fitted{cart, {"O", "oct", []float64{6, 9, 9}, nil}, {"L", "local-search", []float64{2, 2, 2}, nil}}, choice{"L", "C", "1.1", false}},
		"CART as baseline before other one": {"D", []fitted{cart, {"O", "oct", []float64{6, 6, 6}, []bool{true, true, true}}, {"D", "cart", []float64{9, 9, 9}, nil}}, choice{"O", "D", "1.1", true}},
		"CART before another baseline":      {"L", []fitted{cart, {"O", "oct", []float64{6, 6, 6}, []bool{true, true, true}}, {"L", "local-search", []float64{2, 2, 2}, nil}}, choice{"O", "C", "1.1", true}},
		"a division that both have":         {"C", []fitted{{"C", "cart-tuned", []float64{1}, nil}, {"O", "oct", []float64{6, 7, 8}, []bool{true, true, true}}}, choice{"O", "C", "1.1", true}},
		"CART alone":                        {"C", []fitted{cart}, choice{"C", "", "1.1", false}},
		"no CART":                           {"L", []fitted{{"L", "local-search", []float64{2, 2, 2}, nil}, {"O", "oct", []float64{6, 6, 6}, []bool{true, true, true}}}, choice{"O", "L", "1.1", true}},
	} {
		s := summaryOfTrees(t, c.baseline, c.of...)
		if got, ok := s.choose("a"); !ok || got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	none := summaryOfTrees(t, "C", cart)
	clear(none.trees)
	if got, ok := none.choose("a"); ok {
		t.Errorf("without trees: %+v", got)
	}
}

// TestPraiseChoice: the text above the trees.
func TestPraiseChoice(t *testing.T) {
	cart := fitted{"C", "cart", []float64{10, 10, 10}, nil}
	s := summaryOfTrees(t, "C", cart, fitted{"O", "oct", []float64{6, 9, 9}, []bool{true, true, true}})
	c, _ := s.choose("a")
	if got, want := s.praiseChoice("a", c), "O: 8.00 ± 1.00 % test error, C: 10.00 ± 0.00 % test error. Shown first: fold 2, where the error of O is nearest to its mean among its proved trees."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	s = summaryOfTrees(t, "C", fitted{"C", "cart", []float64{10}, nil})
	c, _ = s.choose("a")
	if got, want := s.praiseChoice("a", c), "C: 10.00 % test error. No tree of C is proved optimal."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestDivision: the names of splits.
func TestDivision(t *testing.T) {
	for _, c := range []struct{ data, evaluate, split, want, all string }{
		{"{file: a.csv, name: a}", "{folds: 3}", "1.2", "fold 2", "folds"},
		{"{file: a.csv, name: a}", "{folds: 3, repeats: 2}", "2.3", "repeat 2, fold 3", "folds"},
		{"{file: a.csv, name: a}", "{holdout: 0.25, repeats: 2}", "2", "division 2", "divisions"},
		{"{generate: gto-tree, features: 2, rows: 20, test_rows: 20, name: a}", "{}", "4", "replicate 4", "replicates"},
		{"{generate: gto-tree, features: 2, rows: 20, name: a}", "{folds: 3}", "4.1.2", "replicate 4, fold 2", "folds"},
		{"{generate: gto-tree, features: 2, rows: 20, name: a}", "{folds: 3, repeats: 2}", "4.1.2", "replicate 4, repeat 1, fold 2", "folds"},
		{"{generate: gto-tree, features: 2, rows: 20, name: a}", "{holdout: 0.5}", "4.1", "replicate 4, division 1", "divisions"},
	} {
		sp, err := spec.Parse([]byte("name: x\ndata: ["+c.data+"]\nevaluate: "+c.evaluate+"\nmethods: [{method: cart}]\n"), "s.yaml")
		if err != nil {
			t.Fatal(err)
		}
		s := &Summary{Spec: sp}
		if got := s.division("a", c.split); got != c.want || s.divisions() != c.all {
			t.Errorf("%s of %s %s: %q of %q, want %q of %q", c.split, c.data, c.evaluate, got, s.divisions(), c.want, c.all)
		}
	}
}

// TestStable: features counted by hand.
func TestStable(t *testing.T) {
	ds := &dataset.Dataset{Features: []string{"a", "b", "c"}, Classes: []string{"x", "y"}}
	grown := func(root *tree.Split, left *tree.Split) *tree.Tree {
		tr := tree.NewLeaf(ds, 0)
		at, _ := tr.Grow(0, root, 0, 1)
		if left != nil {
			tr.Grow(at, left, 0, 1)
		}
		return tr
	}
	trees := []*tree.Tree{
		grown(tree.Univariate(1, 3), tree.Univariate(0, 1)),
		grown(tree.Univariate(0, 0.5), tree.Univariate(0, 2.5)),
		grown(&tree.Split{Terms: []tree.Term{{Feature: 0, Weight: 1}, {Feature: 2, Weight: -1}}}, nil),
	}
	s := &Summary{}
	st, ok := s.stable("M", trees)
	if !ok || st.Says != "a at the root in 2 of 3 trees; 1 of 3 features are in every tree" {
		t.Errorf("%q", st.Says)
	}
	var rows [][]string
	for _, r := range st.Table.Rows {
		rows = append(rows, []string{r.Head, r.Cells[0].Text, r.Cells[1].Text, r.Cells[2].Text})
	}
	want := [][]string{{"a", "3 of 3", "2", "0.5 to 2.5"}, {"b", "1 of 3", "1", "3"}, {"c", "1 of 3", "1", dash}}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Error(diff)
	}
	leaf := tree.NewLeaf(ds, 0)
	for _, few := range [][]*tree.Tree{nil, trees[:1], {leaf, leaf}} {
		if st, ok := s.stable("M", few); ok {
			t.Errorf("of %d trees: %+v", len(few), st)
		}
	}
	wide := &dataset.Dataset{Features: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}, Classes: []string{"x", "y"}}
	plane := &tree.Split{}
	for j := range wide.Features {
		plane.Terms = append(plane.Terms, tree.Term{Feature: j, Weight: 1})
	}
	many := tree.NewLeaf(wide, 0)
	many.Grow(0, plane, 0, 1)
	if st, _ := s.stable("M", []*tree.Tree{many, many}); len(st.Table.Rows) != mostFeatures || st.Says != "1 at the root in 2 of 2 trees; 10 of 10 features are in every tree; 2 rarer ones are not listed" {
		t.Errorf("%d rows, %q", len(st.Table.Rows), st.Says)
	}
}
