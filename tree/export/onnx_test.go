package export_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree/export"
)

// onnxScript has the model of its folder classify rows in JSON: per column a name, its
// type and its values, of numbers null for those that are missing.
const onnxScript = `const ort = require("onnxruntime-node");
const columns = JSON.parse(require("fs").readFileSync(0, "utf8"));
(async () => {
  const model = await ort.InferenceSession.create("./tree.onnx", { logSeverityLevel: 3 });
  const feeds = Object.create(null);
  for (const c of columns) {
    const n = c.Values.length;
    feeds[c.Name] = c.Text ? new ort.Tensor("string", c.Values, [n, 1])
      : new ort.Tensor("float64", Float64Array.from(c.Values, (v) => (v === null ? NaN : v === "inf" ? Infinity : v)), [n, 1]);
  }
  const out = await model.run(feeds);
  const classes = out.octgen_class.data, shares = out.octgen_shares.data, k = shares.length / classes.length;
  process.stdout.write(JSON.stringify(Array.from(classes, (c, i) =>
    ({ Class: c, Shares: c === "" ? null : Array.from(shares.slice(i * k, (i + 1) * k)) }))));
})();
`

// onnxModules is the folder of onnxruntime-node.
func onnxModules(t *testing.T) string {
	t.Helper()
	modules, err := filepath.Abs("../../.tools/onnxruntime/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(modules); err != nil {
		t.Fatalf("%v; scripts/install-export-tools.sh installs it", err)
	}
	return modules
}

func TestONNX(t *testing.T) {
	needTools(t)
	t.Setenv("NODE_PATH", onnxModules(t))
	for _, c := range conformanceCases(t) {
		if c.refused(t, "onnx") {
			continue
		}
		dir, d := t.TempDir(), c.typed()
		writeFile(t, dir, "tree.onnx", c.written(t, "onnx", export.Options{}))
		writeFile(t, dir, "main.js", []byte(onnxScript))
		type column struct {
			Name   string
			Text   bool
			Values []any
		}
		var columns []column
		for j, s := range d.columns {
			in := column{Name: s.Name, Text: s.Kind != dataset.Numeric}
			for i := range c.rows {
				v := d.numbers[i][j]
				switch {
				case in.Text:
					in.Values = append(in.Values, d.texts[i][j])
				case math.IsNaN(v):
					in.Values = append(in.Values, nil)
				case math.IsInf(v, 0):
					in.Values = append(in.Values, "inf")
				default:
					in.Values = append(in.Values, v)
				}
			}
			columns = append(columns, in)
		}
		if len(columns) == 0 { // a single leaf asks for the number of rows only
			columns = []column{{Name: c.columns[0], Values: make([]any, len(c.rows))}}
		}
		input, err := json.Marshal(columns)
		if err != nil {
			t.Fatal(err)
		}
		var printed []struct {
			Class  string
			Shares []float64
		}
		if err := json.Unmarshal(run(t, dir, input, "node", "main.js"), &printed); err != nil {
			t.Fatal(err)
		}
		var got []answer
		for _, p := range printed {
			got = append(got, answer{p.Class, p.Shares})
		}
		c.compare(t, "onnx", len(c.rows), got)
	}
}
