package export_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree/export"
)

// needTools skips what needs more than Go and a C compiler, unless it is asked for, as
// scripts/test-all.sh does after it has installed the tools.
func needTools(t *testing.T) {
	t.Helper()
	if os.Getenv("OCTGEN_EXPORTS") == "" {
		t.Skip("needs databases, node and others: scripts/test-all.sh exports")
	}
}

// run runs a program with an input and returns what it prints.
func run(t *testing.T, dir string, stdin []byte, name string, args ...string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(stdin)
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, errors.Bytes()[:min(errors.Len(), 4000)])
	}
	return out
}

func writeFile(t *testing.T, dir, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// written is the export of the case.
func (c *conformanceCase) written(t *testing.T, to string, o export.Options) []byte {
	t.Helper()
	o.Unknown = c.unknown
	b, err := export.Bytes(c.tree, to, o)
	if err != nil {
		t.Fatalf("%s, %s: %v", to, c.name, err)
	}
	return b
}

// typed are the columns that the tree asks for, in the encoder's order, with their
// fields as programs have them that know types: NaN for missing numbers, infinity for
// what is none.
type typed struct {
	columns []*dataset.SourceColumn
	numbers [][]float64 // by row and column
	texts   [][]string
}

func (c *conformanceCase) typed() typed {
	var d typed
	asked := c.asked()
	for i := range c.tree.Encoder.Columns {
		if s := &c.tree.Encoder.Columns[i]; asked[s.Name] {
			d.columns = append(d.columns, s)
		}
	}
	for _, row := range c.rows {
		numbers, texts := make([]float64, len(d.columns)), make([]string, len(d.columns))
		for j, s := range d.columns {
			text := strings.TrimSpace(row[slices.Index(c.columns, s.Name)])
			texts[j] = text
			numbers[j] = c.number(text)
		}
		d.numbers, d.texts = append(d.numbers, numbers), append(d.texts, texts)
	}
	return d
}

// packed is the rows in binary: eight bytes per number, a length and bytes per text.
func (d *typed) packed() []byte {
	var b []byte
	for i := range d.numbers {
		for j, s := range d.columns {
			if s.Kind == dataset.Numeric {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(d.numbers[i][j]))
			} else {
				b = binary.LittleEndian.AppendUint32(b, uint32(len(d.texts[i][j])))
				b = append(b, d.texts[i][j]...)
			}
		}
	}
	return b
}

// readAnswers reads lines of a class's index, -1 for none, and shares.
func (c *conformanceCase) readAnswers(t *testing.T, out []byte) []answer {
	t.Helper()
	var got []answer
	for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
		fields := strings.Fields(s.Text())
		class, err := strconv.Atoi(fields[0])
		if err != nil {
			t.Fatal(err)
		}
		if class < 0 {
			got = append(got, answer{})
			continue
		}
		a := answer{class: c.tree.Classes[class]}
		for _, f := range fields[1:] {
			v, err := strconv.ParseFloat(f, 64)
			if err != nil {
				t.Fatal(err)
			}
			a.shares = append(a.shares, v)
		}
		got = append(got, a)
	}
	return got
}

// typedOnly reports whether a typed target refuses the case, as it must those with
// codes.
func (c *conformanceCase) refused(t *testing.T, to string) bool {
	t.Helper()
	why := "--code"
	switch {
	case strings.HasSuffix(c.name, "dates"):
		why = "--dates"
	case c.name != "codes":
		return false
	}
	if _, err := export.Bytes(c.tree, to, export.Options{}); err == nil || !strings.Contains(err.Error(), why) {
		t.Errorf("%s: %v; want %s refused", to, err, why)
	}
	return true
}

