package localsearch_test

import (
	"context"
	"fmt"
	"log"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/heuristics/localsearch"
)

// The class is a xor b; c is nearly the class, which misleads a greedy tree.
func ExampleSearch() {
	ds, err := dataset.New([]float64{
		0, 0, 0,
		0, 1, 1,
		1, 0, 1,
		1, 1, 0,
		0, 0, 1,
		0, 1, 1,
		1, 0, 0,
		1, 1, 0,
	}, []int{0, 1, 1, 0, 0, 1, 1, 0}, []string{"a", "b", "c"}, []string{"even", "odd"})
	if err != nil {
		log.Fatal(err)
	}
	grown, err := cart.Grow(context.Background(), ds, cart.Options{MaxDepth: 2})
	if err != nil {
		log.Fatal(err)
	}
	found, err := localsearch.Search(context.Background(), ds, localsearch.Options{Depth: 2})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("CART:", grown.Tree.Evaluate(ds).Errors, "errors")
	fmt.Println("local search:", found.Tree.Evaluate(ds).Errors, "errors")
	// Output:
	// CART: 2 errors
	// local search: 0 errors
}
