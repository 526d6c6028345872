package sparse

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
)

// TestStudy runs all sets and prices per leaf of GOSDT's repository, 30 s each.
func TestStudy(t *testing.T) {
	datatest.Long(t)
	files, err := filepath.Glob(filepath.Join(datatest.Dir(t), "sparse", "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	proved, logs, alone, tried := 0, 0.0, 0.0, 0.0
	for _, file := range files {
		ds, err := dataset.Load(file, dataset.LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, price := range []float64{0.1, 0.05, 0.02, 0.01, 0.005} {
			if os.Getenv("HARD") == "" && strings.Contains(file, "compas-proc") && price < 0.05 {
				continue
			}
			ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
			n := float64(ds.N())
			r, err := Solve(ctx, ds, Options{Alpha: price * n / ds.Baseline()})
			cancel()
			if err != nil {
				t.Fatal(err)
			}
			gosdt := func(v float64) float64 { return v*ds.Baseline()/n + price }
			fmt.Printf("%-18s %-6v %9.6f %9.6f %8.3fs %v nodes %d cuts %d work %d sets %d\n", filepath.Base(file), price, gosdt(r.Objective), gosdt(r.Bound), r.Runtime.Seconds(), r.Status, r.Stats.Nodes, r.Stats.Cuts, r.Stats.Work, r.Stats.Sets)
			tried++
			if r.Status == mio.Optimal {
				proved++
			}
			logs += math.Log(max(0.001, r.Runtime.Seconds()))
			alone += math.Log(max(0.001, (r.Runtime - r.Prepared).Seconds()))
		}
	}
	fmt.Printf("%d proved, geometric mean %.4f s, of the search alone %.4f s\n", proved, math.Exp(logs/tried), math.Exp(alone/tried))
}
