package large

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/octgen/octgen/dataset"
)

// ruleData returns n rows of p features, each the sum of three uniform numbers rounded to 3 digits, and
// classes by a rule of two levels, 15 % of them wrong.
func ruleData(n, p int) *dataset.Dataset {
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := make([]float64, n*p), make([]int, n)
	for i := range x {
		x[i] = math.Round(1000*(rng.Float64()+rng.Float64()+rng.Float64())) / 1000
	}
	for i := range y {
		row := x[i*p : (i+1)*p]
		if row[0] < 1.4 && row[1] < 1.6 || row[0] >= 1.4 && row[2] < 1.3 {
			y[i] = 1
		}
		if rng.Float64() < 0.15 {
			y[i] = 1 - y[i]
		}
	}
	names := make([]string, p)
	for j := range names {
		names[j] = fmt.Sprintf("x%d", j+1)
	}
	ds, err := dataset.New(x, y, names, []string{"a", "b"})
	if err != nil {
		panic(err)
	}
	return ds
}

// BenchmarkSolve proves trees of two levels; with OCTGEN_LARGE=3, which takes minutes, of three.
func BenchmarkSolve(b *testing.B) {
	depth := 2
	if os.Getenv("OCTGEN_LARGE") == "3" {
		depth = 3
	}
	for _, n := range []int{100_000, 1_000_000} {
		b.Run(fmt.Sprintf("rows=%d/depth=%d", n, depth), func(b *testing.B) {
			ds := ruleData(n, 10)
			b.ReportAllocs()
			for b.Loop() {
				if r := Solve(New(ds), Options{Depth: depth, Step: 1, Tol: 1e-6}, math.Inf(1)); r.Ended {
					b.Fatal(r)
				}
			}
		})
	}
}
