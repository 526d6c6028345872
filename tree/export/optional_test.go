package export_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/export"
	"github.com/octgen/octgen/tree/page"
)

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
