//go:build cgo && !nohighs

package fit_test

import (
	"bytes"
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/highs"
)

// executables are the solvers that read MPS files, and how each says that it
// proved an optimum, of which value.
var executables = []struct {
	name    string
	paths   []string
	args    func(file string) []string
	optimal *regexp.Regexp
	value   *regexp.Regexp
}{
	{
		"highs", []string{"../.highs/bin/highs", "highs"},
		func(f string) []string {
			return []string{"--options_file", filepath.Join(filepath.Dir(f), "highs.opt"), f}
		},
		regexp.MustCompile(`Status +Optimal`), regexp.MustCompile(`Primal bound +(\S+)`),
	},
	{
		"cbc", []string{"cbc"},
		func(f string) []string { return []string{f, "-ratio", "0", "-solve"} },
		regexp.MustCompile(`Result - Optimal solution found`), regexp.MustCompile(`Objective value: +(\S+)`),
	},
	{
		"glpsol", []string{"glpsol"},
		func(f string) []string { return []string{"--freemps", f, "-o", f + ".txt"} },
		regexp.MustCompile(`INTEGER OPTIMAL SOLUTION FOUND`), regexp.MustCompile(`(?s)mip = +(\S+) >= +tree is empty`),
	},
}

// data loads a dataset of the shared collection, or skips the test.
func data(t *testing.T, name string) *dataset.Dataset {
	t.Helper()
	for _, dir := range []string{os.Getenv("OCTGEN_DATA"), "../../shared/data"} {
		if dir == "" {
			continue
		}
		path := filepath.Join(dir, name+".csv")
		if _, err := os.Stat(path); err != nil {
			continue
		}
		ds, err := dataset.Load(path, dataset.LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return ds
	}
	t.Skipf("%s.csv is neither in $OCTGEN_DATA nor in ../shared/data", name)
	return nil
}

func long() bool { return os.Getenv("OCTGEN_LONG") != "" }

// TestSolversAgree: the written file of monks-1, depth 2, has the same proven
// optimum for fit, for HiGHS as a library and as a program, for CBC and for
// GLPK. The big-M model of all 124 rows takes HiGHS half a minute and is out of
// reach of the other two, so in the default run it is that of every sixth row.
func TestSolversAgree(t *testing.T) {
	all := data(t, "monks-1")
	var sixth []int
	for i := 0; i < all.N(); i += 6 {
		sixth = append(sixth, i)
	}
	in := func(enc string) problem.Method {
		return &problem.OCT{Shape: shape(2, 0, 1), Encoded: problem.Encoded{Encoding: enc}}
	}
	t.Run("threshold", func(t *testing.T) { solversAgree(t, all, in("threshold"), true) })
	t.Run("bigm, every twelfth row", func(t *testing.T) { solversAgree(t, all.Subset(sixth[:len(sixth)/2]), in("bigm"), true) })
	for _, enc := range []formulate.Encoding{hyperplane.SOCT, hyperplane.Served} {
		t.Run(string(enc)+", every sixth row", func(t *testing.T) {
			p := &problem.OCTH{Shape: shape(1, 0.01, 1), Encoded: problem.Encoded{Encoding: string(enc)}, Keeping: string(hyperplane.FactsOf(enc).Margin)}
			solversAgree(t, all.Subset(sixth), p, true)
		})
	}
	if datatest.All() {
		t.Run("bigm, every sixth row", func(t *testing.T) { solversAgree(t, all.Subset(sixth), in("bigm"), true) })
	}
	if long() {
		t.Run("bigm", func(t *testing.T) { solversAgree(t, all, in("bigm"), false) })
	}
}

func solversAgree(t *testing.T, ds *dataset.Dataset, m problem.Method, everyone bool) {
	ctx := context.Background()
	res, err := fit.Run(ctx, ds, fit.Options{Method: m})
	if err != nil {
		t.Fatal(err)
	}
	if res.Engine != string(problem.MIO) || res.Solver.Status != mio.Optimal.String() {
		t.Fatalf("fit: %s by %s", res.Solver.Status, res.Engine)
	}
	want := *res.Solver.Objective
	t.Logf("fit: %v, %v errors", want, res.Train.Errors)
	if n := ds.N(); n == 124 && res.Train.Errors != 22 {
		t.Errorf("fit: %v errors, the optimum is 22", res.Train.Errors)
	}

	p, err := m.On(ctx, problem.NewData(ds), 0)
	if err != nil {
		t.Fatal(err)
	}
	f, err := p.Build(ctx, problem.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "m.mps")
	if _, err := mps.WriteFile(file, f.Model(), mps.Options{}); err != nil {
		t.Fatal(err)
	}
	lib, err := highs.SolveFile(ctx, file, solvers.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s := lib.Solution; s.Status != mio.Optimal || math.Abs(s.Objective-want) > 1e-6 {
		t.Errorf("HiGHS library: %v with %v, fit has %v", s.Status, s.Objective, want)
	}
	if err := os.WriteFile(filepath.Join(dir, "highs.opt"), []byte("mip_rel_gap = 0\nmip_abs_gap = 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, e := range executables {
		if i > 0 && !everyone {
			break
		}
		t.Run(e.name, func(t *testing.T) {
			exe := ""
			for _, p := range e.paths {
				if found, err := exec.LookPath(p); err == nil {
					exe = found
					break
				}
			}
			if exe == "" {
				t.Skipf("%s is not installed; `make tools` and `make build` provide it", e.name)
			}
			began := time.Now()
			if exe, err = filepath.Abs(exe); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(exe, e.args(file)...)
			cmd.Dir = dir // HiGHS leaves a log where it runs
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			v := e.value.FindAllSubmatch(out, -1)
			if !e.optimal.Match(out) || len(v) == 0 {
				t.Fatalf("no proven optimum in:\n%s", bytes.TrimSpace(out))
			}
			got, err := strconv.ParseFloat(string(v[len(v)-1][1]), 64)
			if err != nil || math.Abs(got-want) > 1e-6 {
				t.Errorf("optimum %v, fit has %v (%v)", got, want, err)
			}
			t.Logf("%v in %v", got, time.Since(began).Round(time.Millisecond))
		})
	}
}
