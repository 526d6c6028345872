//go:build cgo && !nohighs

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/tree"
)

// dataFile returns the path of a public dataset, or skips.
func dataFile(t *testing.T, name string) string {
	t.Helper()
	dirs := []string{os.Getenv("OCTGEN_DATA"), filepath.Join("..", "..", "..", "shared", "data")}
	for _, dir := range dirs {
		if dir == "" {
			continue
		}
		if path, err := filepath.Abs(filepath.Join(dir, name)); err == nil {
			if _, err := os.Stat(path); err == nil {
				return path
			}
		}
	}
	t.Skipf("no %s in $OCTGEN_DATA or ../shared/data", name)
	return ""
}

func readResult(t *testing.T, stdout *bytes.Buffer) *fit.Result {
	t.Helper()
	var res fit.Result
	if err := json.Unmarshal(stdout.Bytes(), &res); err != nil {
		t.Fatalf("%v in %s", err, stdout)
	}
	return &res
}

// confirm has `octgen check` confirm the tree.json that cmd saved.
func confirm(t *testing.T, cmd *exec.Cmd, data string, res *fit.Result) {
	t.Helper()
	check, stdout, stderr := program(t, "octgen", "check", filepath.Join(cmd.Dir, "tree.json"), data, "--json")
	if code := exitOf(t, check.Run()); code != 0 {
		t.Fatalf("check: exit code %d: %s", code, stderr)
	}
	got := readResult(t, stdout)
	if got.Train.Errors != res.Train.Errors || got.Data.SHA256 != res.Data.SHA256 || !got.Check.ErrorsMatch {
		t.Errorf("check: %s", stdout)
	}
}

// TestIris: depth 2, alpha 0.01 is proved to have 6 errors with 2 splits.
func TestIris(t *testing.T) {
	data := dataFile(t, "iris.csv")
	cmd, stdout, stderr := program(t, "octgen", "fit", data, "--depth", "2", "--alpha", "0.01", "--json", "-o", "tree.json")
	if code := exitOf(t, cmd.Run()); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	res := readResult(t, stdout)
	s := res.Solver
	if s.Status != "optimal" || res.Train.Errors != 6 || res.Train.Splits != 2 || *s.Gap > 1e-9 || *res.Train.Objective < 0.08-1e-9 || *res.Train.Objective > 0.08+1e-9 {
		t.Errorf("status %s, %v errors, %d splits, gap %v, objective %v", s.Status, res.Train.Errors, res.Train.Splits, *s.Gap, *res.Train.Objective)
	}
	confirm(t, cmd, data, res)
}

// TestTimeLimit: a limit ends the solve with the best tree, a bound and a gap.
func TestTimeLimit(t *testing.T) {
	data := dataFile(t, "sonar.csv")
	cmd, stdout, stderr := program(t, "octgen", "fit", data, "--engine", "mio", "--depth", "3", "--start", "cart", "--time-limit", "3s", "--json", "-o", "tree.json")
	began := time.Now()
	if code := exitOf(t, cmd.Run()); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if d := time.Since(began); d > 15*time.Second {
		t.Errorf("took %v", d)
	}
	res := readResult(t, stdout)
	if res.Status != "feasible" || res.Limit != "time" || res.Bound == nil || res.Gap == nil || *res.Bound > *res.Objective || res.Solver.Status != "feasible" || res.Solver.Limit != "time" {
		t.Errorf("%+v, solver %+v", res, res.Solver)
	}
	confirm(t, cmd, data, res)
}

// herald keeps what is written to it, and closes came when it has the text.
type herald struct {
	all  bytes.Buffer // not embedded: its ReadFrom would pass by Write
	text string
	came chan struct{}
	told bool
}

func (h *herald) Write(p []byte) (int, error) {
	n, err := h.all.Write(p)
	if !h.told && strings.Contains(h.all.String(), h.text) {
		h.told = true
		close(h.came)
	}
	return n, err
}