// TestC: with the flags under which compilers fuse products and sums.
func TestC(t *testing.T) {
	for _, c := range conformanceCases(t) {
		if c.refused(t, "c") {
			continue
		}
		dir, d := t.TempDir(), c.typed()
		writeFile(t, dir, "tree.c", c.written(t, "c", export.Options{}))
		var m strings.Builder
		m.WriteString("#include <stdio.h>\n#include <stdint.h>\n#include \"tree.c\"\nint main(void) {\n    for (;;) {\n        struct octgen_row row = {0};\n        int k;\n")
		if len(d.columns) == 0 {
			fmt.Fprintf(&m, "        static int n; if (n++ == %d) return 0;\n", len(c.rows))
		}
		for j, s := range d.columns {
			if s.Kind == dataset.Numeric {
				fmt.Fprintf(&m, "        double v%d; if (fread(&v%[1]d, 8, 1, stdin) != 1) return 0;\n", j)
			} else {
				fmt.Fprintf(&m, "        char v%d[10000]; uint32_t n%[1]d; if (fread(&n%[1]d, 4, 1, stdin) != 1) return 0; if (fread(v%[1]d, 1, n%[1]d, stdin) != n%[1]d) return 1; v%[1]d[n%[1]d] = 0;\n", j)
			}
		}
		if len(d.columns) > 0 {
			m.WriteString("        struct octgen_row r = {")
			for j := range d.columns {
				fmt.Fprintf(&m, "v%d,", j)
			}
			m.WriteString("}; row = r;\n")
		}
		m.WriteString(`        printf("%d", octgen_predict(&row));
        for (k = 0; octgen_shares(&row) && k < octgen_class_count; k++) printf(" %.17g", octgen_shares(&row)[k]);
        printf("\n");
    }
}
`)
		writeFile(t, dir, "main.c", []byte(m.String()))
		run(t, dir, nil, "gcc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1", "-march=native", "-ffp-contract=fast", "-o", "tree", "main.c")
		c.compare(t, "c", len(c.rows), c.readAnswers(t, run(t, dir, d.packed(), "./tree")))
	}
}

// TestCNames: two trees of different names are parts of one program.
func TestCNames(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"first", "second"} {
		b, err := export.Bytes(goldenTree(t), "c", export.Options{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, dir, name+".c", b)
	}
	writeFile(t, dir, "main.c", []byte(`#include <stdio.h>
#include "first.c"
#include "second.c"
int main(void) {
    struct first_row a = {0, "red"};
    struct second_row b = {0, "red"};
    printf("%s %s", first_classes[first_predict(&a)], second_classes[second_predict(&b)]);
    return !first_shares(&a) || !second_shares(&b);
}
`))
	run(t, dir, nil, "gcc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-o", "trees", "main.c")
	if got := string(run(t, dir, nil, "./trees")); got != "</script> </script>" {
		t.Errorf("two trees in a program answer %q", got)
	}
}

func TestGo(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "go.mod", []byte("module trees\n\ngo 1.21\n"))
	var imports, cases strings.Builder
	var input []byte
	var done []*conformanceCase
	for i, c := range conformanceCases(t) {
		if c.refused(t, "go") {
			continue
		}
		done = append(done, c)
		name, d := fmt.Sprintf("tree%d", i), c.typed()
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, name), "tree.go", c.written(t, "go", export.Options{Name: name}))
		fmt.Fprintf(&imports, "\t%q\n", "trees/"+name)
		fmt.Fprintf(&cases, "\tfor range make([]int, %d) {\n\t\tshow(%s.Predict(%[2]s.Row{", len(c.rows), name)
		for _, s := range d.columns {
			if s.Kind == dataset.Numeric {
				cases.WriteString("number(), ")
			} else {
				cases.WriteString("text(), ")
			}
		}
		cases.WriteString("}))\n\t}\n")
		input = append(input, d.packed()...)
	}
	writeFile(t, dir, "main.go", []byte(`package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"

`+imports.String()+`)

var in = bufio.NewReader(os.Stdin)

func read(n int) []byte {
	b := make([]byte, n)
	if _, err := io.ReadFull(in, b); err != nil {
		panic(err)
	}
	return b
}

func number() float64 { return math.Float64frombits(binary.LittleEndian.Uint64(read(8))) }
func text() string    { return string(read(int(binary.LittleEndian.Uint32(read(4))))) }

func show(class string, shares []float64) { fmt.Printf("%q %v\n", class, shares) }

func main() {
`+cases.String()+"}\n"))
	run(t, dir, nil, "go", "vet", "-composites=false", "./...")
	lines := strings.Split(string(run(t, dir, input, "go", "run", ".")), "\n")
	for _, c := range done {
		var got []answer
		for _, line := range lines[:len(c.rows)] {
			quoted, err := strconv.QuotedPrefix(line)
			if err != nil {
				t.Fatal(err)
			}
			a := answer{}
			a.class, _ = strconv.Unquote(quoted)
			for _, f := range strings.Fields(strings.Trim(line[len(quoted):], " []")) {
				v, _ := strconv.ParseFloat(f, 64)
				a.shares = append(a.shares, v)
			}
			got = append(got, a)
		}
		lines = lines[len(c.rows):]
		c.compare(t, "go", len(c.rows), got)
	}
}

