package exact

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/plot/plotter"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// published is an instance of Keegan, Forbes, Corry & Abolghasemi (2025), Acceleration techniques for learning
// optimal classification trees with integer programming: the best tree and bound of their programs in an hour of
// Gurobi, and the seconds to the proof of BendOCT and of the fastest variant, infinite without a proof.
type published struct {
	file             string
	depth            int
	lambda           float64 // price of a leaf, as a part of all rows
	objective, bound float64 // of accuracy - lambda leaves, to be maximised
	proved           bool
	plain, best      float64
}

func acceleratedInstances(t *testing.T) []published {
	var all []published
	for _, l := range datatest.Reference(t, "accel-oct") {
		number := func(column int) float64 {
			if l[column] == "" {
				return math.Inf(1)
			}
			v, err := strconv.ParseFloat(l[column], 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		all = append(all, published{strings.TrimSuffix(l[0], ".csv"), int(number(1)), number(2), number(3), number(4), l[5] == "1", number(6), number(7)})
	}
	return all
}

// TestAcceleratedInstances proves the instances of depth 2 and those with at most 250 rows, by default every tenth of
// them; with OCTGEN_LONG=1 all 1,836. No published tree is better, no published bound is below the optimum, and where a proof is published
// the optima agree. With -update it writes docs/tables/accel-oct.md and docs/accel-oct.svg.
func TestAcceleratedInstances(t *testing.T) {
	long := os.Getenv("OCTGEN_LONG") != ""
	data := map[string]*dataset.Dataset{}
	var solved []solvedInstance
	for k, in := range acceleratedInstances(t) {
		ds := data[in.file]
		if ds == nil {
			ds = datatest.Load(t, filepath.Join("accel-oct", in.file))
			data[in.file] = ds
		}
		if small := in.depth == 2 || ds.N() <= 250; !long && (!small || !datatest.All() && k%10 > 0) {
			continue
		}
		n, began := float64(ds.N()), time.Now()
		r, err := Solve(context.Background(), ds, Options{Depth: in.depth, Alpha: in.lambda * n / tree.ErrorScale(ds)})
		if err != nil {
			t.Fatal(err)
		}
		value := 1 - r.Weight/n - in.lambda*float64(r.Splits+1)
		const tolerance = 1e-6 // published values are rounded
		switch name := fmt.Sprintf("%s, depth %d, lambda %v", in.file, in.depth, in.lambda); {
		case r.Status != mio.Optimal:
			t.Errorf("%s: %v", name, r.Status)
		case value < in.objective-tolerance, value > in.bound+tolerance, in.proved && math.Abs(value-in.objective) > tolerance:
			t.Errorf("%s: optimum %v; published: %v, bound %v, proved %v", name, value, in.objective, in.bound, in.proved)
		}
		solved = append(solved, solvedInstance{in, ds.N(), time.Since(began).Seconds(), value > in.objective+tolerance})
	}
	if len(solved) < 90 || long && len(solved) != 1836 {
		t.Errorf("%d instances, expected 90 or more, all 1836 with OCTGEN_LONG=1", len(solved))
	}
	if long && *update {
		writeAccelerated(t, solved)
	}
}

// solvedInstance is an instance with the seconds of the search, and whether the published tree is worse.
type solvedInstance struct {
	published
	rows    int
	seconds float64
	worse   bool
}

// writeAccelerated writes the table by data set and depth, and the share proved over time.
func writeAccelerated(t *testing.T, all []solvedInstance) {
	var table strings.Builder
	groups := slices.Clone(all)
	slices.SortStableFunc(groups, func(a, b solvedInstance) int {
		return cmp.Or(cmp.Compare(a.depth, b.depth), cmp.Compare(a.file, b.file))
	})
	var plain, best, worse, total [5]int
	for len(groups) > 0 {
		g := groups[0]
		var seconds []float64
		p, b, w := 0, 0, 0
		for len(groups) > 0 && groups[0].file == g.file && groups[0].depth == g.depth {
			in := groups[0]
			groups = groups[1:]
			seconds = append(seconds, in.seconds)
			for _, c := range []struct {
				is bool
				n  *int
			}{{in.plain <= 3600, &p}, {in.best <= 3600, &b}, {in.worse, &w}} {
				if c.is {
					*c.n++
				}
			}
		}
		slices.Sort(seconds)
		k := len(seconds)
		plain[g.depth], best[g.depth], worse[g.depth], total[g.depth] = plain[g.depth]+p, best[g.depth]+b, worse[g.depth]+w, total[g.depth]+k
		fmt.Fprintf(&table, "| %s | %d | %d | %d | %.4f | %.3f | %d | %d | %d |\n", strings.TrimSuffix(g.file, "_enc"), g.rows, g.depth, k, seconds[k/2], seconds[k-1], p, b, w)
	}
	var sums strings.Builder
	for depth := 2; depth <= 4; depth++ {
		fmt.Fprintf(&sums, "| %d | %d | %d | %d | %d | %d |\n", depth, total[depth], total[depth], plain[depth], best[depth], worse[depth])
	}
	head := "# The instances of Accelerated BendOCT\n\n" +
		"Made by `OCTGEN_LONG=1 go test ./search/exact -run TestAcceleratedInstances -timeout 60m -args -update`: the exact search, one\n" +
		"thread, every instance to the proof (seconds without reading). Published: 3,600 s of Gurobi for each (Keegan et al. 2025).\n" +
		"Accuracy minus lambda times leaves, 18 lambdas for each data set and depth. Where a proof is published, the optima agree; no\n" +
		"published tree is better, no published bound is wrong. \"Worse\" counts published trees worse than the optimum.\n" +
		"The spec is `experiments/encodings/accel-oct.yaml`. Read in [encodings.md](../encodings.md#the-instances-of-accelerated-bendoct).\n\n" +
		"![share of the instances proved over time](../accel-oct.svg)\n\n" +
		"| depth | instances | search | BendOCT | best variant of each | worse |\n|---:|---:|---:|---:|---:|---:|\n" + sums.String() +
		"\n| dataset | rows | depth | search, proved | median s | greatest s | BendOCT, proved | best variant, proved | worse |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
	if err := os.WriteFile(filepath.Join("..", "..", "docs", "tables", "accel-oct.md"), []byte(head+table.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	lines := []line{{name: "BendOCT, Gurobi"}, {name: "best variant of each, Gurobi"}, {name: "octgen's search"}}
	for s := 0.0001; s <= 3600; s *= 1.1 {
		for k, of := range []func(*solvedInstance) float64{
			func(in *solvedInstance) float64 { return in.plain },
			func(in *solvedInstance) float64 { return in.best },
			func(in *solvedInstance) float64 { return in.seconds },
		} {
			done := 0
			for i := range all {
				if of(&all[i]) <= s {
					done++
				}
			}
			lines[k].xy = append(lines[k].xy, plotter.XY{X: s, Y: math.Max(100*float64(done)/float64(len(all)), 0.01)})
		}
	}
	drawLines(t, "accel-oct.svg", "seconds", "per cent of the instances proved", lines)
}
