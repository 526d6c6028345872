package layers

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/octgen/octgen"

// layer is a package, or the packages below a folder, and what it may import
// of octgen; the standard library always.
type layer struct {
	path  string   // relative to the module
	may   []string // layers, by path; path/... for all below a folder
	other []string // modules, or packages with their path, from elsewhere
}

// table is the table of packages, from the bottom up. A package belongs to
// the layer with the longest path that it is in; a package may import others of
// its own layer.
var table = []layer{
	{path: "internal/atomicfile"},
	{path: "internal/lazy"},
	{path: "mio"},
	{path: "internal/nearest"},
	{path: "internal/strict", may: []string{"internal/lazy", "internal/nearest"}, other: []string{"gopkg.in/yaml.v3"}},
	{path: "internal/sheets", other: []string{"github.com/thedatashed/xlsxreader", "github.com/parquet-go/parquet-go"}},
	{path: "dataset", may: []string{"internal/nearest", "internal/sheets"}, other: []string{"gonum.org/v1/gonum", "golang.org/x/text"}},
	{path: "proof", may: []string{"dataset"}, other: []string{"golang.org/x/sync"}}, // no search, no tree, no fit: it is to be believed by itself
	{path: "internal/pulse"},
	{path: "tree", may: []string{"dataset"}},
	{path: "tree/constraint", may: []string{"internal/nearest", "dataset", "tree"}},
	{path: "tree/score", may: []string{"dataset", "tree"}},
	{path: "tree/page", may: []string{"dataset", "tree"}},
	{path: "tree/export", may: []string{"dataset", "tree", "tree/page"}, other: []string{"google.golang.org/protobuf"}},
	{path: "mio/verify", may: []string{"mio", "dataset", "tree"}},
	{path: "mps", may: []string{"internal/atomicfile", "mio"}},
	{path: "formulate", may: []string{"mio", "tree"}},
	{path: "formulate/internal/build", may: []string{"mio", "formulate"}},
	{path: "formulate/internal/point", may: []string{"mio/verify", "formulate"}},
	{path: "formulate/internal/merged", may: []string{"dataset", "tree", "mio/verify", "formulate"}},
	{path: "formulate/internal/grid", may: []string{"dataset", "tree", "mio/verify", "formulate", "formulate/internal/merged", "formulate/internal/point"}},
	{path: "formulate/internal/leaves", may: []string{"mio", "formulate", "formulate/internal/grid", "formulate/internal/point"}},
	{path: "formulate/internal/rates", may: []string{"tree/constraint", "mio", "formulate", "formulate/internal/grid"}},
	{path: "formulate/oct", may: []string{"tree/constraint", "mio", "dataset", "tree", "mio/verify", "formulate", "formulate/internal/..."}},
	{path: "formulate/hyperplane", may: []string{"tree/constraint", "mio", "dataset", "tree", "mio/verify", "formulate", "formulate/internal/..."}},
	{path: "heuristics/hinge", may: []string{"internal/pulse"}},
	{path: "heuristics/alternating", may: []string{"internal/pulse", "mio", "dataset", "tree", "formulate", "formulate/...", "heuristics/hinge"}},
	{path: "search/clauses", may: []string{"internal/pulse"}},
	{path: "search/parts", may: []string{"search/clauses", "internal/pulse", "heuristics/hinge", "heuristics/alternating", "mio", "dataset", "tree", "mio/verify", "formulate", "formulate/hyperplane"}},
	{path: "search/ranges", may: []string{"mio", "dataset", "tree", "mio/verify", "search/parts", "formulate/oct"}},
	{path: "formulate/linear", may: []string{"mio", "dataset", "tree", "formulate", "formulate/internal/..."}},
	{path: "formulate/gto", may: []string{"mio", "dataset", "tree", "mio/verify", "formulate", "formulate/internal/..."}},
	{path: "solvers", may: []string{"internal/nearest", "mio", "mps", "mio/verify"}},
	{path: "solvers/highs", may: []string{"solvers", "mio", "mps", "mio/verify"}, other: []string{"C", "github.com/lanl/highs"}},
	{path: "solvers/solfile", may: []string{"internal/atomicfile", "mio", "mps"}},
	{path: "solvers/external", may: []string{"internal/lazy", "solvers", "solvers/solfile", "mio", "mps", "mio/verify"}},
	{path: "solvers/solvertest", may: []string{"solvers", "mio", "mps", "mio/verify"}},
	{path: "heuristics/cart", may: []string{"internal/pulse", "dataset", "tree"}},
	{path: "heuristics/oc1", may: []string{"internal/pulse", "dataset", "tree", "heuristics/cart"}},
	{path: "heuristics/localsearch", may: []string{"internal/pulse", "mio", "dataset", "tree", "formulate", "formulate/...", "heuristics/cart"}},
	{path: "heuristics/vertex", may: []string{"internal/pulse", "mio", "dataset", "tree", "formulate", "formulate/...", "heuristics/cart", "heuristics/hinge"}, other: []string{"gonum.org/v1/gonum"}},
	{path: "heuristics/policy", may: []string{"internal/pulse", "dataset", "tree", "heuristics/cart"}},
	{path: "search/large", may: []string{"dataset"}, other: []string{"golang.org/x/sync"}},
	{path: "search/exact", may: []string{"dataset", "tree", "heuristics/cart", "mio", "mio/verify", "search/large"}, other: []string{"golang.org/x/sync", "golang.org/x/sys/cpu"}},
	{path: "search/regression", may: []string{"mio", "tree"}},
	{path: "formulate/ort", may: []string{"tree/constraint", "dataset", "tree", "tree/score", "mio", "mio/verify", "formulate", "formulate/internal/..."}},
	{path: "search/sparse", may: []string{"internal/pulse", "dataset", "tree", "mio", "mio/verify"}},
	{path: "search/prices", may: []string{"mio", "dataset", "tree", "tree/constraint", "mio/verify", "search/exact"}, other: []string{"golang.org/x/sync"}},
	{path: "fit/problem", may: []string{"tree/constraint", "search/prices", "search/parts", "search/ranges", "search/sparse", "search/regression", "tree/score", "internal/nearest", "internal/strict", "mio", "dataset", "tree", "mio/verify", "formulate", "formulate/...", "heuristics/...", "search/exact"}},
	{path: "fit", may: []string{"proof", "internal/lazy", "tree/constraint", "tree/score", "search/parts", "internal/strict", "mio", "dataset", "tree", "mio/verify", "mps", "formulate", "formulate/...", "solvers", "solvers/solfile", "heuristics/...", "search/exact", "search/regression", "fit/problem"}},
	{path: "internal/spreadsheet"},
	{path: "internal/dataflags", may: []string{"dataset"}},
	{path: "experiments/generate", may: []string{"dataset", "tree", "formulate", "formulate/..."}, other: []string{"gonum.org/v1/gonum"}},
	{path: "experiments/metric", may: []string{"mio", "tree/constraint", "tree/score", "fit", "experiments/generate"}},
	{path: "experiments/spec", may: []string{"internal/lazy", "internal/nearest", "internal/strict", "internal/dataflags", "dataset", "tree", "tree/constraint", "fit/problem", "fit", "experiments/generate", "experiments/metric"}},
	{path: "experiments/run", may: []string{"internal/lazy", "internal/atomicfile", "dataset", "tree", "solvers", "fit/problem", "fit", "experiments/generate", "experiments/spec"}, other: []string{"golang.org/x/sync"}},
	{path: "experiments/report", may: []string{"internal/atomicfile", "internal/spreadsheet", "tree", "tree/page", "fit/problem", "fit", "experiments/metric", "experiments/spec", "experiments/run"}, other: []string{"gonum.org/v1"}},
	{path: "experiments/instances", may: []string{"internal/lazy", "internal/atomicfile", "mio", "mps", "dataset", "tree", "formulate", "solvers/solfile", "fit/problem", "fit", "experiments/spec", "experiments/run"}},
	{path: "experiments/slurm", may: []string{"internal/lazy", "internal/atomicfile", "fit", "experiments/spec", "experiments/run"}},
	{path: "experiments/internal", may: []string{"mio", "solvers"}},
	{path: "internal/completion", may: []string{"internal/lazy"}, other: []string{"github.com/alecthomas/kong"}},
	{path: "internal/manpage", other: []string{"github.com/alecthomas/kong"}},
	{path: "cmd", may: []string{ // a line each, since every command adds one
		"proof",
		"internal/atomicfile",
		"internal/completion",
		"internal/dataflags",
		"internal/manpage",
		"internal/nearest",
		"internal/spreadsheet",
		"mio",
		"dataset",
		"tree",
		"tree/constraint",
		"tree/page",
		"tree/export",
		"tree/score",
		"mio/verify",
		"mps",
		"formulate",
		"formulate/...",
		"solvers",
		"solvers/highs",
		"solvers/external",
		"solvers/solfile",
		"fit/problem",
		"fit",
		"experiments/generate",
		"experiments/spec",
		"experiments/run",
		"experiments/instances",
		"experiments/report",
		"experiments/slurm",
	}, other: []string{"*"}},
	{path: "formulate/internal/formtest", may: []string{"mio", "dataset", "tree", "mps", "formulate", "solvers"}, other: []string{"github.com/google/go-cmp"}}, // tests only
	{path: "internal/limits"},
	{path: "internal/treetest", may: []string{"dataset", "tree"}, other: []string{"pgregory.net/rapid"}},
	{path: "internal/datatest", may: []string{"dataset"}, other: []string{"pgregory.net/rapid"}},
	{path: "internal/layers"},
	{path: "internal/recorded"},
	{path: "internal/arrows", may: []string{"fit/problem"}},
	{path: "internal/study"}, // tests only, which may import all
}