// interrupt starts a solve that takes long and interrupts it once HiGHS is at
// work: half a second after its first word.
func interrupt(t *testing.T, data string, args ...string) (cmd *exec.Cmd, stdout *bytes.Buffer) {
	t.Helper()
	cmd, stdout, _ = program(t, "octgen", append([]string{"fit", data, "--engine", "mio", "--depth", "3", "--start", "cart"}, args...)...)
	stderr := &herald{text: "  incumbent ", came: make(chan struct{})}
	cmd.Stderr = stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("stderr: %s", &stderr.all)
		}
	})
	select {
	case <-stderr.came:
		time.Sleep(500 * time.Millisecond)
	case <-time.After(time.Minute):
		t.Error("HiGHS says nothing for a minute") // and what follows tells why
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	return cmd, stdout
}

// TestInterrupt: SIGINT ends the solve within 3 s; the best tree is printed and
// saved, and its figures hold.
func TestInterrupt(t *testing.T) {
	data := dataFile(t, "wine.csv")
	cmd, stdout := interrupt(t, data, "--json", "-o", "tree.json")
	began := time.Now()
	if code := exitOf(t, cmd.Wait()); code != 130 {
		t.Fatalf("exit code %d", code)
	}
	if d := time.Since(began); d > 3*time.Second {
		t.Errorf("took %v after the signal", d)
	}
	res := readResult(t, stdout)
	if res.Solver.Limit != "interrupt" || res.Solver.Status != "feasible" || res.Tree == nil {
		t.Errorf("solver %+v", res.Solver)
	}
	confirm(t, cmd, data, res)
}

// TestSecondInterrupt: a second SIGINT ends a solve at once and leaves nothing
// half-written.
func TestSecondInterrupt(t *testing.T) {
	data := dataFile(t, "wine.csv")
	cmd, _ := interrupt(t, data, "-o", "tree.json")
	began := time.Now()
	time.Sleep(5 * time.Millisecond) // signals of one kind that come together are one
	if err := cmd.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	if code := exitOf(t, cmd.Wait()); code != 130 {
		t.Fatalf("exit code %d", code)
	}
	if d := time.Since(began); d > 10*time.Second {
		t.Errorf("took %v after the second signal", d)
	}
	if names := entries(t, cmd.Dir); strings.Contains(names, "tmp") {
		t.Errorf("the folder holds %s", names)
	}
}

const small = "a,b,class\n1,1,no\n1,2,yes\n2,1,no\n2,2,yes\n3,1,no\n3,2,no\n4,1,yes\n4,2,yes\n"

// keys lists the paths of all values of an object; tree.json has a schema of its
// own and is left out.
func keys(prefix string, v any) []string {
	object, ok := v.(map[string]any)
	if !ok || prefix == "tree." {
		return []string{strings.TrimSuffix(prefix, ".")}
	}
	var list []string
	for key, value := range object {
		list = append(list, keys(prefix+key+".", value)...)
	}
	slices.Sort(list)
	return list
}

