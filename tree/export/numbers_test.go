package export_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/export"
)

// numberTree is a tree that predicts numbers, on data with categories and gaps, with its rows as texts.
func numberTree(t *testing.T) (*tree.Tree, *dataset.Dataset, [][]string) {
	t.Helper()
	r := rand.New(rand.NewPCG(9, 10))
	var b strings.Builder
	var rows [][]string
	b.WriteString("size,colour,price\n")
	for i := range 120 {
		size, colour := fmt.Sprint(math.Round(r.Float64()*1000)/8), []string{"red", "blue", "green"}[r.IntN(3)]
		if i%9 == 8 {
			size = ""
		}
		if i%11 == 10 {
			colour = ""
		}
		fmt.Fprintf(&b, "%s,%s,%v\n", size, colour, r.NormFloat64()*1e3/3)
		rows = append(rows, []string{size, colour})
	}
	ds, err := dataset.Read(strings.NewReader(b.String()), "n.csv", dataset.LoadOptions{Missing: dataset.MissingMean})
	if err != nil {
		t.Fatal(err)
	}
	tr := tree.NewLeaf(ds, 0)
	left, right := tr.Grow(0, tree.Univariate(0, 60.3), 0, 0)
	tr.Grow(left, tree.Univariate(1, 0.5), 0, 0)
	low, _ := tr.Grow(right, tree.Univariate(3, 0.5), 0, 0)
	tr.Grow(low, tree.Univariate(0, 100.1), 0, 0)
	tr.Annotate(ds)
	tr.Fit = &tree.Fit{Method: "ort", Data: "n.csv", Status: "optimal", Claim: "no tree of depth 3 has a smaller squared error"}
	return tr, ds, rows
}

func exported(t *testing.T, tr *tree.Tree, to string, o export.Options) []byte {
	t.Helper()
	b, err := export.Bytes(tr, to, o)
	if err != nil {
		t.Fatalf("%s: %v", to, err)
	}
	return b
}

// TestNumberRules: a rule for each leaf, with its number.
func TestNumberRules(t *testing.T) {
	ds, err := dataset.NewNumbers([]float64{1, 2, 3, 4}, []float64{1.5, 2.5, 2.5, 8}, []string{"x"}, "price")
	if err != nil {
		t.Fatal(err)
	}
	tr := tree.NewLeaf(ds, 0)
	_, high := tr.Grow(0, tree.Univariate(0, 1.5), 0, 0)
	tr.Grow(high, tree.Univariate(0, 3.5), 0, 0)
	tr.Annotate(ds)
	want := `# number: "price"
# "x" missing: no prediction
if "x" < 1.5 then 1.5 (rows 1)
if 1.5 <= "x" < 3.5 then 2.5 (rows 2)
if "x" >= 3.5 then 8.0 (rows 1)
`
	if diff := cmp.Diff(want, string(exported(t, tr, "rules", export.Options{}))); diff != "" {
		t.Error(diff)
	}
}

