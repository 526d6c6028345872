package oct_test

import (
	"context"
	"fmt"
	"log"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/oct"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// stems returns eight rows of one feature whose classes two splits separate.
func stems() *dataset.Dataset {
	ds, err := dataset.New(
		[]float64{1, 2, 3, 4, 5, 6, 7, 8},
		[]int{0, 0, 0, 1, 1, 1, 0, 0},
		[]string{"stem"}, []string{"flax", "rye"},
	)
	if err != nil {
		log.Fatal(err)
	}
	return ds
}

// A formulation is a model with the conversions between trees and its points.
func Example() {
	ctx, ds := context.Background(), stems()
	f, err := oct.Options{Depth: 2, Alpha: 0.1}.Build(ctx, ds)
	if err != nil {
		log.Fatal(err)
	}
	m := f.Model()
	fmt.Printf("%d columns, %d rows; the best leaf errs by %v\n", m.NumCols(), m.NumRows(), f.Lhat())

	t := tree.NewLeaf(ds, 0)
	t.Grow(0, tree.Univariate(0, 3.2), 0, 1) // left flax, right rye
	x, err := f.Start(ctx, t)
	if err != nil {
		log.Fatal(err)
	}
	point := mio.Check(m, x, 1e-9)
	fmt.Printf("feasible: %v, objective %.2f, that of the tree %.2f\n", point.Feasible, point.Objective, f.Objective(t))

	// The warm start is no worse than the tree: its last level is re-optimised.
	better, err := f.Decode(x)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(better)
	// Output:
	// 34 columns, 45 rows; the best leaf errs by 3
	// feasible: true, objective 0.20, that of the tree 0.77
	// |--- stem < 3.5
	// |   |--- class: flax (n=3, counts=[3, 0])
	// |--- stem >= 3.5
	// |   |--- stem < 6.5
	// |   |   |--- class: rye (n=3, counts=[0, 3])
	// |   |--- stem >= 6.5
	// |   |   |--- class: flax (n=2, counts=[2, 0])
}

// Inspect describes a model before it is built.
func ExampleOptions_Inspect() {
	in, err := oct.Options{Depth: 2}.Inspect(context.Background(), stems())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d columns (%d binary), %d rows, %d nonzeros\n", in.Size.Cols, in.Size.Binaries, in.Size.Rows, in.Size.Nonzeros)
	fmt.Println(in.Tightenings)
	fmt.Println(in.Proof)
	// Output:
	// 34 columns (7 binary), 45 rows, 114 nonzeros
	// [continuous-last thin-last sibling-labels group-points label-pairs blocks]
	// realistic, in seconds to minutes
}
