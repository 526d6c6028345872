package cart_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/tree"
)

// loans are nine applicants by income and debt, in thousands.
func loans() *dataset.Dataset {
	ds, err := dataset.New([]float64{
		20, 1, 30, 2, 45, 30, 50, 5, 60, 40, 65, 8, 80, 70, 90, 10, 95, 60,
	}, []int{0, 0, 0, 1, 0, 1, 0, 1, 1}, []string{"income", "debt"}, []string{"refuse", "grant"})
	if err != nil {
		log.Fatal(err)
	}
	return ds
}

func ExampleGrow() {
	ds := loans()
	grown, err := cart.Grow(context.Background(), ds, cart.Options{MaxDepth: 3})
	if err != nil {
		log.Fatal(err)
	}
	if err := grown.Tree.WriteText(os.Stdout, tree.Format{}); err != nil {
		log.Fatal(err)
	}
	fmt.Println("errors:", grown.Tree.Evaluate(ds).Errors)
	// Output:
	// |--- income < 47.5
	// |   |--- class: refuse (n=3, counts=[3, 0])
	// |--- income >= 47.5
	// |   |--- debt < 25
	// |   |   |--- class: grant (n=3, counts=[0, 3])
	// |   |--- debt >= 25
	// |   |   |--- income < 87.5
	// |   |   |   |--- class: refuse (n=2, counts=[2, 0])
	// |   |   |--- income >= 87.5
	// |   |   |   |--- class: grant (n=1, counts=[0, 1])
	// errors: 0
}

// The subtrees of a grown tree from which cost-complexity pruning chooses.
func ExampleCostComplexity() {
	grown, err := cart.Grow(context.Background(), loans(), cart.Options{})
	if err != nil {
		log.Fatal(err)
	}
	path, err := cart.CostComplexity(grown.Tree, tree.Misclassification)
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range path.Steps {
		fmt.Printf("from alpha %.3f on: %d splits, risk %.3f\n", s.Alpha, s.Splits, s.Risk)
	}
	// Output:
	// from alpha 0.000 on: 3 splits, risk 0.000
	// from alpha 0.111 on: 1 splits, risk 0.222
	// from alpha 0.222 on: 0 splits, risk 0.444
}

// A penalty per split of 0.3 of the errors of a single leaf leaves one of three splits.
func ExampleBestSubtree() {
	ds := loans()
	grown, err := cart.Grow(context.Background(), ds, cart.Options{})
	if err != nil {
		log.Fatal(err)
	}
	t := cart.BestSubtree(ds, grown.Tree, 0.3, -1, -1)
	fmt.Printf("%d of %d splits, objective %.2f\n", t.Splits(), grown.Tree.Splits(), t.Objective(ds, 0.3))
	// Output:
	// 1 of 3 splits, objective 0.80
}
