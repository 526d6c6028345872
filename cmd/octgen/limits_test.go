package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octgen/octgen/tree"
)

// classesFile has a row for each of k classes.
func classesFile(k int) string {
	var text strings.Builder
	text.WriteString("a,b,class\n")
	for i := range k {
		fmt.Fprintf(&text, "%d,%d,c%d\n", i%7, i%11, i)
	}
	return text.String()
}

// TestLimits: small files that ask for more memory than there may be are answered in
// proportion to their size, or refused with what would be right.
func TestLimits(t *testing.T) {
	const twoSplits = `{"schema_version":2,"features":["a"],"classes":["p","q"],"nodes":[
		{"split":{"terms":[{"feature":0,"weight":1}],"threshold":1.5},"left":1,"right":2,"class":0},{"class":0},
		{"split":{"terms":[{"feature":0,"weight":1}],"threshold":2.5},"left":3,"right":4,"class":0},{"class":1},{"class":0}]}`
	const iris = "a,class\n1,p\n2,q\n3,p\n4,q\n"
	spec := func(evaluate string) string {
		return "name: x\ndata: [{file: data.csv}]\nevaluate: {" + evaluate + "}\nmethods: [{method: cart}]\n"
	}
	for name, c := range map[string]struct {
		data string // of data.csv
		spec string // of spec.yaml
		args string
		code int
		want string // of standard error
	}{
		"20,000 classes":         {data: classesFile(20000), args: "fit data.csv --method cart", code: exitDone},
		"20,000 classes as JSON": {data: classesFile(20000), args: "fit data.csv --method cart --json", code: exitDone},
		"costs of 10,000 classes": {data: classesFile(10000), args: "fit data.csv --cost-matrix c1:c2=5", code: exitUsage,
			want: "octgen: data.csv: a cost matrix of 10000 classes for 10000 rows makes 100000000 costs, more than the maximum of 33554432; use fewer classes or rows, or no cost matrix\n"},
		"constraints on 10,000 classes": {data: classesFile(10000), args: "fit data.csv --engine search --depth 1 --recall c1>=0.5", code: exitUsage,
			want: "constraints on the predictions of 10000 rows of 10000 classes need 100000000 prices, one for each row and class, more than the maximum of 33554432; use fewer rows or classes\n"},
		"leaf purity of 20,000 classes": {data: classesFile(20000), args: "fit data.csv --depth 1 --leaf-purity 0.5 --quiet", code: exitUsage,
			want: "more than the maximum of 33554432; use fewer rows or classes\n"},
		"oct-h of 20,000 classes": {data: classesFile(20000), args: "mps data.csv --form oct-h -o m.mps --quiet", code: exitUsage,
			want: "the maximum is 6 GiB: use a smaller depth, or fewer rows or classes\n"},
		"threads": {data: iris, args: "fit data.csv --threads 100000", code: exitUsage,
			want: "octgen: --threads is \"100000\"; want a whole number, 0 to 1024\n"},
		"most threads": {data: iris, args: "fit data.csv --method treesearch --depth 3 --threads 1024", code: exitDone},
		"alpha": {data: iris, args: "fit data.csv --alpha 1e308 --recall p>=0.5", code: exitUsage,
			want: "octgen: --alpha is \"1e+308\"; want a number, 0 to 1e300\n"},
		"largest alpha, splits that stay": {data: iris, args: "fit data.csv --alpha 1e300 --fix tree.json --json", code: exitDone},
		"frank-wolfe of depth 16": {data: iris, args: "fit data.csv --method frank-wolfe --depth 16", code: exitUsage,
			want: "the maximum is 16777216 pairs of a decision and a leaf (a full tree of depth 12) and 1073741824 numbers: use a smaller depth\n"},
		"repeats": {data: iris, spec: spec("folds: 2, repeats: 2000000000"), args: "run spec.yaml --dry-run", code: exitUsage,
			want: "octgen: spec.yaml:3:31: evaluate.repeats: 2000000000 repeats make 4e+09 tasks (with the data \"data\" and those before); the maximum is 1000000\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for file, text := range map[string]string{"data.csv": c.data, "spec.yaml": c.spec, "tree.json": twoSplits} {
				if err := os.WriteFile(filepath.Clean(file), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			var out, log bytes.Buffer
			code := run(context.Background(), strings.Fields(c.args), strings.NewReader(""), &out, &log)
			if code != c.code || !strings.HasSuffix(log.String(), c.want) {
				t.Errorf("exit code %d, %q; want %d, %q", code, log.String(), c.code, c.want)
			}
			if most := 60*len(c.data) + 1<<16; out.Len() > most {
				t.Errorf("%d bytes of output; want at most %d", out.Len(), most)
			}
		})
	}
}

// TestDeepTrees: a chain is shown and exported in proportion to its nodes, or refused as bad
// input, with nothing on standard output.
func TestDeepTrees(t *testing.T) {
	const levels, most = 3000, 1000 // bytes for each node
	tr := &tree.Tree{Features: []string{"x", "y"}, Classes: []string{"a", "b"}}
	for i := range levels {
		split := &tree.Split{Terms: []tree.Term{{Feature: 0, Weight: 1}, {Feature: 1, Weight: 2}}, Threshold: float64(i)}
		tr.Nodes = append(tr.Nodes, tree.Node{Split: split, Left: 2*i + 2, Right: 2*i + 1}, tree.Node{Class: i % 2})
	}
	tr.Nodes = append(tr.Nodes, tree.Node{})
	var file bytes.Buffer
	if err := tr.WriteJSON(&file); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ command, refused string }{
		{"show - --format text", ""}, {"show - --format dot", ""}, {"show - --format svg", ""}, {"show - --format json", ""},
		{"show - --format html", "octgen: the tree has 3000 levels, and a page shows no more than 240, "},
		{"export - --to sql", ""}, {"export - --to sql --select t", ""}, {"export - --to python", ""}, {"export - --to pmml", ""},
		{"export - --to rules", "octgen: rules: the rules would have 9009000 conditions, "},
		{"export - --to html", "octgen: html: the tree has 3000 levels, and a page shows no more than 240, "},
	} {
		var out, errs bytes.Buffer
		code := run(context.Background(), strings.Fields(c.command), bytes.NewReader(file.Bytes()), &out, &errs)
		switch {
		case c.refused != "":
			if code != exitUsage || out.Len() > 0 || !strings.HasPrefix(errs.String(), c.refused) {
				t.Errorf("%s: exit code %d, %d bytes, %s", c.command, code, out.Len(), errs.String())
			}
		case code != exitDone || out.Len() > most*len(tr.Nodes):
			t.Errorf("%s: exit code %d, %d bytes for %d nodes: %s", c.command, code, out.Len(), len(tr.Nodes), errs.String())
		}
	}
}