func runJSON(t *testing.T, stdin string, args ...string) map[string]any {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(context.Background(), args, strings.NewReader(stdin), &out, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	d := json.NewDecoder(&out)
	var object map[string]any
	if err := d.Decode(&object); err != nil {
		t.Fatal(err)
	}
	if d.More() {
		t.Error("more than one object")
	}
	return object
}

// TestJSONKeys: the keys of `fit --json` are a contract.
func TestJSONKeys(t *testing.T) {
	all := []string{
		"method", "engine", "prover", "status", "objective", "bound", "gap", "limit", "seconds", "tree",
		"data.class_counts", "data.classes", "data.columns", "data.features", "data.file", "data.rows", "data.rows_dropped", "data.rows_read", "data.sha256", "data.warnings", "check.errors_match",
	}
	scores := func(name string, more ...string) []string {
		list := []string{name + ".accuracy", name + ".depth", name + ".error_weight", name + ".errors", name + ".features_used", name + ".rows", name + ".splits",
			name + ".auc", name + ".balanced_error", name + ".confusion.classes", name + ".confusion.counts", name + ".log_loss", name + ".per_class", name + ".positive"}
		return append(list, more...)
	}
	oct := slices.Concat(all, scores("train", "train.objective"), []string{
		"claim", "baseline.errors", "baseline.method", "check.feasible", "check.max_violation", "check.objective_matches",
		"formulation.binaries", "formulation.build_seconds", "formulation.coef_max", "formulation.coef_min", "formulation.columns", "formulation.encoding", "formulation.form",
		"formulation.nonzeros", "formulation.rows", "formulation.tightenings",
		"solver.bound", "solver.gap", "solver.name", "solver.nodes", "solver.objective", "solver.raw", "solver.seconds",
		"solver.start", "solver.start_gain", "solver.start_objective", "solver.start_seconds", "solver.status", "solver.version",
	})
	for name, c := range map[string]struct {
		args []string
		want []string
	}{
		"oct":     {[]string{"--quiet", "--engine", "mio", "--start", "cart"}, oct},
		"proved":  {[]string{"--quiet", "--engine", "mio", "--alpha", "0.1"}, append([]string{"search.bound", "search.seconds", "search.status"}, oct...)},
		"holdout": {[]string{"--quiet", "--engine", "mio", "--start", "cart", "--holdout", "0.25"}, append(scores("test", "baseline.test_errors", "test.accuracy_se"), oct...)},
		"search": {[]string{"--quiet"}, slices.Concat(all, scores("train", "train.objective"), []string{
			"claim", "baseline.errors", "baseline.method", "check.feasible", "check.objective_matches", "search.bound", "search.seconds", "search.status",
			"solver.bound", "solver.gap", "solver.name", "solver.nodes", "solver.objective", "solver.seconds",
			"solver.start", "solver.start_gain", "solver.start_objective", "solver.status",
			"solver.search.batches", "solver.search.cache_hits", "solver.search.cache_size", "solver.search.closed", "solver.search.cuts",
			"solver.search.nodes", "solver.search.pairs", "solver.search.shortened", "solver.search.spans", "solver.search.stumps",
			"solver.search.targets", "solver.search.work",
		})},
		"costs": {[]string{"--method", "local-search", "--quiet", "--cost-matrix", "yes:no=2", "--holdout", "0.25"}, slices.Concat(all,
			scores("train", "train.objective", "train.cost"), scores("test", "test.cost", "test.accuracy_se"), []string{
				"data.cost_matrix",
				"baseline.cost", "baseline.errors", "baseline.method", "baseline.test_cost", "baseline.test_errors",
				"heuristic.best_seconds", "heuristic.kicks", "heuristic.moves", "heuristic.restarts", "heuristic.seconds", "heuristic.seed", "heuristic.splits", "heuristic.work",
			})},
		"cart": {[]string{"--method", "cart"}, slices.Concat(all, scores("train", "train.objective"), []string{"heuristic.grown_splits"})},
		"local-search": {[]string{"--method", "local-search", "--quiet"}, slices.Concat(all,
			scores("train", "train.objective"), []string{
				"baseline.errors", "baseline.method", "heuristic.best_seconds", "heuristic.kicks", "heuristic.moves", "heuristic.restarts", "heuristic.seconds", "heuristic.seed", "heuristic.splits", "heuristic.work",
			})},
	} {
		t.Run(name, func(t *testing.T) {
			got := keys("", runJSON(t, small, append([]string{"fit", "-", "--json"}, c.args...)...))
			slices.Sort(c.want)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("keys (-want +got):\n%s", diff)
			}
		})
	}
}

// TestJSONTree: the tree in the object is a tree.json.
func TestJSONTree(t *testing.T) {
	object := runJSON(t, small, "fit", "-", "--json", "--quiet")
	b, err := json.Marshal(object["tree"])
	if err != nil {
		t.Fatal(err)
	}
	tr, err := tree.ReadJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if tr.Splits() != 3 || tr.Encoder == nil {
		t.Errorf("the tree is %v", tr)
	}
}
