package exact_test

import (
	"context"
	"fmt"
	"log"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/search/exact"
)

// Example fits the optimal tree of depth 2 for Iris and proves it optimal.
func Example() {
	ds, err := dataset.Load("../../examples/iris.csv", dataset.LoadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	res, err := exact.Solve(context.Background(), ds, exact.Options{Depth: 2, Alpha: 0.01})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: %v errors, %d splits, objective %.3g, bound %.3g\n", res.Status, res.Errors, res.Splits, res.Objective, res.Bound)
	// Output:
	// optimal: 6 errors, 2 splits, objective 0.08, bound 0.08
}
