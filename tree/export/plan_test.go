package export_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/export"
	"github.com/octgen/octgen/tree/page"
)

// chainCase is a chain of more levels than Python nests blocks, with more leaves than SQLite
// unites selections. Its leaves are at the left and at the right, its splits of all kinds.
func chainCase(t *testing.T) *conformanceCase {
	t.Helper()
	c := fitted(t, "chain", table{rows: 120, numbers: 3, categories: colours, gaps: 0.15, classes: letters(3), decimals: 1},
		dataset.LoadOptions{Missing: dataset.MissingCategory, CategoricalColumns: []string{"cat3"}}, 1)
	const levels = 520
	r := rand.New(rand.NewPCG(11, 12))
	x := c.encoded(t, c.rows)
	c.tree.Nodes = nil
	for i := range levels {
		row := x[r.IntN(len(x))]
		split, toLeft := &tree.Split{}, r.IntN(2) == 0
		switch {
		case i%40 == 7: // of a category, or a mark of missing fields
			j := 3 + r.IntN(len(row)-3)
			split, toLeft = tree.Univariate(j, 0.5), row[j] >= 0.5
		case i%10 == 3:
			for j := range 5 {
				w := r.NormFloat64()
				split.Terms = append(split.Terms, tree.Term{Feature: j, Weight: w})
				split.Threshold += float64(w * row[j])
			}
			split.Threshold += map[bool]float64{true: -1, false: 1}[toLeft] * 30
		default:
			split = tree.Univariate(i%3, map[bool]float64{true: -1, false: 1}[toLeft]*(15-float64(i)/50))
		}
		n := tree.Node{Split: split, Left: 2*i + 2, Right: 2*i + 1}
		if toLeft {
			n.Left, n.Right = n.Right, n.Left
		}
		c.tree.Nodes = append(c.tree.Nodes, n, chainLeaf(i))
	}
	c.tree.Nodes = append(c.tree.Nodes, chainLeaf(levels))
	if err := c.tree.Validate(); err != nil {
		t.Fatal(err)
	}
	return c
}

func chainLeaf(i int) tree.Node {
	w := []float64{float64(i + 1), 3, 1}
	return tree.Node{Class: i % 3, Weight: w, Count: w}
}

// longChain is a chain of 8,000 levels with leaves at the left, at the right, or in turn, over
// hyperplanes or one column.
func longChain(side string, planes bool) *tree.Tree {
	t := &tree.Tree{Features: []string{"x", "y"}, Classes: []string{"a", "b"}}
	for i := range 8000 {
		n := tree.Node{Split: tree.Univariate(0, float64(i)), Left: 2*i + 1, Right: 2*i + 2}
		if planes {
			n.Split.Terms = append(n.Split.Terms, tree.Term{Feature: 1, Weight: 0.5})
		}
		if side == "right" || side == "turns" && i%2 == 0 {
			n.Left, n.Right = n.Right, n.Left
		}
		t.Nodes = append(t.Nodes, n, tree.Node{Class: i % 2})
	}
	t.Nodes = append(t.Nodes, tree.Node{})
	return t
}

// TestLongChains: what is written of a chain grows with its nodes, not with their square, or
// it is refused.
func TestLongChains(t *testing.T) {
	const most = 2000 // bytes for each node
	refused := map[string]string{
		"rules": "rules: the rules would have 64024000 conditions, since each repeats those on the path to its leaf; the maximum is 2000000; other targets write each condition once",
		"html":  "html: the tree has 8000 levels, and a page shows no more than 240, since browsers limit how deep elements nest; text, dot and svg have no such limit",
	}
	for _, side := range []string{"left", "right", "turns"} {
		for _, planes := range []bool{false, true} {
			tr := longChain(side, planes)
			for _, to := range export.Targets() {
				what := fmt.Sprintf("%s, leaves %s, hyperplanes %v", to, side, planes)
				b, err := export.Bytes(tr, to, export.Options{})
				switch want := refused[to]; {
				case want != "" && (planes || to == "html"):
					if err == nil || err.Error() != want {
						t.Errorf("%s: %v, want %s", what, err, want)
					}
				case err != nil:
					t.Errorf("%s: %v", what, err)
				case len(b) > most*len(tr.Nodes):
					t.Errorf("%s: %d bytes for %d nodes", what, len(b), len(tr.Nodes))
				}
			}
		}
	}
}

