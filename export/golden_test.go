package export_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/export"
	"github.com/octgen/octgen/tree"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// goldenTree asks for a number, a category and a hyperplane, with gaps and odd names.
func goldenTree(t *testing.T) *tree.Tree {
	t.Helper()
	ds, err := dataset.Read(strings.NewReader("age,\"the \"\"colour\"\"\",class\n1.5,red,it's\n,blue,</script>\n3,it's,it's\n,red,it's\n4,?,it's\n"), "golden", dataset.LoadOptions{Missing: dataset.MissingCategory})
	if err != nil {
		t.Fatal(err)
	}
	nodes := []tree.Node{
		{Split: tree.Univariate(0, 0.30000000000000004), Left: 1, Right: 2, Count: []float64{4, 1}},
		{Class: 0, Weight: []float64{3, 0}, Count: []float64{3, 0}},
		{Split: tree.Univariate(2, 0.5), Left: 3, Right: 4, Count: []float64{1, 1}},
		{Split: &tree.Split{Terms: []tree.Term{{Feature: 0, Weight: -0.1}, {Feature: 1, Weight: 2}, {Feature: 4, Weight: 1}}, Threshold: 1.0 / 3}, Left: 5, Right: 6},
		{Class: 1, Weight: []float64{0, 1}, Count: []float64{0, 1}},
		{Class: 0, Weight: []float64{1, 2}, Count: []float64{1, 2}},
		{Class: 1},
	}
	tr := &tree.Tree{Nodes: nodes, Features: ds.Features, Classes: ds.Classes, Encoder: ds.Encoder}
	if err := tr.Validate(); err != nil {
		t.Fatal(err)
	}
	return tr
}

func TestGolden(t *testing.T) {
	tr := goldenTree(t)
	for file, o := range map[string]struct {
		to string
		export.Options
	}{
		"tree.c": {to: "c"}, "tree.go.txt": {to: "go"}, "tree.py.txt": {to: "python"}, "tree.js": {to: "javascript"}, "rules.txt": {to: "rules"},
		"sqlite.sql":    {to: "sql"},
		"postgres.sql":  {to: "sql", Options: export.Options{Dialect: "postgres"}},
		"ansi.sql":      {to: "sql", Options: export.Options{Dialect: "ansi"}},
		"statement.sql": {to: "sql", Options: export.Options{Table: "shop.the `sales`"}},
	} {
		got, err := export.Bytes(tr, o.to, o.Options)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		path := filepath.Join("testdata", file)
		if *update {
			if err := os.MkdirAll("testdata", 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs from what is written now (make golden):\n%s", path, got)
		}
	}
}
