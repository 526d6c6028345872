//go:build cgo && !nohighs

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers/solfile"
)

// judgedInstances are those of HiGHS's test instances whose optima are perturbed.
// HiGHS's executable judges the points that it is given for programs with integer
// columns only: linear ones get one that is in no row.
var judgedInstances = []string{
	"2171", "adlittle", "afiro", "avgas", "chip", "sctest", "smalllp", "test",
	"bell5", "egout", "flugpl", "gt2", "issue-2095", "lseu", "p01", "qap04", "rgn", "small_mip", "bound_implied", "egout-ac",
}

// judgedPoints is how many points of each are judged.
const judgedPoints = 10

// judged is what a judge counts of one kind of violation.
type judged struct {
	n     int
	worst float64 // where n > 0
}

// judgedKinds are HiGHS's names of kinds.
var judgedKinds = map[string]string{"bound": "Col", "integrality": "Integer", "row": "Row"}

// TestModelCheckAsHiGHS holds 200 points, optima with some values moved by
// little or much, against their models: model check and HiGHS count the same
// violations of each kind, with the same worst, and agree on whether the point
// holds.
func TestModelCheckAsHiGHS(t *testing.T) {
	program := highsExecutable(t)
	rng := rand.New(rand.NewPCG(12, 200))
	points, held := 0, 0
	for _, name := range judgedInstances {
		p := newJudgedProgram(t, program, dataFile(t, filepath.Join("highs-instances", name+".mps")))
		for range judgedPoints {
			x := perturbed(rng, p.optimum)
			solution := p.write(t, x)
			ours, holds := p.octgen(t, solution)
			theirs := p.highs(t, program, solution)
			total := 0
			for kind, word := range judgedKinds {
				a, b := ours[kind], theirs[word]
				total += b.n
				if a.n != b.n || a.n > 0 && math.Abs(a.worst-b.worst) > 1e-3*b.worst {
					t.Errorf("%s, %s: model check counts %d, worst %v; HiGHS %d, worst %v", name, kind, a.n, a.worst, b.n, b.worst)
				}
			}
			if holds != (total == 0) {
				t.Errorf("%s: model check says that the point holds: %v; HiGHS counts %d violations", name, holds, total)
			}
			points++
			if holds {
				held++
			}
		}
	}
	t.Logf("%d points, of which %d hold", points, held)
	if points != 200 || held < 20 || held > 180 {
		t.Errorf("%d points, of which %d hold: the test does not test", points, held)
	}
}

// perturbed moves a few values of x, by less than the tolerance or by more.
func perturbed(rng *rand.Rand, x []float64) []float64 {
	x = append([]float64(nil), x...)
	for range rng.IntN(4) {
		step := []float64{1e-9, 2e-7, 5e-6, 1e-3, 0.5, 1, 10}[rng.IntN(7)]
		if rng.IntN(2) == 0 {
			step = -step
		}
		x[rng.IntN(len(x))] += step
	}
	return x
}

// judgedProgram is a model with an integer column at least, and its optimum.
type judgedProgram struct {
	path    string
	m       *mio.Model
	mp      *mps.Map
	optimum []float64
}