// within says whether import path p is root or below it.
func within(p, root string) bool { return p == root || strings.HasPrefix(p, root+"/") }

// covers says whether an entry of may allows the layer of that path.
func covers(may, path string) bool {
	folder, all := strings.CutSuffix(may, "/...")
	return may == path || all && strings.HasPrefix(path, folder+"/")
}

// layerOf returns the layer of the package with this path relative to the
// module, or nil.
func layerOf(path string) *layer {
	var best *layer
	for i := range table {
		if l := &table[i]; within(path, l.path) && (best == nil || len(l.path) > len(best.path)) {
			best = l
		}
	}
	return best
}

// breach says what is wrong with package from importing to, or "". Both are
// full import paths.
func breach(from, to string) string {
	path := strings.TrimPrefix(from, module+"/")
	l := layerOf(path)
	switch {
	case l == nil:
		return fmt.Sprintf("package %s is in no layer: give it a line in the table of layers_test.go and ARCHITECTURE.md if it is a room", path)
	case !within(to, module):
		return l.foreignBreach(path, to)
	}
	target := layerOf(strings.TrimPrefix(to, module+"/"))
	if target == nil || target == l || slices.ContainsFunc(l.may, func(m string) bool { return covers(m, target.path) }) {
		return "" // what is in no layer is told where it is the importer
	}
	return fmt.Sprintf("%s imports %s; it may import %q", path, strings.TrimPrefix(to, module+"/"), l.may)
}