// scriptAnswers has a script of Python or JavaScript classify the rows, twice: as texts
// and, where a field is a number or missing, as such.
func scriptAnswers(t *testing.T, to, file, script, program string, args ...string) {
	t.Helper()
	needTools(t)
	for _, c := range conformanceCases(t) {
		dir := t.TempDir()
		writeFile(t, dir, file, c.written(t, to, export.Options{}))
		writeFile(t, dir, filepath.Base(args[len(args)-1]), []byte(script))
		var rows []map[string]any
		kinds := c.typed()
		for _, row := range c.rows {
			texts := map[string]any{"another": 1}
			for j, name := range c.columns {
				texts[name] = row[j]
			}
			rows = append(rows, texts)
		}
		for i, row := range rows[:len(c.rows):len(c.rows)] {
			native := map[string]any{}
			for name, v := range row {
				native[name] = v
			}
			for j, s := range kinds.columns {
				v := kinds.numbers[i][j]
				switch {
				case math.IsNaN(v):
					native[s.Name] = nil
				case s.Kind == dataset.Numeric && s.Date == nil && !math.IsInf(v, 0):
					native[s.Name] = v
				}
			}
			rows = append(rows, native)
		}
		input, err := json.Marshal(rows)
		if err != nil {
			t.Fatal(err)
		}
		var printed []struct {
			Class  *string
			Shares []float64
		}
		if err := json.Unmarshal(run(t, dir, input, program, args...), &printed); err != nil {
			t.Fatal(err)
		}
		got := make([]answer, len(printed))
		for i, p := range printed {
			if p.Class != nil {
				got[i] = answer{*p.Class, p.Shares}
			}
		}
		if len(got) != 2*len(c.rows) {
			t.Fatalf("%s, %s: %d answers for %d rows", to, c.name, len(got), 2*len(c.rows))
		}
		c.compare(t, to+" of texts", len(c.rows), got[:len(c.rows)])
		c.compare(t, to+" of values", len(c.rows), got[len(c.rows):])
	}
}

func TestPython(t *testing.T) {
	scriptAnswers(t, "python", "tree.py", `import json, sys
import tree
rows = json.load(sys.stdin)
json.dump([{"Class": tree.predict(row), "Shares": tree.predict_proba(row)} for row in rows], sys.stdout)
`, "/usr/bin/python3", "main.py")
}

func TestJavaScript(t *testing.T) {
	scriptAnswers(t, "javascript", "tree.js", `const tree = require("./tree.js");
const rows = JSON.parse(require("fs").readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(rows.map((row) => ({ Class: tree.predict(row), Shares: tree.predict_proba(row) }))));
`, "node", "main.js")
}

// TestJavaScriptNames: two scripts of different names are on one page.
func TestJavaScriptNames(t *testing.T) {
	needTools(t)
	var page strings.Builder
	for _, name := range []string{"first", "second"} {
		b, err := export.Bytes(goldenTree(t), "javascript", export.Options{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		page.Write(b)
	}
	page.WriteString(`const row = { age: 0, 'the "colour"': "red" }; console.log(first.predict(row), second.predict(row));`)
	if got := string(run(t, t.TempDir(), []byte(page.String()), "node", "-")); got != "</script> </script>\n" {
		t.Errorf("two scripts answer %q", got)
	}
}
