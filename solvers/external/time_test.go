//go:build unix

package external_test

import (
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// TestOwnLimit: an optimizer gets less than the time that there is, to write its
// solution in the rest, in whole seconds where it counts those.
func TestOwnLimit(t *testing.T) {
	m, _ := recordedModel(t)
	for name, option := range map[string]string{
		"highs-exe": `time_limit = (\S+)`, "cbc": `-sec\n(\S+)`, "glpk": `--tmlim\n(\S+)`, "scip": `limits/time = (\S+)`,
		"gurobi": `TimeLimit=(\S+)`, "cplex": `set timelimit (\S+)`, "xpress": `MAXTIME=-(\S+)`,
	} {
		for _, limit := range []time.Duration{2500 * time.Millisecond, time.Hour} {
			s, dir, _ := fake(t, name, "replay")
			if err := os.WriteFile(filepath.Join(dir, "log.txt"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			_, _ = s.Solve(context.Background(), m, solvers.Options{TimeLimit: limit}) // the fake has no answer
			called, err := os.ReadFile(filepath.Join(dir, "called"))
			if err != nil {
				t.Fatal(err)
			}
			found := regexp.MustCompile(option).FindSubmatch(called)
			if found == nil {
				t.Errorf("%s: no limit in %s", name, called)
				continue
			}
			own, err := strconv.ParseFloat(string(found[1]), 64)
			if err != nil || own <= 0 || own > limit.Seconds()-0.2 || limit == time.Hour && own < 3500 {
				t.Errorf("%s: of %v it gets %s s, %v", name, limit, found[1], err)
			}
			if whole := name == "glpk" || name == "xpress"; whole && own != math.Trunc(own) {
				t.Errorf("%s: %v is not whole", name, own)
			}
		}
	}
}

// TestStoppedLinearProgram: where the simplex method was when the time ended need not
// be a solution; it is a limit, not an answer that the check refutes.
func TestStoppedLinearProgram(t *testing.T) {
	b := mio.NewBuilder("linear") // min x1 + 2 x2 + x4,  x1 + x2 >= 3,  x2 + x4 >= 1.5
	x1, x2, x4 := b.AddCol(1, 0, 10, mio.Continuous, "x1"), b.AddCol(2, 0, 10, mio.Continuous, "x2"), b.AddCol(1, 0, 10, mio.Continuous, "x4")
	cover, demand := b.AddRow(3, mio.Inf, "cover"), b.AddRow(1.5, mio.Inf, "demand")
	b.Add(cover, x1, 1)
	b.Add(cover, x2, 1)
	b.Add(demand, x2, 1)
	b.Add(demand, x4, 1)
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{"Stopped on time", "Stopped on iterations"} {
		s, dir, _ := fake(t, "cbc", "replay")
		write := func(name, text string) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write("log.txt", "Result - Stopped on node limit\n")
		write("out.sol", words+" - objective value 1\n      0 x1 1 0\n")
		point := binary.NativeEndian.AppendUint32(nil, 2)
		point = binary.NativeEndian.AppendUint32(point, 3)
		for _, v := range []float64{1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0} { // objective, rows, columns
			point = binary.NativeEndian.AppendUint64(point, math.Float64bits(v))
		}
		write("out.bin", string(point))
		sol, err := s.Solve(context.Background(), m, solvers.Options{TimeLimit: time.Minute})
		if err != nil || sol.Status != mio.NoSolution || sol.Limit != mio.LimitTime {
			t.Errorf("%s: %+v, %v", words, sol, err)
		}
	}
}

// TestStoppedReading: HiGHS may use its time up before it has read the model.
func TestStoppedReading(t *testing.T) {
	m, _ := recordedModel(t)
	s, dir, _ := fake(t, "highs-exe", "replay failing")
	const log = "WARNING: Free format reader reached time_limit while parsing the input file\nERROR:   Parser reached timeout\nError loading file\n"
	if err := os.WriteFile(filepath.Join(dir, "log.txt"), []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	sol, err := s.Solve(context.Background(), m, solvers.Options{TimeLimit: time.Minute})
	if err != nil || sol.Status != mio.NoSolution || sol.Limit != mio.LimitTime {
		t.Errorf("%+v, %v", sol, err)
	}
}