func (l *layer) foreignBreach(path, to string) string {
	first, _, _ := strings.Cut(to, "/")
	if !strings.Contains(first, ".") && to != "C" || slices.Contains(l.other, "*") {
		return ""
	}
	for _, o := range l.other {
		if within(to, o) {
			return ""
		}
	}
	return fmt.Sprintf("%s imports %s; beyond the standard library it may import %q", path, to, l.other)
}

// pkg is what `go list -json` says of a package.
type pkg struct {
	ImportPath string
	Imports    []string // of the package itself, not of its tests
}

// list returns the module's packages as built with the given tags.
func list(t *testing.T, tags string) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "-tags", tags, module+"/...")
	out, err := cmd.Output()
	if err != nil {
		if e := (*exec.ExitError)(nil); errors.As(err, &e) {
			t.Fatalf("%v\n%s", err, e.Stderr)
		}
		t.Fatal(err)
	}
	var all []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// touchSources looks at every Go file, so that a cached result of this test is
// not taken for the sources of today: the go command sees what the test itself
// looks at, not what a command run by it does.
func touchSources(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2:
			return fs.SkipDir
		case strings.HasSuffix(path, ".go"):
			_, err = os.Stat(path)
		}
		if errors.Is(err, fs.ErrNotExist) { // an editor's file that is gone again
			return nil
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestImports: imports go downwards only, with and without HiGHS.
func TestImports(t *testing.T) {
	touchSources(t)
	for _, tags := range []string{"", "nohighs"} {
		edges := 0
		for _, p := range list(t, tags) {
			for _, to := range p.Imports {
				if within(to, module) {
					edges++
				}
				if s := breach(p.ImportPath, to); s != "" {
					t.Errorf("tags %q: %s", tags, s)
				}
			}
		}
		if edges < 20 {
			t.Errorf("tags %q: only %d imports between octgen's packages were seen", tags, edges)
		}
	}
}

// TestTableDescends: a layer may import only layers above it in the table, which
// are lower in the design.
func TestTableDescends(t *testing.T) {
	var seen []string
	for _, l := range table {
		for _, m := range l.may {
			if !slices.ContainsFunc(seen, func(path string) bool { return covers(m, path) }) {
				t.Errorf("%s may import %s, which is not below it", l.path, m)
			}
		}
		if slices.Contains(seen, l.path) {
			t.Errorf("%s is there twice", l.path)
		}
		seen = append(seen, l.path)
	}
}

// TestBreach: the test above can fail, and names the edge.
func TestBreach(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"tree", "dataset", ""},
		{"solvers/highs", "solvers", ""},
		{"cmd/octgen", "solvers/highs", ""},
		{"heuristics/oc1", "heuristics/cart", ""},
		{"dataset", "tree", "dataset imports tree"},
		{"mio", "mps", "mio imports mps"},
		{"formulate", "solvers", "formulate imports solvers"},
		{"heuristics/cart", "heuristics/oc1", "heuristics/cart imports heuristics/oc1"},
		{"fit", "fit/problem", ""},
		{"fit/problem", "fit", "fit/problem imports fit"},
		{"fit/problem", "solvers", "fit/problem imports solvers"},
		{"fit", "solvers/highs", "fit imports solvers/highs"},
		{"experiments/generate", "solvers/highs", "experiments/generate imports solvers/highs"},
		{"solvers", "solvers/highs", "solvers imports solvers/highs"},
		{"solvers/external", "solvers/highs", "solvers/external imports solvers/highs"},
		{"novelty", "mio", "novelty is in no layer"},
	} {
		got := breach(module+"/"+c.from, module+"/"+c.to)
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s -> %s: %q, want %q", c.from, c.to, got, c.want)
		}
	}
	for _, c := range []struct{ from, to, want string }{
		{"mio", "math/rand/v2", ""},
		{"dataset", "gonum.org/v1/gonum/mat", ""},
		{"cmd/octgen", "github.com/alecthomas/kong", ""},
		{"mio", "gonum.org/v1/gonum/mat", "mio imports gonum.org/v1/gonum/mat"},
		{"mps", "C", "mps imports C"},
		{"solvers/external", "github.com/lanl/highs", "solvers/external imports github.com/lanl/highs"},
	} {
		got := breach(module+"/"+c.from, c.to)
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s -> %s: %q, want %q", c.from, c.to, got, c.want)
		}
	}
}
