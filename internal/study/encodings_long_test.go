//go:build cgo && !nohighs

package study

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/oct"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// encodingData are sets of 0/1 features of the flow paper's collection, and two of numbers.
var encodingData = []string{
	"strongtree/soybean-small", "strongtree/monk1", "strongtree/monk2", "strongtree/monk3", "strongtree/hayes-roth", "strongtree/spect", "strongtree/house-votes-84", "strongtree/breast-cancer", "iris", "wine",
}

// TestEncodingSizes prints docs/tables/encodings-size.md: the programs of depth 2
// of each encoding with what hangs on no machine, sizes and the bound of the linear
// relaxation in errors. That of cut is of its relaxation with the rows that it breaks,
// which must be flow's.
func TestEncodingSizes(t *testing.T) {
	datatest.Long(t)
	ctx := context.Background()
	highs, err := solvers.Lookup("highs")
	if err != nil {
		t.Fatal(err)
	}
	lp := solvers.Func(highs, solvers.Options{Threads: 1})
	fmt.Println("| data | rows | encoding | rows of the program | columns | binaries | nonzeros | relaxation |\n|---|---:|---|---:|---:|---:|---:|---:|")
	for _, name := range encodingData {
		ds := datatest.Load(t, name)
		bounds := map[formulate.Encoding]float64{}
		for _, e := range oct.Encodings() {
			if facts := oct.FactsOf(e); facts.BelowTrees || facts.Indicators {
				continue
			}
			f, err := oct.Options{Depth: 2, MinLeaf: 1, Encoding: e, OmitNames: true}.Build(ctx, ds) // as octgen mps has it
			if err != nil {
				t.Fatal(err)
			}
			m, rows := f.Model(), fmt.Sprint(f.Model().NumRows())
			if lazy, ok := formulate.Lazy(f); ok {
				root, err := formulate.RootRows(ctx, lazy, lp)
				if err != nil {
					t.Fatal(err)
				}
				bounds[e] = root.Bound
				rows = fmt.Sprintf("%d, %d lazy, %d found", m.NumRows()-m.NumLazy(), m.NumLazy(), len(root.Rows))
			} else {
				sol, err := lp(ctx, m.Relaxed())
				if err != nil || sol.Status != mio.Optimal {
					t.Fatalf("%s, %s: %v, %v", name, e, sol, err)
				}
				bounds[e] = sol.Bound
			}
			fmt.Printf("| %s | %d | `%s` | %s | %d | %d | %d | %.2f |\n", strings.TrimPrefix(name, "strongtree/"), ds.N(), e, rows, m.NumCols(), m.NumDiscrete(), m.NumNonzeros(), max(0, bounds[e]*f.Lhat()))
		}
		if d := bounds[oct.Flow] - bounds[oct.Cut]; d > 1e-3 || d < -1e-6 {
			t.Errorf("%s: the relaxation of cut has %v, that of flow %v", name, bounds[oct.Cut], bounds[oct.Flow])
		}
	}
}
