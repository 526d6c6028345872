package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit"
)

// fitted is a task of method m on data a: its test errors of 100 rows, whether they are
// proved, and whose algorithm it was.
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

// TestChoose: the tree that is shown first, and the one beside it.
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

// TestPraiseChoice: what the page says above the trees.
func TestPraiseChoice(t *testing.T) {
	cart := fitted{"C", "cart", []float64{10, 10, 10}, nil}
	s := summaryOfTrees(t, "C", cart, fitted{"O", "oct", []float64{6, 9, 9}, []bool{true, true, true}})
	c, _ := s.choose("a")
	if got, want := s.praiseChoice("a", c), "O: 8.00 ± 1.00 % of test rows wrong, C: 10.00 ± 0.00 % of test rows wrong. Shown first: fold 2, where the error of O is nearest to its mean among its proved trees."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	s = summaryOfTrees(t, "C", fitted{"C", "cart", []float64{10}, nil})
	c, _ = s.choose("a")
	if got, want := s.praiseChoice("a", c), "C: 10.00 % of test rows wrong. No tree of C is proved optimal."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestDivision: what splits are called.
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
