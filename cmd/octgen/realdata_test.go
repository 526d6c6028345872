//go:build cgo && !nohighs

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/octgen/octgen/fit"
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
