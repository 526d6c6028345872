package hyperplane_test

import (
	"context"
	"fmt"
	"log"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// One hyperplane replaces three univariate splits.
func Example() {
	ctx := context.Background()
	ds, err := dataset.New(
		[]float64{0, 3, 1, 2, 2, 1, 3, 0, 1, 3, 2, 2, 3, 1},
		[]int{0, 0, 0, 0, 1, 1, 1},
		[]string{"length", "width"}, []string{"short", "long"},
	)
	if err != nil {
		log.Fatal(err)
	}
	f, err := hyperplane.Options{Depth: 1, Alpha: 0.01}.Build(ctx, ds)
	if err != nil {
		log.Fatal(err)
	}

	t := tree.NewLeaf(ds, 0)
	t.Grow(0, &tree.Split{
		Terms:     []tree.Term{{Feature: 0, Weight: 1}, {Feature: 1, Weight: 1}},
		Threshold: 3.4, // length + width < 3.4
	}, 0, 1)
	x, err := f.Start(ctx, t)
	if err != nil {
		log.Fatal(err)
	}
	point := mio.Check(f.Model(), x, 1e-9)
	fmt.Printf("feasible: %v, objective %.2f\n", point.Feasible, point.Objective)

	back, err := f.Decode(x)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(back)
	fmt.Printf("margin %.3f on features scaled to [0, 1], required: at least %v\n", f.LeastMargin(back), hyperplane.DefaultMu)
	// Output:
	// feasible: true, objective 0.02
	// |--- 0.167*length + 0.167*width < 0.583
	// |   |--- class: short (n=4, counts=[4, 0])
	// |--- 0.167*length + 0.167*width >= 0.583
	// |   |--- class: long (n=3, counts=[0, 3])
	// margin 0.167 on features scaled to [0, 1], required: at least 0.005
}
