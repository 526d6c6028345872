//go:build cgo && !nohighs

package linear

import (
	"bufio"
	"context"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/tree"
)

func solveRLP(t *testing.T, o RLPOptions, d *dataset.Dataset) (*RLP, *mio.Solution, *tree.Tree) {
	t.Helper()
	ctx := context.Background()
	f, err := o.Build(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	sol, err := formtest.Solver(t)(ctx, f.Model())
	if err != nil || sol.Status != mio.Optimal {
		t.Fatalf("%+v, %v", sol, err)
	}
	tr, err := f.Decode(sol.Values)
	if err != nil {
		t.Fatal(err)
	}
	return f, sol, tr
}

// TestRLPSeparable: on separable data the optimum is 0 and the plane separates.
func TestRLPSeparable(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	for trial := range 200 {
		p, n := 1+rng.IntN(5), 5+rng.IntN(60)
		w := make([]float64, p)
		for j := range w {
			w[j] = rng.NormFloat64()
		}
		scale, shift := math.Pow(10, float64(rng.IntN(7)-3)), 100*rng.NormFloat64()
		d := &dataset.Dataset{Classes: []string{"a", "b"}}
		for j := range p {
			d.Features = append(d.Features, "f"+strconv.Itoa(j))
		}
		gap := []float64{1e-3, 0.1}[rng.IntN(2)]
		for len(d.Y) < n {
			x, v := make([]float64, p), 0.0
			for j := range x {
				x[j] = rng.NormFloat64()
				v += w[j] * x[j]
			}
			if math.Abs(v) < gap {
				continue
			}
			y := 0
			if v > 0 {
				y = 1
			}
			if len(d.Y) == n-1 && len(countClasses(d)) == 1 && d.Y[0] == y {
				continue // both classes
			}
			for _, v := range x {
				d.X = append(d.X, scale*(v+shift))
			}
			d.Y = append(d.Y, y)
			d.Weight = append(d.Weight, 0.5+rng.Float64())
			d.Count = append(d.Count, 1)
		}
		f, sol, tr := solveRLP(t, RLPOptions{}, d)
		if math.Abs(sol.Objective) > 1e-7 || f.Objective(tr) > 1e-5 || tr.Evaluate(d).Errors != 0 {
			t.Fatalf("trial %d: optimum %v, tree %v with %v errors", trial, sol.Objective, f.Objective(tr), tr.Evaluate(d).Errors)
		}
	}
}

func countClasses(d *dataset.Dataset) map[int]int {
	n := map[int]int{}
	for _, y := range d.Y {
		n[y]++
	}
	return n
}

// TestRLPNeverZero: w = 0 has error 2 and is optimal only if the class means are equal (because of
// the weights 1/m and 1/k; Bennett 1992, section 2.1).
func TestRLPNeverZero(t *testing.T) {
	rng := rand.New(rand.NewPCG(32, 2))
	equal, differ := 0, 0
	for trial := range 400 {
		d := formtest.Data(rng, 4+rng.IntN(20), 1+rng.IntN(4), 2+rng.IntN(2))
		if trial%4 == 0 {
			d = pointSymmetric(d)
		}
		f, err := RLPOptions{}.Build(context.Background(), d)
		if err != nil {
			continue
		}
		difference := make([]float64, f.d.p())
		for i, share := range f.d.share {
			for jx, x := range f.d.row(i) {
				difference[jx] += f.d.side(i) * share * x
			}
		}
		most := 0.0
		for _, v := range difference {
			most = max(most, math.Abs(v))
		}
		_, sol, tr := solveRLP(t, RLPOptions{}, d)
		switch {
		case most < 1e-12:
			equal++
			if math.Abs(sol.Objective-2) > 1e-7 {
				t.Fatalf("trial %d: equal means, optimum %v", trial, sol.Objective)
			}
		default:
			differ++
			if sol.Objective >= 2-1e-7 || tr.Splits() != 1 {
				t.Fatalf("trial %d: means differ by %v, optimum %v, %d splits", trial, most, sol.Objective, tr.Splits())
			}
		}
	}
	if equal < 50 || differ < 200 {
		t.Errorf("%d instances with equal means, %d with different ones", equal, differ)
	}
}

// pointSymmetric adds the mirror image of every row, with its class, so that all class means are 0.
func pointSymmetric(d *dataset.Dataset) *dataset.Dataset {
	for i := range d.N() {
		for j := range d.P() {
			d.X = append(d.X, -d.X[i*d.P()+j])
		}
		d.Y = append(d.Y, d.Y[i])
		d.Weight = append(d.Weight, d.Weight[i])
		d.Count = append(d.Count, d.Count[i])
	}
	return d
}

// TestRLPAgreesWithGLPK: on breast-cancer-wisconsin, HiGHS and GLPK agree on the optimum, the
// training errors and the plane, as far as the optimal plane is unique: the range of every weight
// over all optimal planes is computed.
func TestRLPAgreesWithGLPK(t *testing.T) {
	program, err := exec.LookPath("glpsol")
	if err != nil {
		t.Skip("the executable glpsol is not installed")
	}
	d := sharedData(t, "breast-cancer-wisconsin")
	for _, o := range []RLPOptions{{}, {Perturbed: true}} {
		f, sol, tr := solveRLP(t, o, d)
		values := solveGLPK(t, program, f.Model())
		if r := mio.Check(f.Model(), values, 1e-6); !r.Feasible || math.Abs(r.Objective-sol.Objective) > 1e-6 {
			t.Fatalf("%+v: GLPK %v, HiGHS %v; %v", o, r.Objective, sol.Objective, r.Err())
		}
		other, err := f.Decode(values)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(f.Objective(tr)-sol.Objective) > 1e-6 || math.Abs(f.Objective(other)-sol.Objective) > 1e-6 {
			t.Errorf("%+v: optimum %v, trees %v and %v", o, sol.Objective, f.Objective(tr), f.Objective(other))
		}
		ranges := &featureMin{d: f.d, perturbed: o.Perturbed, eps: f.opts.Eps, box: 1}
		if err := ranges.setBounds(context.Background(), formtest.Solver(t), sol.Objective+1e-9); err != nil {
			t.Fatal(err)
		}
		free := 0
		for jx, j := range f.d.active {
			a, b := sol.Values[f.cols.w+mio.Col(jx)], values[f.cols.w+mio.Col(jx)]
			low, high := ranges.lower[jx], ranges.upper[jx]
			if math.Abs(a-b) > max(1e-6, high-low) {
				t.Errorf("%+v: weight of %s: HiGHS %v, GLPK %v; optimal ones are within [%v, %v]", o, d.Features[j], a, b, low, high)
			}
			if math.Abs(a-b) > 1e-6 {
				free++
			}
		}
		if e, g := tr.Evaluate(d).Errors, other.Evaluate(d).Errors; e != g {
			t.Errorf("%+v: %v training errors with HiGHS, %v with GLPK", o, e, g)
		}
		t.Logf("%s: optimum %.9f, %v training errors, %d features, %d weights differ by more than 1e-6, coefficients over a ratio of %.3g",
			f.Model().Name(), sol.Objective, tr.Evaluate(d).Errors, len(tr.FeaturesUsed()), free, coefficientRatio(f.Model()))
		if ratio := coefficientRatio(f.Model()); ratio > 1e8 {
			t.Errorf("the largest coefficient is %.3g times the smallest", ratio)
		}
	}
}

// solveGLPK returns the values of glpsol's optimum from its plain solution file.
func solveGLPK(t *testing.T, program string, m *mio.Model) []float64 {
	t.Helper()
	dir := t.TempDir()
	model, out := filepath.Join(dir, "m.mps"), filepath.Join(dir, "m.sol")
	if _, err := mps.WriteFile(model, m, mps.Options{}); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command(program, "--freemps", model, "-w", out).CombinedOutput(); err != nil {
		t.Fatalf("glpsol: %v\n%s", err, text)
	}
	file, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	values := make([]float64, m.NumCols())
	for lines := bufio.NewScanner(file); lines.Scan(); {
		f := strings.Fields(lines.Text()) // j column status primal dual
		if len(f) < 4 || f[0] != "j" {
			continue
		}
		at, err := strconv.Atoi(f[1])
		if err != nil {
			t.Fatal(err)
		}
		if at <= len(values) { // beyond: the column of the offset
			if values[at-1], err = strconv.ParseFloat(f[3], 64); err != nil {
				t.Fatal(err)
			}
		}
	}
	return values
}