func newJudgedProgram(t *testing.T, program, path string) *judgedProgram {
	t.Helper()
	m, mp, err := mps.ReadOptions{}.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if m.NumDiscrete() == 0 {
		path = withInteger(t, m)
		if m, mp, err = (mps.ReadOptions{}).ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(t.TempDir(), "optimum.sol")
	runHiGHS(t, program, path, "--solution_file", out)
	sol, err := solfile.ReadFile(out, solfile.HiGHS, m, mp, solfile.ReadOptions{})
	if err != nil || sol.Status != mio.Optimal {
		t.Fatalf("%s: %v, %v", path, sol, err)
	}
	return &judgedProgram{path, m, mp, sol.Values}
}

// withInteger writes m with one more column, an integer fixed at 0.
func withInteger(t *testing.T, m *mio.Model) string {
	t.Helper()
	var text bytes.Buffer
	if _, err := mps.Write(&text, m, mps.Options{}); err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(text.String(), "\nRHS\n", "\n M 'MARKER' 'INTORG'\n integer obj 0\n M 'MARKER' 'INTEND'\nRHS\n", 1)
	changed = strings.Replace(changed, "\nBOUNDS\n", "\nBOUNDS\n FX BND integer 0\n", 1)
	path := filepath.Join(t.TempDir(), "m.mps")
	if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// write writes x as a solution that claims to be optimal.
func (p *judgedProgram) write(t *testing.T, x []float64) string {
	t.Helper()
	var text bytes.Buffer
	if err := solfile.WriteSolution(&text, p.m, p.mp, &mio.Solution{Status: mio.Optimal, Values: x}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "point.sol")
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// octgen is the judgement of model check.
func (p *judgedProgram) octgen(t *testing.T, solution string) (counts map[string]judged, holds bool) {
	t.Helper()
	var out, log bytes.Buffer
	code := run(context.Background(), []string{"model", "check", p.path, solution, "--json", "--worst", "1000000"}, nil, &out, &log)
	var res modelCheck
	if err := json.Unmarshal(out.Bytes(), &res); err != nil || res.Check == nil {
		t.Fatalf("%v, exit code %d: %s%s", err, code, out.String(), log.String())
	}
	if (code == exitDone) != res.Check.Holds || code > exitFailed || res.Check.Violated != len(res.Check.Violations) {
		t.Errorf("exit code %d, %d violations, %d listed, holds: %v", code, res.Check.Violated, len(res.Check.Violations), res.Check.Holds)
	}
	counts = map[string]judged{}
	for _, v := range res.Check.Violations {
		c := counts[v.Kind]
		counts[v.Kind] = judged{c.n + 1, max(c.worst, *v.Amount)}
	}
	return counts, res.Check.Holds
}

// highsCounts are the lines in which HiGHS sums up what a point violates.
var highsCounts = regexp.MustCompile(`(?m)^(Col|Integer|Row) +infeasibilities +(\d+) +(\S+) +\S+$`)

// highs is the judgement of HiGHS, which it gives before it solves.
func (p *judgedProgram) highs(t *testing.T, program, solution string) map[string]judged {
	t.Helper()
	log := runHiGHS(t, program, p.path, "--read_solution_file", solution, "--time_limit", "0")
	counts := map[string]judged{}
	for _, line := range highsCounts.FindAllStringSubmatch(log, 3) {
		n, err := strconv.Atoi(line[2])
		if err != nil {
			t.Fatal(err)
		}
		worst, err := strconv.ParseFloat(line[3], 64)
		if err != nil {
			t.Fatal(err)
		}
		counts[line[1]] = judged{n, worst}
	}
	if len(counts) != 3 {
		t.Fatalf("HiGHS did not judge the point:\n%s", log)
	}
	return counts
}

// highsExecutable finds HiGHS's executable, which the build made.
func highsExecutable(t *testing.T) string {
	t.Helper()
	for _, name := range []string{filepath.Join("..", "..", ".highs", "bin", "highs"), "highs"} {
		if path, err := exec.LookPath(name); err == nil {
			if path, err = filepath.Abs(path); err == nil {
				return path
			}
		}
	}
	t.Skip("highs is not installed; `make build` provides it")
	return ""
}

// runHiGHS runs the executable on a model and returns its log.
func runHiGHS(t *testing.T, program, model string, args ...string) string {
	t.Helper()
	model, err := filepath.Abs(model)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, append([]string{model}, args...)...)
	cmd.Dir = t.TempDir() // where it leaves a log
	log, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) { // 1: a limit
		t.Fatal(fmt.Errorf("%s: %w\n%s", model, err, log))
	}
	return string(log)
}
