package export_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/tree/export"
)

// TestMillionRows measures how long each target takes for 10^6 rows of four numbers,
// through a tree of depth 5 with univariate splits: rows in memory or in a table, and no
// output but a count. It needs the tools of the conformance suite.
func TestMillionRows(t *testing.T) {
	datatest.Long(t)
	needTools(t)
	c := classesCase(t)
	if got := len(c.columns); got != 4 {
		t.Fatalf("%d columns, want 4", got)
	}
	const rows = 1_000_000
	dir := t.TempDir()
	report := func(target, seconds string) {
		t.Logf("%-28s %s s", target, strings.TrimSpace(seconds))
	}

	writeFile(t, dir, "tree.c", c.written(t, "c", export.Options{}))
	writeFile(t, dir, "main.c", []byte(fmt.Sprintf(`#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "tree.c"
int main(void) {
    const int n = %d;
    struct octgen_row *rows = malloc(n * sizeof *rows);
    long count = 0;
    for (int i = 0; i < n; i++) {
        double v[4];
        for (int j = 0; j < 4; j++) v[j] = 12.0 * rand() / RAND_MAX - 6;
        struct octgen_row row = {v[0], v[1], v[2], v[3]};
        rows[i] = row;
    }
    clock_t began = clock();
    for (int i = 0; i < n; i++) count += octgen_predict(&rows[i]);
    printf("%%.3f\n", (double)(clock() - began) / CLOCKS_PER_SEC);
    return count < 0;
}
`, rows)))
	run(t, dir, nil, "gcc", "-O2", "-o", "tree", "main.c")
	report("c (gcc -O2)", string(run(t, dir, nil, "./tree")))

	module := filepath.Join(dir, "go")
	if err := os.MkdirAll(filepath.Join(module, "octgen"), 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, module, "go.mod", []byte("module speed\n\ngo 1.21\n"))
	writeFile(t, filepath.Join(module, "octgen"), "tree.go", c.written(t, "go", export.Options{}))
	writeFile(t, module, "main.go", []byte(fmt.Sprintf(`package main

import (
	"fmt"
	"math/rand"
	"time"

	"speed/octgen"
)

func main() {
	rows := make([]octgen.Row, %d)
	for i := range rows {
		v := func() float64 { return 12*rand.Float64() - 6 }
		rows[i] = octgen.Row{v(), v(), v(), v()}
	}
	began, count := time.Now(), 0
	for i := range rows {
		class, _ := octgen.Predict(rows[i])
		count += len(class)
	}
	fmt.Printf("%%.3f\n", time.Since(began).Seconds())
	if count == 0 {
		panic("no class")
	}
}
`, rows)))
	report("go, with shares", string(run(t, module, nil, "go", "run", ".")))

	expression := c.written(t, "sql", export.Options{})
	timed := func(script string) string {
		began := time.Now()
		run(t, dir, []byte(script), "sqlite3", "-batch", "speed.db")
		return fmt.Sprintf("%.2f", time.Since(began).Seconds())
	}
	timed(fmt.Sprintf(`CREATE TABLE rows AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
SELECT random() / 1.5e18 AS num1, random() / 1.5e18 AS num2, random() / 1.5e18 AS num3, random() / 1.5e18 AS num4 FROM n;
`, rows))
	report("sql, sqlite, expression", timed(fmt.Sprintf("SELECT COUNT(%s) FROM rows;", expression)))
	report("sql, sqlite, statement", timed(fmt.Sprintf("SELECT COUNT(octgen_class) FROM (%s);", c.written(t, "sql", export.Options{Table: "rows"}))))

	b := postgresServer(t)
	b.run(fmt.Sprintf("CREATE TABLE rows AS SELECT random() * 12 - 6 AS num1, random() * 12 - 6 AS num2, random() * 12 - 6 AS num3, random() * 12 - 6 AS num4 FROM generate_series(1, %d);\nANALYZE rows;\n", rows))
	began := time.Now()
	b.run(fmt.Sprintf("SELECT COUNT(%s) FROM rows;\n", c.written(t, "sql", export.Options{Dialect: "postgres"})))
	report("sql, postgres, expression", fmt.Sprintf("%.2f", time.Since(began).Seconds()))

	t.Setenv("NODE_PATH", onnxModules(t))
	writeFile(t, dir, "tree.onnx", c.written(t, "onnx", export.Options{}))
	writeFile(t, dir, "onnx.js", []byte(fmt.Sprintf(`const ort = require("onnxruntime-node");
(async () => {
  const model = await ort.InferenceSession.create("./tree.onnx", { logSeverityLevel: 3 });
  const feeds = {};
  for (const name of model.inputNames) feeds[name] = new ort.Tensor("float64", Float64Array.from({ length: %d }, () => 12 * Math.random() - 6), [%[1]d, 1]);
  for (const outputs of [["octgen_shares"], ["octgen_class", "octgen_shares"]]) {
    const began = performance.now();
    await model.run(feeds, outputs);
    console.log(((performance.now() - began) / 1000).toFixed(3));
  }
})();
`, rows)))
	seconds := strings.Fields(string(run(t, dir, nil, "node", "onnx.js")))
	report("onnx, onnxruntime, shares", seconds[0])
	report("onnx, and classes as texts", seconds[1])

	writeFile(t, dir, "tree.js", c.written(t, "javascript", export.Options{}))
	writeFile(t, dir, "speed.js", []byte(fmt.Sprintf(`const tree = require("./tree.js");
const v = () => 12 * Math.random() - 6;
const rows = Array.from({ length: %d }, () => ({ num1: v(), num2: v(), num3: v(), num4: v() }));
const began = performance.now();
for (const row of rows) tree.predict(row);
console.log(((performance.now() - began) / 1000).toFixed(3));
`, rows)))
	report("javascript, node", string(run(t, dir, nil, "node", "speed.js")))

	writeFile(t, dir, "tree.py", c.written(t, "python", export.Options{}))
	writeFile(t, dir, "speed.py", []byte(fmt.Sprintf(`import random, time
import tree
v = lambda: random.uniform(-6, 6)
rows = [{"num1": v(), "num2": v(), "num3": v(), "num4": v()} for _ in range(%d)]
began = time.perf_counter()
for row in rows: tree.predict(row)
print("%%.2f" %% (time.perf_counter() - began))
`, rows)))
	report("python", string(run(t, dir, nil, "/usr/bin/python3", "speed.py")))
}
