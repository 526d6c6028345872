package export_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/export"
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
		"tree.c": {to: "c"}, "tree.go.txt": {to: "go"}, "tree.py.txt": {to: "python"}, "tree.js": {to: "javascript"}, "rules.txt": {to: "rules"}, "tree.pmml": {to: "pmml"},
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

// TestRefusals: what a target cannot hold is an error that names it.
func TestRefusals(t *testing.T) {
	named := func(column, category, class string) *tree.Tree {
		e := &dataset.Encoder{Target: "y", Classes: []string{"a", class}, Columns: []dataset.SourceColumn{
			{Name: column, Kind: dataset.Numeric}, {Name: "c", Kind: dataset.OneHot, Categories: []string{"p", "q", category}},
			{Name: "C", Kind: dataset.Numeric},
		}}
		return &tree.Tree{Features: e.Features(), Classes: e.Classes, Encoder: e, Nodes: []tree.Node{
			{Split: tree.Univariate(0, 1), Left: 1, Right: 2}, {Split: tree.Univariate(3, 0.5), Left: 3, Right: 4}, {Class: 1}, {Class: 0}, {Class: 1},
		}}
	}
	folded := named("x", "r", "b")
	folded.Nodes[3] = tree.Node{Split: tree.Univariate(4, 1), Left: 5, Right: 6}
	folded.Nodes = append(folded.Nodes, tree.Node{}, tree.Node{Class: 1})
	long := strings.Repeat("ä", 31) + "x"
	alike := named(long+"1", "r", "b")
	alike.Encoder.Columns[1].Name = long + "2"
	alike.Features = alike.Encoder.Features()
	dated := named("x", "r", "b")
	dated.Encoder.Columns[0].Date = &dataset.Date{Format: "YYYY-MM-DD", First: "2020-01-01"}
	coded := named("x", "r", "b")
	coded.Encoder.Codes = map[string]float64{"9": -1}
	for _, c := range []struct {
		to   string
		o    export.Options
		tree *tree.Tree
		want string
	}{
		{"sql", export.Options{}, named("a\x00b", "r", "b"), `sql: the column name "a\x00b" has a null character, which texts of SQL cannot have`},
		{"sql", export.Options{}, named("x", "r\x00", "b"), `sql: the text "r\x00" of column "c" has a null character, which texts of SQL cannot have`},
		{"sql", export.Options{}, named("x", "r", "b\x00"), `sql: the class "b\x00" has a null character, which texts of SQL cannot have`},
		{"sql", export.Options{Table: "a..b"}, named("x", "r", "b"), `sql: the table name "a..b" has an empty part`},
		{"sql", export.Options{}, folded, `sql: SQLite takes the columns "c" and "C" for one`},
		{"sql", export.Options{Dialect: "postgres"}, alike, "sql: PostgreSQL takes the columns \"" + long + "1\" and \"" + long + "2\" for one"},
		{"sql", export.Options{Dialect: "ansi"}, dated, `sql: the standard does not read dates, which the column "x" holds (--dates); other dialects do`},
		{"c", export.Options{}, named("x", "r\x00", "b"), `c: texts of C end at a null character, and the text "r\x00" of column "c" has one`},
		{"c", export.Options{Name: "int"}, named("x", "r", "b"), `c: the name "int" is not a valid C identifier`},
		{"javascript", export.Options{Name: "Map"}, named("x", "r", "b"), `javascript: the name "Map" is not a free JavaScript identifier`},
		{"go", export.Options{Name: "func"}, named("x", "r", "b"), `go: the name "func" is not a valid package name`},
		{"pmml", export.Options{}, named("x\x01", "r", "b"), `pmml: the column name "x\x01" has a character that XML does not allow`},
		{"onnx", export.Options{}, dated, `onnx: takes numbers only, and the column "x" holds dates (--dates); other targets can read it`},
		{"rules", export.Options{}, coded, `rules: the tree was fitted with the code 9=-1, which replaces a number; such trees are not exported`},
		{"python", export.Options{Name: "x"}, dated, `--name is not for python`},
		{"go", export.Options{Unknown: "perhaps"}, dated, `unknown categories "perhaps"; want error or other`},
	} {
		_, err := export.Bytes(c.tree, c.to, c.o)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v\nwant %s", c.to, err, c.want)
		}
	}
}
