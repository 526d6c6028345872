package prices_test

import (
	"context"
	"fmt"
	"log"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/search/prices"
	"github.com/octgen/octgen/tree/constraint"
)

// The best stump predicts 1 for the last three rows. If at most one row may be predicted 1, the
// best stump keeps the highest.
func Example() {
	ds, err := dataset.New([]float64{1, 2, 3, 4, 5}, []int{0, 0, 1, 1, 1}, []string{"x"}, []string{"0", "1"})
	if err != nil {
		log.Fatal(err)
	}
	share := constraint.Row{Text: "at most one row is called 1", Class: 1, G: ds.Weight, H: 1}
	r, err := prices.Solve(context.Background(), ds, prices.Options{Depth: 1, Rows: []constraint.Row{share}, Step: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v: x < %v, objective %v\n", r.Status, r.Tree.Nodes[0].Split.Threshold, r.Objective)
	// Output: optimal: x < 4.5, objective 1
}
