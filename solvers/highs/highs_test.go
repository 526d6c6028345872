//go:build cgo && !nohighs

package highs_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/highs"
	"github.com/octgen/octgen/solvers/solvertest"
)

var bg = context.Background()

func TestConformance(t *testing.T) { solvertest.Run(t, highs.New()) }

func TestRegistered(t *testing.T) {
	s, err := solvers.Lookup(highs.Name)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Available(); err != nil {
		t.Fatal(err)
	}
	if v := s.Version(); strings.Count(v, ".") != 2 {
		t.Errorf("version %q", v)
	}
}

// TestRaw: options by HiGHS's names are parsed as HiGHS's types.
func TestRaw(t *testing.T) {
	m := solvertest.Knapsack(3, 12, 3)
	for _, c := range []struct{ name, value, wantErr string }{
		{"mip_detect_symmetry", "false", ""},
		{"mip_max_improving_sols", "1000", ""},
		{"mip_heuristic_effort", "0.5", ""},
		{"presolve", "off", ""},
		{"mip_detect_symmetry", "2", "true or false"},
		{"mip_max_improving_sols", "1.5", "integer"},
		{"mip_max_improving_sols", "-7", "integer in its range"},
		{"mip_heuristic_effort", "much", "number"},
		{"mip_heuristic_effort", "NaN", "number"},
		{"mip_heuristic_effort", "7", "number in its range"},
		{"presolve", "sometimes", "one of its values"},
		{"mip_effort", "1", "no option of this name"},
		{"time_limit", "1", "TimeLimit"},
		{"log_file", "x.log", "Log"},
	} {
		_, err := highs.New().Solve(bg, m, solvers.Options{Raw: map[string]string{c.name: c.value}})
		if c.wantErr == "" {
			if err != nil {
				t.Errorf("%s=%s: %v", c.name, c.value, err)
			}
			continue
		}
		var optErr *solvers.OptionError
		if !errors.As(err, &optErr) || optErr.Option != c.name || !strings.Contains(err.Error(), c.wantErr) {
			t.Errorf("%s=%s: error %v, want one of option %s with %q", c.name, c.value, err, c.name, c.wantErr)
		}
	}
	// They reach HiGHS: with presolve off, its log says so.
	var log bytes.Buffer
	if _, err := highs.New().Solve(bg, m, solvers.Options{Log: &log, Raw: map[string]string{"presolve": "off"}}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "Presolve is switched off") {
		t.Errorf("the option presolve had no effect; log:\n%s", log.String())
	}
}

// TestLogFails: a log that cannot be written does not end the solve.
func TestLogFails(t *testing.T) {
	w := &failingWriter{}
	sol, err := highs.New().Solve(bg, solvertest.Knapsack(5, 40, 3), solvers.Options{Log: w, NodeLimit: 200})
	if err != nil || !sol.Status.HasSolution() {
		t.Errorf("%v, %v", sol, err)
	}
	if w.calls != 1 {
		t.Errorf("written to %d times after it failed", w.calls-1)
	}
}

type failingWriter struct{ calls int }

func (w *failingWriter) Write([]byte) (int, error) { w.calls++; return 0, os.ErrClosed }

// TestModelRefused: what HiGHS cannot load is an error with HiGHS's reason.
func TestModelRefused(t *testing.T) {
	b := mio.NewBuilder("large")
	x := b.AddCol(1, 0, 1, mio.Continuous, "x")
	b.Add(b.AddRow(0, 1, "r"), x, 1e16)
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	_, err = highs.New().Solve(bg, m, solvers.Options{})
	if err == nil || !strings.Contains(err.Error(), "refused the model") || !strings.Contains(err.Error(), "1e+15") {
		t.Errorf("error %v, want HiGHS's limit of 1e15 on coefficients", err)
	}
}

// TestProgressPanics: a panic in Progress reaches the caller of Solve.
func TestProgressPanics(t *testing.T) {
	m, _ := solvertest.MarketSplit(4, 35, 1)
	defer func() {
		if recover() != "enough" {
			t.Error("no panic")
		}
	}()
	highs.New().Solve(bg, m, solvers.Options{Progress: func(solvers.Event) { panic("enough") }})
}

// TestLeftBehind: with next to no grace Solve comes back before HiGHS does, and
// calls nobody afterwards.
func TestLeftBehind(t *testing.T) {
	m, start := solvertest.MarketSplit(6, 60, 4)
	for range 20 {
		var returned atomic.Bool
		ctx, cancel := context.WithCancel(bg)
		sol, err := highs.New().Solve(ctx, m, solvers.Options{Start: start, Grace: 1, Progress: func(e solvers.Event) {
			if returned.Load() {
				t.Error("Progress was called after Solve returned")
			}
			cancel()
		}})
		if err != nil {
			t.Fatal(err)
		}
		returned.Store(true)
		solvertest.Verify(t, m, sol)
		if sol.Limit != mio.LimitInterrupt || sol.Objective > m.Objective(start) {
			t.Errorf("%v, limit %v, objective %v", sol.Status, sol.Limit, sol.Objective)
		}
	}
	time.Sleep(100 * time.Millisecond)
}

