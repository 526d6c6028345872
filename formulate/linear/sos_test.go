//go:build cgo && !nohighs

package linear

import (
	"bufio"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
)

// TestFMBySOS solves encoding sos1, which has no big-M and no binary, with CBC:
// the same optima as encoding mio with HiGHS, for FM and for LFM.
func TestFMBySOS(t *testing.T) {
	program, err := exec.LookPath("cbc")
	if err != nil {
		t.Skip("the executable cbc is not installed")
	}
	lp, ctx := formtest.Solver(t), context.Background()
	rng := rand.New(rand.NewPCG(41, 1))
	compare := func(big, sos formulate.Formulation) {
		t.Helper()
		sol, err := lp(ctx, big.Model())
		if err != nil || sol.Status != mio.Optimal {
			t.Fatalf("%+v, %v", sol, err)
		}
		values := solveCBC(t, program, sos.Model())
		r := mio.Check(sos.Model(), values, 1e-5)
		if !r.Feasible || math.Abs(r.Objective-sol.Objective) > 1e-5 {
			t.Fatalf("%s: CBC %v, HiGHS %v; %v", sos.Model().Name(), r.Objective, sol.Objective, r.Err())
		}
		tr, err := sos.Decode(values)
		if err != nil {
			t.Fatal(err)
		}
		if got := sos.Objective(tr); got > sol.Objective+1e-5 {
			t.Fatalf("%s: the tree has %v, the optimum is %v", sos.Model().Name(), got, sol.Objective)
		}
	}
	solved := 0
	for range 25 {
		d := formtest.Data(rng, 8+rng.IntN(15), 2+rng.IntN(3), 2)
		perturbed := rng.IntN(2) == 0
		big, err := FMOptions{Perturbed: perturbed, Slack: 1.3, LP: lp}.Build(ctx, d)
		if errors.Is(err, formulate.ErrSingleLeaf) || err == nil && len(big.Boxed()) > 0 {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		sos, err := FMOptions{Perturbed: perturbed, Delta: big.Delta(), Encoding: SOS1}.Build(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		compare(big, sos)
		lbig, err := LFMOptions{Perturbed: perturbed, Nu: 2, LP: lp}.Build(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		lsos, err := LFMOptions{Perturbed: perturbed, Nu: 2, Encoding: SOS1}.Build(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		compare(lbig, lsos)
		solved++
	}
	if solved < 10 {
		t.Errorf("%d instances", solved)
	}
}

// solveCBC returns the values of the cbc executable's optimum.
func solveCBC(t *testing.T, program string, m *mio.Model) []float64 {
	t.Helper()
	dir := t.TempDir()
	model, out := filepath.Join(dir, "m.mps"), filepath.Join(dir, "m.sol")
	if _, err := mps.WriteFile(model, m, mps.Options{}); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command(program, model, "-ratio", "0", "-solve", "-printingOptions", "all", "-solution", out).CombinedOutput(); err != nil {
		t.Fatalf("cbc: %v\n%s", err, text)
	}
	file, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	at := make(map[string]int, m.NumCols())
	for j := range m.NumCols() {
		at[m.ColName(j)] = j
	}
	values := make([]float64, m.NumCols())
	lines := bufio.NewScanner(file)
	if !lines.Scan() || !strings.HasPrefix(lines.Text(), "Optimal") {
		t.Fatalf("cbc: %q", lines.Text())
	}
	for lines.Scan() {
		f := strings.Fields(lines.Text()) // index name value reduced cost
		if len(f) < 3 {
			continue
		}
		if j, ok := at[f[1]]; ok {
			if values[j], err = strconv.ParseFloat(f[2], 64); err != nil {
				t.Fatal(err)
			}
		}
	}
	return values
}
