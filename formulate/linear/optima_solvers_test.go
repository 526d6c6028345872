//go:build cgo && !nohighs

package linear

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// sharedData returns a real dataset; for house-votes-84 all rows, with y = 2, n = -2 and missing =
// 0, the coding of Bredensteiner & Bennett.
func sharedData(t *testing.T, name string) *dataset.Dataset {
	t.Helper()
	if name != "house-votes-84" {
		return datatest.Load(t, name)
	}
	d, err := dataset.Load(filepath.Join(datatest.Dir(t), name+".csv"), dataset.LoadOptions{Codes: "y=2,n=-2,?=0"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// fmOptima are the optima of problem (7): delta = 1.1 times the LP optimum, all complete rows,
// standardised features. TestFMExhaustive computes them by enumeration.
var fmOptima = []struct {
	data      string
	perturbed bool
	features  int
}{
	{"breast-cancer-wisconsin", false, 6},
	{"breast-cancer-wisconsin", true, 4},
	{"heart-cleveland", false, 6},
	{"heart-cleveland", true, 4},
	{"house-votes-84", false, 8},
	{"house-votes-84", true, 1},
}

// TestFMOptima solves problem (7) of the paper to proven optimality.
func TestFMOptima(t *testing.T) {
	lp, ctx := formtest.Solver(t), context.Background()
	for _, c := range fmOptima {
		name := c.data
		if c.perturbed {
			name += " rlp-p"
		}
		t.Run(name, func(t *testing.T) {
			d := sharedData(t, c.data)
			began := time.Now()
			f, err := FMOptions{Perturbed: c.perturbed, LP: lp}.Build(ctx, d)
			if err != nil {
				t.Fatal(err)
			}
			built := time.Since(began)
			began = time.Now()
			sol, err := lp(ctx, f.Model())
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d merged rows, LP optimum %.6f, delta %.6f: %v features, %s, bound %v, %s; weights within [%.2f, %.2f]; bounds %.1f s, solve %.1f s, %d nodes",
				f.d.n, f.LeastError(), f.Delta(), sol.Objective, sol.Status, sol.Bound, f.Scope(), slices.Min(f.lower), slices.Max(f.upper), built.Seconds(), time.Since(began).Seconds(), sol.Nodes)
			tr, err := f.Decode(sol.Values)
			if err != nil {
				t.Fatal(err)
			}
			if sol.Status != mio.Optimal || math.Round(sol.Objective) != float64(c.features) || f.Objective(tr) != float64(c.features) {
				t.Errorf("%s with %v features, the tree has %v; expected %d", sol.Status, sol.Objective, f.Objective(tr), c.features)
			}
			t.Logf("features %v, error %.6f, %v training errors", tr.FeaturesUsed(), f.Error(tr), tr.Evaluate(d).Errors)
			if len(f.Boxed()) > 0 {
				t.Errorf("the weights of %v are not bounded by the data", f.Boxed())
			}
			checkBilinear(t, d, f, tr)
			if ratio := coefficientRatio(f.Model()); ratio > 1e8 {
				t.Errorf("the largest coefficient is %.3g times the smallest", ratio)
			}
		})
	}
}

// coefficientRatio returns the ratio of the largest to the smallest absolute value of a
// coefficient.
func coefficientRatio(m *mio.Model) float64 {
	_, _, values := m.Matrix()
	low, high := math.Inf(1), 0.0
	for _, v := range values {
		low, high = min(low, math.Abs(v)), max(high, math.Abs(v))
	}
	return high / low
}

// TestFMExhaustive compares FM with the minimum errors over all sets of features: for eight
// features of each dataset, with OCTGEN_LONG for all.
func TestFMExhaustive(t *testing.T) {
	lp, ctx := formtest.Solver(t), context.Background()
	long := os.Getenv("OCTGEN_LONG") != ""
	for _, c := range fmOptima {
		name := c.data
		if c.perturbed {
			name += " rlp-p"
		}
		t.Run(name, func(t *testing.T) {
			whole := sharedData(t, c.data)
			var some, odd []int // eight features: those with even index first
			for j := range whole.P() {
				if j%2 == 0 {
					some = append(some, j)
				} else {
					odd = append(odd, j)
				}
			}
			some = append(some, odd...)[:8]
			sets := [][]int{some}
			if long {
				all := make([]int, whole.P())
				for j := range all {
					all[j] = j
				}
				sets = append(sets, all)
			}
			for _, features := range sets {
				d := whole.WithFeatures(features)
				f, err := FMOptions{Perturbed: c.perturbed, LP: lp}.Build(ctx, d)
				if err != nil {
					t.Fatal(err)
				}
				sol, err := lp(ctx, f.Model())
				if err != nil || sol.Status != mio.Optimal {
					t.Fatalf("%+v, %v", sol, err)
				}
				best := enumerate(t, d, c.perturbed, f.Delta())
				if got := int(math.Round(sol.Objective)); got != len(best)-1 {
					t.Errorf("features %v: %d of them, enumeration %d: %v, delta %v", features, got, len(best)-1, best, f.Delta())
				}
				if len(features) == whole.P() && len(best)-1 != c.features {
					t.Errorf("enumeration: %d features, expected %d", len(best)-1, c.features)
				}
				t.Logf("features %v: %d, least errors %.4f, delta %.4f", features, len(best)-1, best, f.Delta())
			}
		})
	}
}

// checkBilinear: at the optimal nu, the paper's bilinear problem has the value 0 at the solution.
func checkBilinear(t *testing.T, d *dataset.Dataset, f *FM, tr *tree.Tree) {
	t.Helper()
	ctx := context.Background()
	b, err := FMOptions{Perturbed: f.perturbed, Nu: len(tr.FeaturesUsed()), Delta: f.Delta(), Encoding: formulate.Bilinear}.Build(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	x, err := b.Start(ctx, tr)
	if err != nil {
		t.Fatal(err)
	}
	if r := mio.Check(b.Model(), x, 1e-9); !r.Feasible || r.Objective != 0 {
		t.Errorf("bilinear evaluates to %v; %v", r.Objective, r.Err())
	}
}
