//go:build cgo && !nohighs

package vertex

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/linear"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/tree"
)

// houseAsNumbers is house-votes-84 with y, n and empty as 2, -2 and 0, the coding of Bredensteiner
// & Bennett (1996).
func houseAsNumbers(t *testing.T) *dataset.Dataset {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(datatest.Dir(t), "house-votes-84.csv"))
	if err != nil {
		t.Fatal(err)
	}
	code := map[string]string{"y": "2", "n": "-2", "": "0"}
	lines := bytes.Split(bytes.TrimSpace(raw), []byte("\n"))
	for k, line := range lines[1:] {
		fields := bytes.Split(bytes.TrimSpace(line), []byte(","))
		for j, f := range fields[:len(fields)-1] {
			fields[j] = []byte(code[string(f)])
		}
		lines[1+k] = bytes.Join(fields, []byte(","))
	}
	path := filepath.Join(t.TempDir(), "house.csv")
	if err := os.WriteFile(path, append(bytes.Join(lines, []byte("\n")), '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	ds, err := dataset.Load(path, dataset.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// TestStudyFeatureMin prints Table 2 of Bredensteiner & Bennett (1996) with octgen's results:
// ten-fold cross-validation of a single split, testing error / features, and the proven minimum
// number of features if HiGHS proves it within ten seconds per fold.
func TestStudyFeatureMin(t *testing.T) {
	datatest.Long(t)
	ctx, lp := context.Background(), highsLP(t)
	solver, err := solvers.Lookup("highs")
	if err != nil {
		t.Fatal(err)
	}
	table := "| data | method | paper | ours | features: ours, optimum (folds proved) |\n|---|---|---:|---:|---:|\n"
	for _, d := range []struct {
		name  string
		ds    *dataset.Dataset
		paper [4]string
		exact bool
	}{
		{"heart", datatest.Load(t, "heart-cleveland"), [4]string{"16.5 / 13.0", "16.8 / 6.2", "16.8 / 12.4", "19.5 / 4.9"}, true},
		{"cancer", datatest.Load(t, "breast-cancer-wisconsin"), [4]string{"2.8 / 9.0", "3.4 / 5.6", "2.8 / 8.7", "3.5 / 4.9"}, true},
		{"house", houseAsNumbers(t), [4]string{"4.8 / 15.8", "4.4 / 9.3", "5.1 / 11.9", "5.3 / 1.0"}, true},
		{"sonar", datatest.Load(t, "sonar"), [4]string{"26.4 / 55.5", "27.4 / 29.7", "26.4 / 38.8", "27.9 / 18.1"}, false},
	} {
		var wrong, used, optimum, beside [4]float64
		var proved [4]int
		for _, s := range foldPairs(t, d.ds, 10, 1) {
			score := func(k int, u *tree.Tree) float64 {
				wrong[k] += u.Evaluate(s[1]).Errors
				used[k] += float64(len(u.FeaturesUsed())) / 10
				return float64(len(u.FeaturesUsed()))
			}
			for k, perturbed := range []bool{false, true} {
				f, err := linear.RLPOptions{Perturbed: perturbed, OmitNames: true}.Build(ctx, s[0])
				if err != nil {
					t.Fatal(err)
				}
				sol, err := lp(ctx, f.Model())
				if err != nil || sol.Status != mio.Optimal {
					t.Fatal(err, sol)
				}
				u, err := f.Decode(sol.Values)
				if err != nil {
					t.Fatal(err)
				}
				score(2*k, u)
				res, err := FeatureMin(ctx, s[0], FeatureMinOptions{Perturbed: perturbed, LP: lp})
				if err != nil {
					t.Fatal(err)
				}
				own := score(2*k+1, res.Tree)
				if !d.exact {
					continue
				}
				fm, err := linear.FMOptions{Perturbed: perturbed, LP: lp, OmitNames: true}.Build(ctx, s[0])
				if err != nil {
					t.Fatal(err)
				}
				best, err := solver.Solve(ctx, fm.Model(), solvers.Options{Threads: 1, TimeLimit: 10 * time.Second})
				if err != nil {
					t.Fatal(err)
				}
				if best.Status == mio.Optimal {
					proved[2*k+1]++
					optimum[2*k+1] += best.Objective
					beside[2*k+1] += own
				}
			}
		}
		for k, method := range []string{"RLP", "FM_RLP", "RLP-P", "FM_RLP-P"} {
			exact := ""
			if n := float64(proved[k]); n > 0 {
				exact = fmt.Sprintf("%.1f, %.1f (%d)", beside[k]/n, optimum[k]/n, proved[k])
			}
			table += fmt.Sprintf("| %s | %s | %s | %.1f / %.1f | %s |\n", d.name, method, d.paper[k], 100*wrong[k]/float64(d.ds.N()), used[k], exact)
		}
	}
	t.Log("\n" + table)
}