// TestFiles: what HiGHS writes of a model, HiGHS reads and solves to the same
// optimum.
func TestFiles(t *testing.T) {
	s := highs.New()
	lp := mio.NewBuilder("two_columns")
	lp.SetSense(mio.Maximize)
	lp.AddOffset(2.5)
	x, y := lp.AddCol(3, -1, mio.Inf, mio.Continuous, "x", 1), lp.AddCol(2, 0, 8, mio.Continuous, "y")
	r := lp.AddRow(-mio.Inf, 7, "cap")
	lp.Add(r, x, 1)
	lp.Add(r, y, 1)
	small, err := lp.Model()
	if err != nil {
		t.Fatal(err)
	}
	split, _ := solvertest.MarketSplit(2, 15, 1)
	for _, m := range []*mio.Model{small, solvertest.Knapsack(3, 20, 9), split} {
		want, err := s.Solve(bg, m, solvers.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, ext := range []string{".mps", ".lp"} {
			path := filepath.Join(t.TempDir(), "model"+ext)
			if err := highs.WriteModel(bg, m, path); err != nil {
				t.Fatal(err)
			}
			got, err := highs.SolveFile(bg, path, solvers.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got.Columns != m.NumCols() || got.Rows != m.NumRows() || got.Nonzeros != m.NumNonzeros() {
				t.Errorf("%s%s: %+v, want %d columns, %d rows, %d nonzeros", m.Name(), ext, got, m.NumCols(), m.NumRows(), m.NumNonzeros())
			}
			sol := got.Solution
			if sol.Status != mio.Optimal || math.Abs(sol.Objective-want.Objective) > 1e-6 || math.Abs(sol.Bound-want.Objective) > 1e-6 || len(sol.Values) != m.NumCols() {
				t.Errorf("%s%s: %+v, want objective %v", m.Name(), ext, sol, want.Objective)
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Contains(text, []byte(m.ColName(0))) || !bytes.Contains(text, []byte(m.RowName(0))) {
				t.Errorf("%s%s: without the model's names", m.Name(), ext)
			}
		}
	}
	dir := t.TempDir()
	if _, err := highs.SolveFile(bg, filepath.Join(dir, "none.mps"), solvers.Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	bad := filepath.Join(dir, "bad.mps")
	if err := os.WriteFile(bad, []byte("NAME\nROWS\n Q  c\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := highs.SolveFile(bg, bad, solvers.Options{}); err == nil || !strings.Contains(err.Error(), "bad.mps") {
		t.Errorf("bad file: %v", err)
	}
	if err := highs.WriteModel(bg, small, filepath.Join(dir, "none", "m.mps")); err == nil {
		t.Error("no error for a file in a folder that does not exist")
	}
}

// TestNonlinearRefused: the adapter loads linear models only, and says so
// instead of solving what is left of others.
func TestNonlinearRefused(t *testing.T) {
	for want, add := range map[string]func(b *mio.Builder){
		"quadratic terms": func(b *mio.Builder) { b.AddQuadCost(0, 0, 1) },
		"indicator rows":  func(b *mio.Builder) { b.AddIndicator(0, 1, true) },
		"SOS sets":        func(b *mio.Builder) { b.AddSOS(2, "", []mio.Col{0, 1}, []float64{1, 2}) },
	} {
		b := mio.NewBuilder("")
		x := b.AddCol(1, 0, 1, mio.Continuous, "x")
		b.AddBinary(1, "p")
		b.Add(b.AddRow(0.5, mio.Inf, "cover"), x, 1)
		add(b)
		m, err := b.Model()
		if err != nil {
			t.Fatal(err)
		}
		err = solvers.Validate(highs.New(), m, &solvers.Options{})
		if err == nil || !strings.Contains(err.Error(), "solver highs") || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not name highs and %q", err, want)
		}
		if sol, err := highs.New().Solve(context.Background(), m, solvers.Options{}); err == nil {
			t.Errorf("%s: solved, as %v", want, sol.Status)
		}
	}
}

// TestStaticHeaders builds and runs the suite's models against headers like
// those of HiGHS 1.12 and later, whose C interface declares its constants
// static, so that lanl's binding finds no external ones: a copy of the headers
// in use, changed in that way.
func TestStaticHeaders(t *testing.T) {
	if !datatest.All() {
		t.Skip("builds the package a second time: make test-all")
	}
	dir := t.TempDir()
	include := filepath.Join(dir, "include")
	if err := os.CopyFS(include, os.DirFS(pkgConfig(t, "--variable=includedir"))); err != nil {
		t.Fatal(err)
	}
	header := filepath.Join(include, "interfaces", "highs_c_api.h")
	text, err := os.ReadFile(header)
	if err != nil {
		t.Fatal(err)
	}
	constant := regexp.MustCompile(`(?m)^const (HighsInt|char\* const) k`)
	static := constant.ReplaceAll(text, []byte("static const $1 k"))
	if !strings.Contains(string(static), "static const HighsInt kHighsStatusOk") {
		t.Fatal("no constants found in highs_c_api.h")
	}
	if err := os.WriteFile(header, static, 0o600); err != nil {
		t.Fatal(err)
	}
	pc := "Name: HiGHS\nDescription: with static constants\nVersion: " + pkgConfig(t, "--modversion") +
		"\nCflags: -I" + include + "\nLibs: " + pkgConfig(t, "--libs") + "\n"
	if err := os.WriteFile(filepath.Join(dir, "highs.pc"), []byte(pc), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "test", "-short", "-count=1", "-run", "^TestConformance$/^(models|start)$", "-v", ".")
	// Go's build cache does not see headers, so the flags carry their hash.
	cmd.Env = append(os.Environ(), "PKG_CONFIG_PATH="+dir,
		fmt.Sprintf("CGO_CFLAGS=-O2 -g -DOCTGEN_HIGHS=static_%08x", crc32.ChecksumIEEE(static)))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), "--- PASS: TestConformance/models/mip") {
		t.Errorf("the suite did not run:\n%s", out)
	}
}

func pkgConfig(t *testing.T, arg string) string {
	out, err := exec.Command("pkg-config", arg, "highs").Output()
	if err != nil {
		t.Fatalf("pkg-config %s highs: %v", arg, err)
	}
	return strings.TrimSpace(string(out))
}
