//go:build cgo && !nohighs

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/solvers"
)

// everyForm has options for each form and encoding of `octgen methods`, with which solvers prove
// its optimum in moments.
var everyForm = map[string]string{
	"fm": "", "fm bilinear": "--nu 1", "lfm": "--nu 1", "rlp": "", "rlp-p": "", "oct": "--depth 2", "oct-h": "--depth 1", "oct-h served": "--depth 1 --margin right",
	"ort squared": "--depth 1", "ort quantile": "--depth 1 --quantile 0.5",
	"gto minimum": smallGTO, "gto count": smallGTO + " --objective count", "gto product": smallGTO + " --objective product",
}

const smallGTO = "--structure ((versicolor,virginica),virginica)"

// solversPage is what TestEverySolver writes.
var solversPage = filepath.Join("..", "..", "docs", "tables", "solvers.md")

const solversPageHead = `# Forms, encodings and solvers

Made by ` + "`scripts/test-all.sh solvers`" + ` (TestEverySolver): the model of a small dataset is written by
` + "`octgen mps`" + ` with a start, solved by ` + "`octgen model solve`" + ` and decoded. All that are optimal agree on the
objective, and the trees have it. Read in [solvers.md](../solvers.md).

- **start**: proved optimal, and the log says that the start was taken; **optimal**: proved optimal;
  **feasible**: ended without a proof; **no**: the solver does not take such models.
- Gurobi, CPLEX, Xpress and COPT ran with the licences of their Python packages, for small models.
- Without integer variables CPLEX and Xpress take no start, and no solver one of a linear program.

`

