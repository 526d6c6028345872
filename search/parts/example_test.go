//go:build cgo && !nohighs

package parts_test

import (
	"context"
	"fmt"
	"log"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/search/parts"
	"github.com/octgen/octgen/solvers"
	_ "github.com/octgen/octgen/solvers/highs"
)

// The corners of a square, with opposite corners in one class: a line classifies three correctly,
// two lines classify all.
func ExampleProve() {
	ds, err := dataset.New([]float64{0, 0, 1, 1, 0, 1, 1, 0}, []int{0, 0, 1, 1}, []string{"x", "y"}, []string{"even", "odd"})
	if err != nil {
		log.Fatal(err)
	}
	highs, err := solvers.Lookup("highs")
	if err != nil {
		log.Fatal(err)
	}
	solve := func(ctx context.Context, m *mio.Model, l parts.Limits) (*mio.Solution, error) {
		return highs.Solve(ctx, m, solvers.Options{Threads: 1, AbsGap: l.AbsGap})
	}
	for depth := 1; depth <= 2; depth++ {
		r, err := parts.Prove(context.Background(), ds, parts.Options{Form: hyperplane.Options{Depth: depth}, Solve: solve})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("depth %d: %s, %v errors, proved by %s\n", depth, r.Status, r.Tree.Evaluate(ds).ErrorWeight, r.By)
	}
	// Output:
	// depth 1: optimal, 1 errors, proved by cells
	// depth 2: optimal, 0 errors, proved by data
}
