package spec_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
)

const good = `name: good
data:
  - {name: iris, file: iris.csv}
  - {name: gen, generate: gto-tree, features: 2, rows: 30, test_rows: 20, replicates: 3, seed: 4}
evaluate: {folds: 3, repeats: 2, seed: 7, stratified: false}
methods:
  - {name: CART, method: cart, depth: 3}
  - {name: OCT, method: treesearch, depth: 2, alpha: 0.01, max_splits: 2}
  - {method: oct, depth: 2, without: [thin-last, blocks], solver_option: {mip_rel_gap: 0.1}}
limits: {time_limit: 60s, threads: 1}
reference:
  paper: a paper
  values:
    - {data: iris, method: OCT, value: 3.5}
`

func TestParse(t *testing.T) {
	s, err := spec.Parse([]byte(good), "good.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range s.Methods {
		got = append(got, m.Name+" "+strings.Join(m.Args, " "))
	}
	want := []string{
		"CART --depth=3 --method=cart --time-limit=60s", // it has neither a time limit nor threads
		"OCT --alpha=0.01 --depth=2 --max-splits=2 --method=treesearch --threads=1 --time-limit=60s",
		"oct --depth=2 --method=oct --solver-option=mip_rel_gap=0.1 --threads=1 --time-limit=60s --without=blocks --without=thin-last",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if s.Baseline != "CART" || s.Evaluate.Folds != 3 || s.Evaluate.Repeats != 2 || s.Evaluate.Seed != 7 || s.Evaluate.Stratified {
		t.Errorf("%+v", s)
	}
	if diff := cmp.Diff([]spec.ReferenceValue{{Data: "iris", Method: "OCT", Metric: "test_error", Value: 3.5}}, s.Reference.Values); diff != "" {
		t.Error(diff)
	}
}

// listed lists names as in an error.
func listed(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// TestParseErrors: each mistake is reported with its line, its field, and what is expected.
func TestParseErrors(t *testing.T) {
	metrics, figures := listed(metric.Names()), listed(metric.Figures())
	for _, c := range []struct{ old, new, want string }{
		{"name: good", "nmae: good", `s.yaml:1:1: nmae: unknown key; did you mean "name"?`},
		{"name: good\n", "", `the key "name" is missing`},
		{"folds: 3", "fold: 3", `s.yaml:5:12: evaluate.fold: unknown key; did you mean "folds"?`},
		{"folds: 3", "folds: 1", `s.yaml:5:19: evaluate.folds: "1"; want a whole number, 2 or more`},
		{"folds: 3", "folds: 3, holdout: 0.5", `s.yaml:5:11: evaluate: want either folds or holdout`},
		{"folds: 3", "whole: true", `s.yaml:5:11: evaluate: with whole there is no test set; want no folds, holdout or repeats`},
		{"folds: 3, ", "", `s.yaml:5:11: evaluate: data "iris" must be divided; want folds, holdout, or whole: true`},
		{"folds: 3", "holdout: 1.5", `s.yaml:5:21: evaluate.holdout: "1.5"; want a number between 0 and 1`},
		{"folds: 3", "folds: 3, validation: 0.7", `s.yaml:5:11: evaluate: validation is 0.7 of all rows, but the test set leaves no more than that; want less`},
		{"folds: 3", "holdout: 0.5, validation: 0", `s.yaml:5:38: evaluate.validation: "0"; want a number between 0 and 1`},
		{"stratified: false", "stratified: nein", `evaluate.stratified: "nein"; want true or false`},
		{"evaluate: {folds: 3, repeats: 2, seed: 7, stratified: false}\n", "", `the key "evaluate" is missing: data "iris" must be divided`},
		{"file: iris.csv", "fiel: iris.csv", `s.yaml:3:18: data[0].fiel: unknown key; did you mean "file"?`},
		{"file: iris.csv", "file: iris.csv, mising: drop", `s.yaml:3:34: data[0].mising: unknown key; did you mean "missing"?`},
		{"file: iris.csv", "file: iris.csv, missing: dorp", `s.yaml:3:43: data[0].missing: "dorp"; want drop, mean, category or route; did you mean "drop"?`},
		{"name: iris", "name: gen", `s.yaml:4:5: data[1]: two data are named "gen"`},
		{"name: iris", "name: a/b", `s.yaml:3:12: data[0].name: "a/b"; want a name without slashes`},
		{"gto-tree", "gto", `s.yaml:4:27: data[1].generate: no generator "gto"; they are ["gto-tree" "oct-h-tree" "oct-tree" "policy-tree"]`},
		{"rows: 30", "rows: 3.5", `s.yaml:4:56: data[1].rows: "3.5"; want a whole number`},
		{"features: 2, ", "", `s.yaml:4:5: data[1]: 0 features, expected 1 or more`},
		{"features: 2", "depth: 0, features: 2", `s.yaml:4:44: data[1].depth: "0"; want a whole number, 1 or more`},
		{"features: 2", "structure: \"(A,\", features: 2", `s.yaml:4:5: data[1]: structure "(A,", character 4: expected ( or the name of a class`},
		{"features: 2", "structure: \"(A,B)\", depth: 1, features: 2", `s.yaml:4:5: data[1]: depth 1 and a structure exclude each other`},
		{"features: 2", "label_noise: 1.5, features: 2", `s.yaml:4:5: data[1]: label noise 1.5, expected 0 to 1`},
		{"features: 2", "classes: 2, features: 2", `s.yaml:4:37: data[1].classes: unknown key; the keys here are centred, depth, feature_noise, features, generate, label_noise, min_share, name, replicates, rows, seed, structure, test_noise, test_rows`},
		{"gto-tree", "oct-tree, classes: 5", `s.yaml:4:5: data[1]: 5 classes, expected 2 to the 4 leaves of depth 2`},
		{"gto-tree", "oct-tree, split_features: 2", `s.yaml:4:37: data[1].split_features: unknown key`},
		{"gto-tree", "oct-h-tree, split_features: 3", `s.yaml:4:5: data[1]: 3 features of a split, expected 1 to 2`},
		{"replicates: 3", "replicates: 0", `s.yaml:4:87: data[1].replicates: "0"; want a whole number, 1 or more`},
		{"method: cart, depth: 3", "method: cart, dpeth: 3", `s.yaml:7:32: methods[0].dpeth: unknown key; did you mean "depth"?`},
		{"max_splits: 2", "max-splits: 2", `s.yaml:8:60: methods[1].max-splits: unknown key; did you mean "max_splits"?`},
		{"method: cart", "method: crat", `s.yaml:7:26: methods[0].method: no method "crat"; did you mean "cart"?`},
		{"method: cart, ", "", `s.yaml:7:5: methods[0]: the key "method" is missing; the methods are ` + strings.Join(problem.Names(), ", ")},
		{"depth: 3", "depth: three", `s.yaml:7:39: methods[0].depth: "three"; want a whole number, 1 to 16, or none`},
		{"depth: 3", "depth: 0", `s.yaml:7:39: methods[0].depth: "0"; want a whole number, 1 to 16, or none`},
		{"depth: 3", "depth: 3, depth: 4", `s.yaml:7:42: methods[0].depth: the key is there twice`},
		{"depth: 3", "depth: 3, node_limit: 5", `s.yaml:7:54: methods[0].node_limit: --node-limit is not for method cart`},
		{"depth: 3", "depth: [1, 2]", `s.yaml:7:39: methods[0].depth: a list; want one value`},
		{"depth: 3", "depth: [3]", `s.yaml:7:39: methods[0].depth: a list; want one value`},
		{"alpha: 0.01", "alpha: [0.1, 0.2]", `s.yaml:8:54: methods[1].alpha: a list; want one value`},
		{"alpha: 0.01", "alpha: {from: 0.1}", `s.yaml:8:54: methods[1].alpha: a mapping; want one value`},
		{"max_splits: 2", "max_splits: [2]", `s.yaml:8:72: methods[1].max_splits: a list; want one value`},
		{"method: cart", "method: [cart, oct]", `s.yaml:7:26: methods[0].method: a list; want one value`},
		{"without: [thin-last, blocks]", "without: {thin-last: blocks}", `s.yaml:9:38: methods[2].without: a mapping; want a list of at least one`},
		{"threads: 1", "threads: [1, 2]", `s.yaml:10:36: limits.threads: a list; want one value`},
		{"file: iris.csv", "file: iris.csv, missing: [drop, mean]", `s.yaml:3:43: data[0].missing: a list; want one value`},
		{"rows: 30", "rows: [30, 40]", `s.yaml:4:56: data[1].rows: a list; want one value`},
		{"replicates: 3", "replicates: [3, 4]", `s.yaml:4:87: data[1].replicates: a list; want one value`},
		{"threads: 1", "threads: -1", `s.yaml:10:36: limits.threads: "-1"; want a whole number, 0 to 1024`},
		{"threads: 1", "node_limit: -1", `s.yaml:10:39: limits.node_limit: "-1"; want a whole number, 0 or more`},
		{"threads: 1", "work_limit: -3", `s.yaml:10:39: limits.work_limit: "-3"; want a whole number, 0 or more`},
		{"max_splits: 2", "threads: -2", `s.yaml:8:69: methods[1].threads: "-2"; want a whole number, 0 to 1024`},
		{"threads: 1", "threads: 1.5", `s.yaml:10:36: limits.threads: "1.5"; want a whole number, 0 to 1024`},
		{"depth: 3", "depth: ", `s.yaml:7:39: methods[0].depth: nothing; want a value`},
		{"max_splits: 2", "start: tree.json", `s.yaml:8:67: methods[1].start: no start "tree.json"; the starts are ` + fit.StartsText()},
		{"name: OCT", "name: CART", `s.yaml:8:5: methods[1]: two methods are named "CART"`},
		{"threads: 1", "threads: 1, depth: 2", `s.yaml:10:39: limits.depth: unknown key; the keys here are node_limit, threads, time_limit`},
		{"time_limit: 60s", "time_limit: -1", `s.yaml:10:22: limits.time_limit: "-1" is no time`},
		{"data: iris, method: OCT", "data: iris, method: OCTT", `s.yaml:14:28: reference.values[0].method: no method "OCTT"; did you mean "OCT"?`},
		{"value: 3.5", "metric: test_eror, value: 3.5", `s.yaml:14:41: reference.values[0].metric: "test_eror"; want ` + figures + `; did you mean "test_error"?`},
		{"value: 3.5", "metric: train_constraint, value: 3.5", `s.yaml:14:41: reference.values[0].metric: "train_constraint"; want ` + figures},
		{"file: iris.csv", "file: iris.csv, positive: yes", `s.yaml:3:44: data[0].positive: it needs groups; name them, as in group: race`},
		{"value: 3.5", "value: .nan", `s.yaml:14:40: reference.values[0].value: ".nan"; want a finite number`},
		{"name: good", "name: good\nbaseline: X", `s.yaml:2:11: baseline: no method "X"; they are ["CART" "OCT" "oct"]`},
		{"name: good", "name: [", "s.yaml:"},
		{"name: good", "name: good\n---\nname: bad", "s.yaml:"},
		{"name: good", "<<: {name: x}\nname: good", `s.yaml:1:1: the merge key << is not supported; want the keys written out`},
		{"method: cart, depth: 3", "<<: {method: cart}, depth: 3", `s.yaml:7:18: methods[0]: the merge key << is not supported; want the keys written out`},
		{"name: good", "? [a]\n: b\nname: good", `s.yaml:1:3: the key "" is not a name`},
		{"name: good", "%FOO 1\n---\nname: good", "s.yaml:1: found unknown directive name"},
		{"name: good", "# 1\n%YAML 2.0\n---\nname: good", "s.yaml:"},
		{"name: good", "name: good\nmetrics: [test_auc, test_acu]", `s.yaml:2:21: metrics[1]: "test_acu"; want ` + metrics + `; did you mean "test_auc"?`},
		{"name: good", "name: good\nmetrics: [splits, test_auc, splits]", "s.yaml:2:29: metrics[2]: splits appears twice"},
		{"name: good", "name: good\nbaseline: *nowhere", "s.yaml:2: unknown anchor 'nowhere' referenced"},
		{"paper: a paper", "paper: a\x01paper", "s.yaml:12: control characters are not allowed"},
		{"paper: a paper", "paper: a\xffpaper", "s.yaml:12: invalid leading UTF-8 octet"},
		{"paper: a paper", "paper: a\u0090paper", "s.yaml:12: control characters are not allowed"},
		{"name: iris", `name: "a\u202Eb"`, `s.yaml:3:12: data[0].name: "a\u202eb"; want a name without slashes, line ends and other control characters`},
		{"name: iris", "name: a\u2066b", `s.yaml:3:12: data[0].name: "a\u2066b"; want a name without`},
		{"name: iris, file: iris.csv", "file: \"a\u202Eb.csv\"", `s.yaml:3:12: data[0].file: "a\u202eb.csv" has control characters, so the data need a key "name"`},
		{"name: OCT", `name: "O\eCT"`, `s.yaml:8:12: methods[1].name: "O\x1bCT"; want a name without`},
		{"name: OCT", `name: "O\LCT"`, `s.yaml:8:12: methods[1].name: "O\u2028CT"; want a name without`},
		{"name: good", `name: "go\u2069od"`, `s.yaml:1:7: name: "go\u2069od"; want a name without line ends and other control characters`},
		{"seed: 7", "seed: 9223372036854775808", `s.yaml:5:40: evaluate.seed: "9223372036854775808"; want a whole number, 0 to 9223372036854775807`},
		{"seed: 7", "seed: 99999999999999999999", `s.yaml:5:40: evaluate.seed: "99999999999999999999"; want a whole number, 0 to 9223372036854775807`},
		{"seed: 7", "seed: -1", `s.yaml:5:40: evaluate.seed: "-1"; want a whole number, 0 or more`},
		{"folds: 3", "folds: 99999999999999999999", `s.yaml:5:19: evaluate.folds: "99999999999999999999"; want a whole number, 2 to `},
	} {
		text := strings.Replace(good, c.old, c.new, 1)
		if text == good {
			t.Fatalf("%q is not in the spec", c.old)
		}
		_, err := spec.Parse([]byte(text), "s.yaml")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v\nwant %s", c.new, err, c.want)
		}
	}
	for _, text := range []string{"", "# nothing\n", "3", "[]"} {
		if _, err := spec.Parse([]byte(text), "s.yaml"); err == nil || !strings.HasPrefix(err.Error(), "s.yaml:") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestLimits: shared limits apply to the methods that have them, and choose no engine.
func TestLimits(t *testing.T) {
	const text = `name: n
data: [{file: a.csv}]
evaluate: {folds: 3}
limits: {time_limit: 60s, node_limit: 5, work_limit: 7}
methods:
  - {name: A, method: cart}
  - {name: B, method: oct}
  - {name: C, method: oct, engine: mio}
  - {name: D, method: oct, encoding: bigm}
  - {name: E, method: rlp}
  - {name: F, method: oct-h}
  - {name: G, method: oct, engine: search, node_limit: 5}
`
	_, err := spec.Parse([]byte(text), "s.yaml")
	if err == nil || !strings.Contains(err.Error(), "methods[6].node_limit: --node-limit is of the engine mio, not of search") {
		t.Errorf("%v", err)
	}
	s, err := spec.Parse([]byte(strings.Replace(text, "search, node_limit: 5", "search", 1)), "s.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range s.Methods {
		got = append(got, m.Name+" "+strings.Join(m.Args, " "))
	}
	want := []string{
		"A --method=cart --time-limit=60s",
		"B --method=oct --time-limit=60s --work-limit=7",
		"C --engine=mio --method=oct --node-limit=5 --time-limit=60s",
		"D --encoding=bigm --method=oct --node-limit=5 --time-limit=60s",
		"E --method=rlp --time-limit=60s",
		"F --method=oct-h --node-limit=5 --time-limit=60s",
		"G --engine=search --method=oct --time-limit=60s --work-limit=7",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestBaselines: a method may have its own baseline.
func TestBaselines(t *testing.T) {
	const text = `name: n
data: [{file: a.csv}]
evaluate: {folds: 3}
methods:
  - {name: A, method: cart}
  - {name: B, method: cart, depth: 3, baseline: C}
  - {name: C, method: cart, depth: 4, baseline: C}
  - {name: D, method: c45}
`
	s, err := spec.Parse([]byte(text), "s.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range s.MethodNames() {
		got = append(got, s.BaselineOf(m))
	}
	if diff := cmp.Diff([]string{"", "C", "", "A"}, got); diff != "" {
		t.Errorf("baselines (-want +got):\n%s", diff)
	}
	if s.OneBaseline() {
		t.Error("there are two baselines")
	}
	_, err = spec.Parse([]byte(strings.Replace(text, "baseline: C}", "baseline: X}", 1)), "s.yaml")
	if err == nil || !strings.Contains(err.Error(), `s.yaml:6:49: methods[1].baseline: no method "X"; they are ["A" "B" "C" "D"]`) {
		t.Errorf("an unknown baseline gives %v", err)
	}
}

// TestYAML12: a spec may declare YAML 1.2; its texts do not change.
func TestYAML12(t *testing.T) {
	for _, head := range []string{"%YAML 1.2\n---\n", "%YAML 1.1\n---\n", "# a comment\n\n%YAML 1.2\n---\n", "---\n", "\ufeff"} {
		if _, err := spec.Parse([]byte(head+good), "s.yaml"); err != nil {
			t.Errorf("%q: %v", head, err)
		}
	}
	s, err := spec.Parse([]byte(strings.Replace(good, "paper: a paper", "paper: |\n    %YAML 1.2", 1)), "s.yaml")
	if err != nil || s.Reference.Paper != "%YAML 1.2\n" {
		t.Errorf("%v, %+v", err, s)
	}
}

// TestDocs: the spec in the documentation is valid.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "experiments.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```yaml\n")
	text, _, found := strings.Cut(rest, "```")
	if !found {
		t.Fatal("no spec in docs/experiments.md")
	}
	if _, err := spec.Parse([]byte(text), "docs"); err != nil {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(good)
	f.Add("name: &a x\ndata: *a\n")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := spec.Parse([]byte(text), "s.yaml"); err != nil && !strings.HasPrefix(err.Error(), "s.yaml:") {
			t.Errorf("%v", err)
		}
	})
}

// TestTooManyTasks: more tasks than a plan lists are rejected at the key with the largest factor,
// before any is created.
func TestTooManyTasks(t *testing.T) {
	const file, methods = "data: [{name: iris, file: iris.csv}]\n", "methods: [{method: cart}, {method: oct}]\n"
	for name, c := range map[string]struct{ text, want string }{
		"repeats": {file + "evaluate: {folds: 2, repeats: 2000000000}\n" + methods,
			`wrong.yaml:3:31: evaluate.repeats: 2000000000 repeats make 8e+09 tasks (with the data "iris" and those before); the maximum is 1000000`},
		"repeats beyond an int": {file + "evaluate: {folds: 9223372036854775807, repeats: 9223372036854775807}\n" + methods,
			`wrong.yaml:3:49: evaluate.repeats: 9223372036854775807 repeats make 1.701e+38 tasks (with the data "iris" and those before); the maximum is 1000000`},
		"folds": {file + "evaluate: {folds: 600000}\n" + methods,
			`wrong.yaml:3:19: evaluate.folds: 600000 folds make 1.2e+06 tasks (with the data "iris" and those before); the maximum is 1000000`},
		"replicates": {"data: [{name: g, generate: gto-tree, features: 2, rows: 30, test_rows: 20, replicates: 600000}]\n" + methods,
			`wrong.yaml:2:88: data[0].replicates: 600000 replicates make 1.2e+06 tasks (with the data "g" and those before); the maximum is 1000000`},
		"together": {"data: [{name: a, file: iris.csv}, {name: b, file: iris.csv}]\nevaluate: {folds: 2, repeats: 200000}\n" + methods,
			`wrong.yaml:3:31: evaluate.repeats: 200000 repeats make 1.6e+06 tasks (with the data "b" and those before); the maximum is 1000000`},
		"as many as there may be": {file + "evaluate: {folds: 2, repeats: 250000}\n" + methods, ""},
	} {
		_, err := spec.Parse([]byte("name: x\n"+c.text), "wrong.yaml")
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// TestManyMethods: repeated names are found among thousands.
func TestManyMethods(t *testing.T) {
	var text strings.Builder
	text.WriteString("name: x\ndata: [{file: iris.csv}]\nevaluate: {folds: 2}\nmethods:\n")
	for i := range 3000 {
		fmt.Fprintf(&text, "- {method: cart, name: m%d}\n", i)
	}
	s, err := spec.Parse([]byte(text.String()), "x.yaml")
	if err != nil || len(s.Methods) != 3000 || s.Methods[2999].Baseline != "m0" {
		t.Fatal(err)
	}
	text.WriteString("- {method: cart, name: m1234}\n")
	if _, err := spec.Parse([]byte(text.String()), "x.yaml"); err == nil || err.Error() != `x.yaml:3005:3: methods[3000]: two methods are named "m1234"` {
		t.Errorf("%v", err)
	}
}