// TestNumberExports: every target predicts the tree's numbers, to the last bit.
func TestNumberExports(t *testing.T) {
	needTools(t)
	tr, ds, rows := numberTree(t)
	want := make([]float64, ds.N())
	for i := range want {
		want[i] = tr.Value(ds.Row(i))
	}
	check := func(what string, got []float64) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	input, err := json.Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	read := func(text []byte) []float64 {
		t.Helper()
		var v []float64
		if err := json.Unmarshal(text, &v); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		return v
	}
	lines := func(text []byte) []float64 {
		t.Helper()
		var v []float64
		for _, f := range strings.Fields(string(text)) {
			x, err := strconv.ParseFloat(f, 64)
			if err != nil {
				t.Fatal(err)
			}
			v = append(v, x)
		}
		return v
	}
	dir := t.TempDir()

	writeFile(t, dir, "tree.py", exported(t, tr, "python", export.Options{}))
	check("python", read(run(t, dir, input, "python3", "-c", `import json, sys, tree
print(json.dumps([tree.predict({"size": s, "colour": c}) for s, c in json.load(sys.stdin)]))`)))

	writeFile(t, dir, "tree.js", exported(t, tr, "javascript", export.Options{}))
	check("javascript", read(run(t, dir, input, "node", "-e", `const { predict } = require("./tree.js");
console.log(JSON.stringify(JSON.parse(require("fs").readFileSync(0, "utf8")).map(([size, colour]) => predict({ size, colour }))));`)))

	var table strings.Builder
	table.WriteString("CREATE TABLE n (id INTEGER, size REAL, colour TEXT);\n")
	for i, r := range rows {
		size := r[0]
		if size == "" {
			size = "NULL"
		}
		fmt.Fprintf(&table, "INSERT INTO n VALUES (%d, %s, '%s');\n", i, size, r[1])
	}
	hex := "SELECT printf('%!.20g', octgen_value) FROM (" + string(exported(t, tr, "sql", export.Options{Table: "n"})) + ") ORDER BY id;"
	check("sql statement", lines(run(t, dir, []byte(table.String()+hex), "sqlite3", "-batch", ":memory:")))
	hex = "SELECT printf('%!.20g', " + string(exported(t, tr, "sql", export.Options{})) + ") FROM n ORDER BY id;"
	check("sql expression", lines(run(t, dir, []byte(table.String()+hex), "sqlite3", "-batch", ":memory:")))

	writeFile(t, dir, "tree.c", exported(t, tr, "c", export.Options{}))
	var calls, goCalls strings.Builder
	for _, r := range rows {
		c, g := r[0], r[0]
		if c == "" {
			c, g = "NAN", "math.NaN()"
		}
		fmt.Fprintf(&calls, "    { struct octgen_row r = {%s, \"%s\"}; printf(\"%%.17g\\n\", octgen_predict(&r)); }\n", c, r[1])
		fmt.Fprintf(&goCalls, "\tshow(octgen.Predict(octgen.Row{%s, %q}))\n", g, r[1])
	}
	writeFile(t, dir, "main.c", []byte("#include <stdio.h>\n#include \"tree.c\"\nint main(void) {\n"+calls.String()+"    return 0;\n}\n"))
	run(t, dir, nil, "gcc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-o", "tree", "main.c")
	check("c", lines(run(t, dir, nil, "./tree")))

	module := t.TempDir()
	writeFile(t, module, "go.mod", []byte("module trees\n\ngo 1.21\n"))
	if err := os.Mkdir(filepath.Join(module, "octgen"), 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(module, "octgen"), "tree.go", exported(t, tr, "go", export.Options{}))
	writeFile(t, module, "main.go", []byte("package main\n\nimport (\n\t\"fmt\"\n\t\"math\"\n\t\"trees/octgen\"\n)\n\nfunc show(v float64, ok bool) {\n\tif !ok {\n\t\tv = math.Inf(1)\n\t}\n\tfmt.Println(v)\n}\n\nfunc main() {\n"+goCalls.String()+"}\n"))
	check("go", lines(run(t, module, nil, "go", "run", ".")))

	t.Setenv("NODE_PATH", onnxModules(t))
	writeFile(t, dir, "tree.onnx", exported(t, tr, "onnx", export.Options{}))
	check("onnx", read(run(t, dir, input, "node", "-e", `const ort = require("onnxruntime-node");
const rows = JSON.parse(require("fs").readFileSync(0, "utf8")), n = rows.length;
(async () => {
  const model = await ort.InferenceSession.create("./tree.onnx", { logSeverityLevel: 3 });
  const out = await model.run({ size: new ort.Tensor("float64", Float64Array.from(rows, (r) => (r[0] === "" ? NaN : Number(r[0]))), [n, 1]), colour: new ort.Tensor("string", rows.map((r) => r[1]), [n, 1]) });
  process.stdout.write(JSON.stringify(Array.from(out.octgen_value.data)));
})();`)))

	schema, err := filepath.Abs(filepath.Join(datatest.Dir(t), "..", "reference", "pmml-4-4.xsd"))
	if err != nil {
		t.Fatal(err)
	}
	pmml := exported(t, tr, "pmml", export.Options{})
	writeFile(t, dir, "tree.pmml", pmml)
	if _, err := os.Stat(schema); err == nil { // as in TestPMMLSchema
		run(t, dir, nil, "xmllint", "--noout", "--nonet", "--schema", schema, "tree.pmml")
	}
	if !strings.Contains(string(pmml), `functionName="regression"`) || strings.Contains(string(pmml), "ScoreDistribution") {
		t.Errorf("pmml: %s", pmml)
	}
}