// TestWrite: refusals write nothing, and are told from errors of the writer.
func TestWrite(t *testing.T) {
	for _, to := range export.Targets() {
		broken := errors.New("disk full")
		if err := export.Write(failing{broken}, goldenTree(t), to, export.Options{}); err != broken {
			t.Errorf("%s: %v, want %v", to, err, broken)
		}
	}
	var out bytes.Buffer
	err := export.Write(&out, longChain("left", true), "rules", export.Options{})
	if _, refused := errors.AsType[*export.RefusalError](err); !refused || out.Len() > 0 {
		t.Errorf("%v, and %d bytes", err, out.Len())
	}
}

// failing is a writer that fails.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// optionalKeys are the keys of a node in tree.json that may be left out.
var optionalKeys = []string{"weight", "count", "reward"}

// TestOptionalFields leaves out optional fields of tree.json, each at each node and many at
// once: every form of show and every target still writes the tree.
func TestOptionalFields(t *testing.T) {
	bare := policyTree(t) // without an encoder, only the rewards of the root make it a policy
	bare.Encoder = nil
	for name, whole := range map[string]*tree.Tree{"classes": countedTree(t), "policy": policyTree(t), "bare policy": bare} {
		for i := range whole.Nodes {
			for _, key := range optionalKeys {
				write(t, fmt.Sprintf("%s, node %d without %s", name, i, key), without(t, whole, func(node int, k string) bool { return node == i && k == key }))
			}
		}
		r := rand.New(rand.NewPCG(1, 2))
		for i := range 300 {
			often := r.Float64()
			write(t, fmt.Sprintf("%s, draw %d", name, i), without(t, whole, func(int, string) bool { return r.Float64() < often }))
		}
	}
}

// countedTree is a tree of iris with the counts of its rows.
func countedTree(t *testing.T) *tree.Tree {
	t.Helper()
	return grown(t, "iris", datatest.Example(t, "iris"), 3).tree
}

// without returns the tree whose file lacks the optional keys that leave is true of.
func without(t *testing.T, whole *tree.Tree, leave func(node int, key string) bool) *tree.Tree {
	t.Helper()
	b, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	var file map[string]any
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	for i, n := range file["nodes"].([]any) {
		maps.DeleteFunc(n.(map[string]any), func(key string, _ any) bool {
			return slices.Contains(optionalKeys, key) && leave(i, key)
		})
	}
	if b, err = json.Marshal(file); err != nil {
		t.Fatal(err)
	}
	got, err := tree.ReadJSON(strings.NewReader(string(b)))
	if err != nil {
		t.Fatalf("a tree without optional keys is refused: %v", err)
	}
	return got
}

// write has every form and target write the tree, whose drawing has finite numbers only.
func write(t *testing.T, what string, tr *tree.Tree) {
	t.Helper()
	var html, drawing, text strings.Builder
	for form, err := range map[string]error{
		"text": tr.WriteText(&text, tree.Format{}), "dot": tr.WriteDOT(io.Discard, tree.Format{}), "svg": tr.WriteSVG(&drawing, tree.Format{}),
		"json": tr.WriteJSON(io.Discard), "html": page.WriteHTML(&html, tr, page.Options{}),
	} {
		if err != nil {
			t.Errorf("%s: %s: %v", what, form, err)
		}
	}
	_, list, _ := strings.Cut(html.String(), `<ul class="nodes">`)
	list, _, _ = strings.Cut(list, "<script")
	for form, output := range map[string]string{"svg": drawing.String(), "html": list} {
		if strings.Contains(output, "NaN") || strings.Contains(output, "Inf") {
			t.Errorf("%s: %s has a number that is not finite:\n%s", what, form, output)
		}
	}
	if policy := tr.IsPolicy(); policy == strings.Contains(text.String(), "class: ") || policy == strings.Contains(html.String(), ">class</span>") {
		t.Errorf("%s: classes and actions are mixed up:\n%s", what, text.String())
	}
	for _, to := range export.Targets() {
		if _, err := export.Bytes(tr, to, export.Options{}); err != nil {
			t.Errorf("%s: %s: %v", what, to, err)
		}
	}
}

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
