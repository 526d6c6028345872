package export_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/export"
)

// policyTree chooses among none, mail and call; a feature is named as a word of exports.
func policyTree(t *testing.T) *tree.Tree {
	t.Helper()
	text := "My class,shares,none,mail,call\n1,1,0,1,0.5\n2,1,0,2,1\n3,2,4,0,-1\n4,2,2,0,-2\n"
	ds, err := dataset.Read(strings.NewReader(text), "policy", dataset.LoadOptions{Rewards: []string{"none", "mail", "call"}})
	if err != nil {
		t.Fatal(err)
	}
	tr := tree.NewLeaf(ds, 0)
	tr.Grow(0, tree.Univariate(0, 2.5), 1, 0)
	tr.Annotate(ds)
	return tr
}

// TestPolicies: exports of policies have actions and their mean rewards, no classes, shares
// or wrong rows; what is the user's stays.
func TestPolicies(t *testing.T) {
	tr := policyTree(t)
	foreign := regexp.MustCompile(`(?i)class|share|probab|proba\b|wrong`)
	for _, c := range []struct {
		to, want string
		export.Options
	}{
		{to: "rules", want: `if "My class" < 2.5 then "mail" (rows 2, rewards 0.0 1.5 0.75)`},
		{to: "python", want: "def predict_rewards(row):"},
		{to: "javascript", want: "function predict_rewards(row)"},
		{to: "go", want: "func Predict(row Row) (action string, rewards []float64)"},
		{to: "c", want: "octgen_leaf_reward[][3]"},
		{to: "sql", want: "'mail'"},
		{to: "sql", want: "octgen_reward_mail", Options: export.Options{Table: "people"}},
		{to: "pmml", want: `<DataField name="action" optype="categorical"`},
		{to: "onnx", want: "octgen_action"},
		{to: "html", want: "Chooses an action."},
	} {
		got, err := export.Bytes(tr, c.to, c.Options)
		if err != nil {
			t.Fatalf("%s: %v", c.to, err)
		}
		if !bytes.Contains(got, []byte(c.want)) {
			t.Errorf("%s has no %s:\n%s", c.to, c.want, got)
		}
		if c.to == "onnx" || c.to == "html" { // names of its own beside those that are seen
			continue
		}
		text := regexp.MustCompile(`(?i)my[ _]?class|functionName="classification"`).ReplaceAllString(string(got), "")
		if word := foreign.FindString(text); word != "" {
			t.Errorf("%s has %q:\n%s", c.to, word, got)
		}
	}
	html, err := export.Bytes(tr, "html", export.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<title>Policy tree</title>", `aria-label="Actions"`, "rewards are means over them"} {
		if !bytes.Contains(html, []byte(want)) {
			t.Errorf("the page has no %s", want)
		}
	}
	var svg bytes.Buffer
	if err := tr.WriteSVG(&svg, tree.Format{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<title>Policy tree</title>", "n = 2, reward 1.5<", "none: reward 0\nmail: reward 1.5\ncall: reward 0.75</title>"} {
		if !strings.Contains(svg.String(), want) {
			t.Errorf("the drawing has no %q:\n%s", want, svg.String())
		}
	}
	if strings.Contains(svg.String(), "wrong") {
		t.Errorf("wrong rows of a policy:\n%s", svg.String())
	}
}
