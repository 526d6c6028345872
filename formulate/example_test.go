package formulate_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/linear"
	"github.com/octgen/octgen/formulate/oct"
	"github.com/octgen/octgen/tree"
)

// All formulations have the same interface, and report where a tree does not fit.
func Example() {
	ctx := context.Background()
	ds, err := dataset.New([]float64{1, 2, 3, 4, 5, 6}, []int{0, 0, 1, 1, 0, 0}, []string{"age"}, []string{"no", "yes"})
	if err != nil {
		log.Fatal(err)
	}
	deep, err := oct.Options{Depth: 2}.Build(ctx, ds)
	if err != nil {
		log.Fatal(err)
	}
	flat, err := linear.RLPOptions{}.Build(ctx, ds)
	if err != nil {
		log.Fatal(err)
	}

	t := tree.NewLeaf(ds, 0)
	_, right := t.Grow(0, tree.Univariate(0, 2.5), 0, 1)
	t.Grow(right, tree.Univariate(0, 4.5), 1, 0)
	for _, f := range []formulate.Formulation{deep, flat} {
		x, err := f.Start(ctx, t)
		if no := (*formulate.NoStartError)(nil); errors.As(err, &no) {
			fmt.Printf("%s: node %d: %s\n", f.Model().Name(), no.Node, no.Reason)
			continue
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: objective %v\n", f.Model().Name(), f.Model().Objective(x))
	}
	// Output:
	// oct: objective 0
	// rlp: node 2: a second split; the model has only one
}
