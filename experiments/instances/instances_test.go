package instances_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/octgen/octgen/experiments/instances"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers/solfile"
)

const data = `
name: library
data:
  - {name: drawn, generate: oct-tree, features: 2, rows: 30, label_noise: 0.2, replicates: 2, seed: 1}
  - {name: file, file: points.csv}
`

const methods = `
methods:
  - {name: threshold, method: oct, depth: 2, alpha: 0.01}
  - {name: strong, method: oct, depth: 2, alpha: 0.01, strengthen: 1000}
  - {name: flow 1, method: oct, depth: 1, encoding: flow}
  - {name: cut, method: oct, depth: 2, encoding: cut}
  - {name: planes, method: oct-h, depth: 1}
`

// load writes a spec next to its data, and reads it.
func load(t *testing.T, text string) *spec.Spec {
	t.Helper()
	at := t.TempDir()
	for name, text := range map[string]string{
		"spec.yaml": text, "points.csv": "a,b,class\n1,1,n\n1,2,y\n2,1,n\n2,2,y\n3,1,n\n3,2,n\n4,1,y\n4,2,y\n", "one.csv": "a,class\n1,n\n2,n\n",
	} {
		if err := os.WriteFile(filepath.Join(at, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := spec.LoadWhole(filepath.Join(at, "spec.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// write writes the library of a spec into a new folder.
func write(t *testing.T, text string) (dir string, err error) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "out")
	return dir, instances.Write(context.Background(), load(t, text), instances.Options{Dir: dir, Version: "test", Skip: func(string, error) {}})
}

func files(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	for _, path := range paths {
		if all[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// TestWrite: every line of the table describes its file, the points are feasible and have the
// objectives of the .solu file; a second run gives the same bytes.
func TestWrite(t *testing.T) {
	dir, err := write(t, data+methods)
	if err != nil {
		t.Fatal(err)
	}
	all := files(t, dir)
	lines, err := csv.NewReader(bytes.NewReader(all["instances.csv"])).ReadAll()
	if err != nil || len(lines) != 16 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	column := map[string]int{}
	for i, name := range lines[0] {
		column[name] = i
	}
	solu := strings.Split(strings.TrimSpace(string(all["octgen.solu"])), "\n")
	proved := 0
	for k, l := range lines[1:] {
		get := func(name string) string { return l[column[name]] }
		m, mp, err := mps.ReadOptions{}.ReadFile(filepath.Join(dir, get("name")+".mps.gz"))
		if err != nil {
			t.Fatal(err)
		}
		for name, n := range map[string]int{"rows": m.NumRows(), "columns": m.NumCols(), "binaries": m.NumDiscrete(), "nonzeros": m.NumNonzeros(), "lazy_rows": m.NumLazy()} {
			if get(name) != strconv.Itoa(n) {
				t.Errorf("%s: %s are %s, the file has %d", get("name"), name, get(name), n)
			}
		}
		sol, err := solfile.ReadFile(filepath.Join(dir, get("name")+".sol"), solfile.HiGHS, m, mp, solfile.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if r := mio.Check(m, sol.Values, 1e-9); !r.Feasible {
			t.Errorf("%s: %v", get("name"), r.Err())
		}
		objective, err := strconv.ParseFloat(get("objective"), 64)
		if err != nil || math.Abs(m.Objective(sol.Values)-objective) > 1e-9 {
			t.Errorf("%s: the point has %v, the table %s", get("name"), m.Objective(sol.Values), get("objective"))
		}
		if want := "=" + get("status") + "= " + get("name") + " " + get("objective"); solu[k] != want {
			t.Errorf("%q, want %q", solu[k], want)
		}
		if (get("status") == "opt") != (get("form") == "oct") {
			t.Errorf("%s is %s", get("name"), get("status"))
		}
		if objective > 1 {
			t.Errorf("%s: %v is worse than the single leaf", get("name"), objective)
		}
		if get("status") == "opt" {
			proved++
		}
	}
	if proved != 12 || !strings.Contains(string(all["octgen.solu"]), "=opt= file-threshold 0.03\n") {
		t.Errorf("%d proved\n%s", proved, all["octgen.solu"])
	}
	dir, err = write(t, data+methods)
	if err != nil {
		t.Fatal(err)
	}
	again := files(t, dir)
	for name, text := range all {
		if !bytes.Equal(text, again[name]) {
			t.Errorf("%s differs at the second time", name)
		}
	}
}

// TestWorkLimit: without a proof by the search, the status is best known.
func TestWorkLimit(t *testing.T) {
	dir, err := write(t, `
name: limited
data: [{name: drawn, generate: oct-tree, features: 3, rows: 200, label_noise: 0.3, seed: 1}]
methods: [{name: deep, method: oct, depth: 3}]
limits: {work_limit: 1}
`)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(files(t, dir)["octgen.solu"]); !strings.HasPrefix(text, "=best= drawn-deep 0.") {
		t.Errorf("%s", text)
	}
}

// TestMistakes: every mistake is found before anything is written, also in later methods.
func TestMistakes(t *testing.T) {
	const first = data + "methods:\n  - {name: x, method: oct, depth: 1}\n"
	var mistake *spec.Error
	for name, c := range map[string]struct{ text, want string }{
		"an algorithm": {first + "  - {method: cart, depth: 2}\n", "method cart has no model"},
		"tuned":        {first + "  - {method: oct-tuned, depth: 2}\n", "method oct-tuned has no model"},
		"two of a name": {first + "  - {name: a b, method: oct, depth: 1}\n  - {name: a_b, method: oct, depth: 1}\n",
			"drawn-1, a b and drawn-1, a_b would both get the name drawn-1-a_b: rename one of them"},
		"no such class": {first + "  - {name: y, method: oct, depth: 1, share: \"none<=0.2\"}\n", "none<=0.2 of the data drawn-1: "},
		"heavy leaves":  {first + "  - {name: y, method: oct, depth: 1, min_leaf: 1000}\n", "drawn-1, y: the minimum leaf weight is 1000"},
		"no such file":  {"name: n\ndata: [{file: points.csv}, {file: none.csv}]\nmethods: [{method: oct, depth: 1}]\n", "no file none.csv"},
	} {
		dir, err := write(t, c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, fit.ErrInput) && !errors.As(err, &mistake) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if left, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(left) > 0 {
			t.Errorf("%s: left behind: %v, %v", name, left, err)
		}
	}
	dir, err := write(t, "name: n\ndata: [{file: one.csv}]\nmethods: [{method: oct, depth: 1}]\n")
	if err != nil || len(files(t, dir)["octgen.solu"]) > 0 {
		t.Errorf("of one class: %v, %s", err, files(t, dir)["octgen.solu"])
	}
}

// TestInterrupt: neither a partial library nor temporary files remain.
func TestInterrupt(t *testing.T) {
	s := load(t, data+methods)
	parent := t.TempDir()
	ctx, stop := context.WithCancel(context.Background())
	done := 0
	err := instances.Write(ctx, s, instances.Options{Dir: filepath.Join(parent, "out"), Skip: func(string, error) {}, Done: func(*instances.Instance) {
		if done++; done == 2 {
			stop()
		}
	}})
	if left, _ := os.ReadDir(parent); !errors.Is(err, context.Canceled) || done != 2 || len(left) > 0 {
		t.Errorf("%v after %d, left behind: %v", err, done, left)
	}
}

// TestReplace: a library replaces a whole library, and nothing else.
func TestReplace(t *testing.T) {
	two := load(t, "name: n\ndata: [{file: points.csv}]\nmethods: [{name: x, method: oct, depth: 1}, {name: y, method: oct, depth: 2}]\n")
	one := load(t, "name: n\ndata: [{file: points.csv}]\nmethods: [{name: x, method: oct, depth: 1}]\n")
	parent := t.TempDir()
	dir := filepath.Join(parent, "new", "out")
	put := func(s *spec.Spec, plain bool) error {
		return instances.Write(context.Background(), s, instances.Options{Dir: dir, Plain: plain, Skip: func(string, error) {}})
	}
	if err := put(two, false); err != nil {
		t.Fatal(err)
	}
	if err := put(one, true); err != nil {
		t.Fatal(err)
	}
	names := func() string {
		var all []string
		entries, err := os.ReadDir(dir)
		for _, e := range entries {
			all = append(all, e.Name())
		}
		beside, err2 := os.ReadDir(filepath.Dir(dir))
		if err != nil || err2 != nil || len(beside) != 1 {
			t.Errorf("%v, %v, beside: %v", err, err2, beside)
		}
		return strings.Join(all, " ")
	}
	const want = "README.md instances.csv octgen.solu points-x.mps points-x.sol spec.yaml"
	if got := names(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	mine := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(mine, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := put(two, false); !errors.Is(err, fit.ErrInput) || !strings.Contains(err.Error(), "out contains notes.txt, which is not part of a complete library") {
		t.Errorf("%v", err)
	}
	if got := names(); got != strings.Replace(want, "octgen", "notes.txt octgen", 1) {
		t.Errorf("%s after the error", got)
	}
	dir = mine
	if err := put(two, false); !errors.Is(err, fit.ErrInput) || !strings.Contains(err.Error(), "notes.txt is a file; name a folder for the library") {
		t.Errorf("%v", err)
	}
}

// table returns instances.csv by the names of the instances.
func table(t *testing.T, dir string) map[string]map[string]string {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(string(files(t, dir)["instances.csv"]))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]map[string]string{}
	for _, l := range lines[1:] {
		all[l[0]] = map[string]string{}
		for i, name := range lines[0] {
			all[l[0]][name] = l[i]
		}
	}
	return all
}

// TestConstrained: the point of a model with constraints is that of the constrained search, with a
// proof; an infeasible model has no point.
func TestConstrained(t *testing.T) {
	dir, err := write(t, `
name: constrained
data: [{file: points.csv}]
methods:
  - {name: free, method: oct, depth: 2, encoding: flow}
  - {name: flow, method: oct, depth: 2, encoding: flow, share: "y<=0.25"}
  - {name: cut, method: oct, depth: 2, encoding: cut, share: "y<=0.25"}
  - {name: priced, method: oct, depth: 2, feature_cost: "a=0.01,b=0.02"}
  - {name: never, method: oct, depth: 1, recall: "y>=1", precision: "y>=1"}
`)
	if err != nil {
		t.Fatal(err)
	}
	// Four rows of eight are y: without b, or with two rows predicted y, half of them remain
	// misclassified.
	for name, want := range map[string]string{"free": "opt 0", "flow": "opt 0.5", "cut": "opt 0.5", "priced": "opt 0.03", "never": "inf "} {
		l := table(t, dir)["points-"+name]
		if got := l["status"] + " " + l["objective"]; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if all := files(t, dir); all["points-never.sol"] != nil || !strings.Contains(string(all["octgen.solu"]), "=inf= points-never\n") {
		t.Errorf("%s", all["octgen.solu"])
	}
}

// TestHyperplanes: the point of oct-h is no worse than the best univariate tree of its depth and
// the single leaf; errors that no tree avoids are the optimum.
func TestHyperplanes(t *testing.T) {
	dir, err := write(t, `
name: hyperplanes
data:
  - {file: points.csv}
  - {name: drawn, generate: oct-tree, features: 3, rows: 20, label_noise: 0.1, seed: 1}
methods:
  - {name: axes, method: oct, depth: 2}
  - {name: planes, method: oct-h, depth: 2}
  - {name: right, method: oct-h, depth: 2, margin: right}
  - {name: dear, method: oct-h, depth: 2, alpha: 1}
  - {name: sets, method: oct-h, depth: 1, encoding: indicator, max_splits: 2}
  - {name: fixed, method: gto, depth: 2}
`)
	if err != nil {
		t.Fatal(err)
	}
	all := table(t, dir)
	value := func(name string) float64 {
		v, err := strconv.ParseFloat(all[name]["objective"], 64)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return v
	}
	for _, data := range []string{"points", "drawn"} {
		if u := value(data + "-axes"); value(data+"-planes") > u || value(data+"-right") > u {
			t.Errorf("%s: %v and %v, univariate %v", data, value(data+"-planes"), value(data+"-right"), u)
		}
		if value(data+"-dear") != 1 {
			t.Errorf("%s: %v, want the single leaf's", data, value(data+"-dear"))
		}
		if l := all[data+"-planes"]; (l["status"] == "opt") != (l["objective"] == "0") || l["max_splits"] != "" || l["indicators"] != "0" {
			t.Errorf("%s: %v", data, l)
		}
		if l := all[data+"-sets"]; l["max_splits"] != "2" || l["indicators"] == "0" {
			t.Errorf("%s: %v", data, l)
		}
		if l := all[data+"-fixed"]; l["depth"] != "2" || l["objective"] == "" {
			t.Errorf("%s: %v", data, l)
		}
	}
}
