package alternating_test

import (
	"context"
	"fmt"
	"log"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/heuristics/alternating"
)

// One hyperplane separates what takes several univariate splits.
func Example() {
	ds, err := dataset.New(
		[]float64{0, 3, 1, 2, 2, 1, 3, 0, 1, 3, 2, 2, 3, 1},
		[]int{0, 0, 0, 0, 1, 1, 1},
		[]string{"length", "width"}, []string{"short", "long"},
	)
	if err != nil {
		log.Fatal(err)
	}
	r, err := alternating.Search(context.Background(), ds, alternating.Options{Depth: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Tree.Evaluate(ds).Errors, "errors")
	// Output: 0 errors
}