// TestEverySolver: every encoding is solved by every solver that takes it, from the files of mps to
// the tree, and the table of the documentation says how.
func TestEverySolver(t *testing.T) {
	python := os.Getenv("OCTGEN_SOLVERS_PYTHON")
	if python == "" {
		t.Skip("$OCTGEN_SOLVERS_PYTHON names no interpreter with the packages of solvers")
	}
	names := []string{"highs", "highspy", "scip", "cp-sat", "cbc", "glpk"}
	if more := os.Getenv("OCTGEN_SOLVERS"); more != "" {
		names = append(names, strings.Split(more, ",")...)
	}
	table := solverTable{cells: make(map[string]string)}
	for _, name := range names {
		s, err := solvers.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if s.Available() != nil {
			if s, err = solvers.LookupAt(name, solvers.Place{Python: python}); err != nil {
				t.Fatal(err)
			}
		}
		table.solvers = append(table.solvers, solverColumn{name, s.Version()})
	}
	for _, info := range problem.Infos() {
		for _, n := range info.Needs {
			row := n.Form + " " + string(n.Encoding)
			table.rows = append(table.rows, row)
			options, known := everyForm[row]
			if !known {
				options = everyForm[n.Form]
			}
			form, _, _ := strings.Cut(n.Form, " ")
			var agreed float64
			for i, s := range table.solvers {
				c := everyCase{t: t, dir: t.TempDir(), python: python, solver: s.name, belowTrees: n.Encoding == "bigm-published"}
				data := "twenty.csv"
				switch form {
				case "gto":
					data = "ten.csv"
				case "ort":
					data = "numbers.csv"
				}
				cell, objective := c.run(filepath.Join("testdata", "solvers", data), form, string(n.Encoding), strings.Fields(options), n.Encoding != "lp")
				table.cells[row+"|"+s.name] = cell
				proved := cell == "start" || cell == "optimal"
				if proved && i > 0 && !math.IsNaN(agreed) && math.Abs(objective-agreed) > 1e-5*(1+math.Abs(agreed)) {
					t.Errorf("%s: %s has the optimum %v, others %v", row, s.name, objective, agreed)
				}
				if proved {
					agreed = objective
				} else if i == 0 {
					agreed = math.NaN()
				}
			}
		}
	}
	if *update {
		if err := os.WriteFile(solversPage, []byte(solversPageHead+table.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	page, err := os.ReadFile(solversPage)
	if err != nil {
		t.Fatal(err)
	}
	table.compare(t, string(page))
}

// everyCase is a model with one solver.
type everyCase struct {
	t          *testing.T
	dir        string
	python     string
	solver     string
	belowTrees bool // its optimum may be of no tree
}

// run writes the model, solves and decodes it; the cell says how it ended.
func (c *everyCase) run(data, form, encoding string, options []string, starts bool) (cell string, objective float64) {
	c.t.Helper()
	model, start, point := filepath.Join(c.dir, "m.mps"), filepath.Join(c.dir, "m.start"), filepath.Join(c.dir, "m.sol")
	write := slices.Concat([]string{"mps", data, "--quiet", "--form", form, "--encoding", encoding, "-o", model}, options)
	solve := []string{"model", "solve", model, "--quiet", "--json", "--solver", c.solver, "--time-limit", "60", "-o", point}
	s, err := solvers.Lookup(c.solver)
	if err != nil {
		c.t.Fatal(err)
	}
	if s.Available() != nil {
		solve = append(solve, "--python", c.python)
	}
	if starts && s.Capabilities().Start {
		write = append(write, "--start", "auto", "--start-format", "highs", "-s", start)
		solve = append(solve, "--start", start, "--start-format", "highs")
	}
	if s.Capabilities().OnlyDiscrete {
		whole := append(slices.Clone(write), "--whole")
		if _, refused, code := c.octgen(whole...); code == exitUsage && strings.Contains(refused, "no integral optimum") {
			return "no", 0
		}
		write = whole
	}
	if _, text, code := c.octgen(write...); code != 0 {
		c.t.Fatalf("%s: %s", strings.Join(write, " "), text)
	}
	out, text, code := c.octgen(solve...)
	if code == exitUsage && strings.Contains(text, "this solver does not take") || code != 0 && strings.Contains(text, "is not convex") {
		return "no", 0
	}
	var solved modelSolved
	if err := json.Unmarshal([]byte(out), &solved); err != nil || code != 0 {
		c.t.Errorf("%s %s with %s: exit code %d, %s%v", form, encoding, c.solver, code, text, err)
		return "failed", 0
	}
	if cell = solved.Status; solved.Status == "optimal" && solved.StartUsed {
		cell = "start"
	}
	objective = float64(*solved.Objective)
	out, text, code = c.octgen("decode", strings.TrimSuffix(model, ".mps")+".octgen.json", point, "--data", data, "--json")
	var decoded struct {
		Objective float64 `json:"objective"`
	}
	if err := json.Unmarshal([]byte(out), &decoded); !c.belowTrees && (err != nil || code != 0 || decoded.Objective > objective+1e-5*(1+math.Abs(objective))) {
		c.t.Errorf("%s %s with %s: objective %v, but the tree has %v (exit code %d, %s%v)", form, encoding, c.solver, objective, decoded.Objective, code, text, err)
	}
	return cell, objective
}

func (c *everyCase) octgen(args ...string) (out, text string, code int) {
	var stdout, stderr bytes.Buffer
	code = run(context.Background(), args, nil, &stdout, &stderr)
	return stdout.String(), stderr.String(), code
}

type solverColumn struct{ name, version string }

// solverTable has the cells by row and solver.
type solverTable struct {
	solvers []solverColumn
	rows    []string
	cells   map[string]string // by "row|solver"
}

func (t *solverTable) String() string {
	var b strings.Builder
	b.WriteString("| form, encoding |")
	for _, s := range t.solvers {
		fmt.Fprintf(&b, " %s %s |", s.name, s.version)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(t.solvers)) + "\n")
	for _, row := range t.rows {
		fmt.Fprintf(&b, "| %s |", row)
		for _, s := range t.solvers {
			fmt.Fprintf(&b, " %s |", t.cells[row+"|"+s.name])
		}
		b.WriteString("\n")
	}
	return b.String()
}

// compare holds the cells against those of a page.
func (t *solverTable) compare(test *testing.T, page string) {
	var columns []string
	written := make(map[string]string)
	for line := range strings.Lines(page) {
		fields := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if !strings.HasPrefix(line, "|") || len(fields) < 2 || fields[0] == "---" {
			continue
		}
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		if columns == nil {
			for _, f := range fields {
				name, _, _ := strings.Cut(f, " ")
				columns = append(columns, name)
			}
			continue
		}
		for i := 1; i < len(fields) && i < len(columns); i++ {
			written[fields[0]+"|"+columns[i]] = fields[i]
		}
	}
	for key, cell := range t.cells {
		if written[key] != cell {
			test.Errorf("%s: %s, but %s has %q (-update writes it)", key, cell, solversPage, written[key])
		}
	}
}
