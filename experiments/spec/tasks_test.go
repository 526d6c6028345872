package spec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/octgen/octgen/experiments/spec"
)

// TestTooManyTasks: more tasks than a plan lists are refused at the key that makes the most
// of them, before any is made.
func TestTooManyTasks(t *testing.T) {
	const file, methods = "data: [{name: iris, file: iris.csv}]\n", "methods: [{method: cart}, {method: oct}]\n"
	for name, c := range map[string]struct{ text, want string }{
		"repeats": {file + "evaluate: {folds: 2, repeats: 2000000000}\n" + methods,
			`wrong.yaml:3:31: evaluate.repeats: 2000000000 repeats make 8e+09 tasks (with the data "iris" and those before); want at most 1000000 in all`},
		"repeats beyond an int": {file + "evaluate: {folds: 9223372036854775807, repeats: 9223372036854775807}\n" + methods,
			`wrong.yaml:3:49: evaluate.repeats: 9223372036854775807 repeats make 1.701e+38 tasks (with the data "iris" and those before); want at most 1000000 in all`},
		"folds": {file + "evaluate: {folds: 600000}\n" + methods,
			`wrong.yaml:3:19: evaluate.folds: 600000 folds make 1.2e+06 tasks (with the data "iris" and those before); want at most 1000000 in all`},
		"replicates": {"data: [{name: g, generate: gto-tree, features: 2, rows: 30, test_rows: 20, replicates: 600000}]\n" + methods,
			`wrong.yaml:2:88: data[0].replicates: 600000 replicates make 1.2e+06 tasks (with the data "g" and those before); want at most 1000000 in all`},
		"together": {"data: [{name: a, file: iris.csv}, {name: b, file: iris.csv}]\nevaluate: {folds: 2, repeats: 200000}\n" + methods,
			`wrong.yaml:3:31: evaluate.repeats: 200000 repeats make 1.6e+06 tasks (with the data "b" and those before); want at most 1000000 in all`},
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

// TestManyMethods: names that are there twice are found among thousands.
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
