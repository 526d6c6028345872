//go:build cgo && !nohighs

package oct_test

import (
	"context"
	"fmt"
	"log"

	"github.com/octgen/octgen/formulate/oct"
	"github.com/octgen/octgen/solvers"
	_ "github.com/octgen/octgen/solvers/highs"
)

// Decode converts a solver's values to a tree.
func ExampleFormulation_Decode() {
	ctx, ds := context.Background(), stems()
	f, err := oct.Options{Depth: 2, Alpha: 0.1}.Build(ctx, ds)
	if err != nil {
		log.Fatal(err)
	}
	solver, err := solvers.Lookup("highs")
	if err != nil {
		log.Fatal(err)
	}
	solution, err := solver.Solve(ctx, f.Model(), solvers.Options{})
	if err != nil {
		log.Fatal(err)
	}
	t, err := f.Decode(solution.Values)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: %d splits, %.0f errors\n", solution.Status, t.Splits(), t.Evaluate(ds).Errors)
	// Output: optimal: 2 splits, 0 errors
}
