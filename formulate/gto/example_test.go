package gto_test

import (
	"context"
	"fmt"
	"log"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/gto"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// A structure is a tree without its decisions, which the solver finds.
func Example() {
	ctx := context.Background()
	ds, err := dataset.New(
		[]float64{0, 0, 0, 1, 4, 0, 4, 1, 8, 0, 8, 1},
		[]int{0, 0, 1, 1, 0, 0},
		[]string{"x", "y"}, []string{"sand", "clay"},
	)
	if err != nil {
		log.Fatal(err)
	}
	structure, err := gto.ParseStructure("(sand,(clay,sand))", ds.Classes)
	if err != nil {
		log.Fatal(err)
	}
	f, err := gto.Options{Structure: structure, Objective: gto.CountError}.Build(ctx, ds)
	if err != nil {
		log.Fatal(err)
	}
	needs := f.Needs()
	fmt.Printf("encoding %s, binary columns: %v\n", needs.Encoding, needs.Discrete)

	t := tree.NewLeaf(ds, 0)
	_, right := t.Grow(0, tree.Univariate(0, 2), 0, 0)
	t.Grow(right, tree.Univariate(0, 5), 1, 0)
	x, err := f.Start(ctx, t)
	if err != nil {
		log.Fatal(err)
	}
	point := mio.Check(f.Model(), x, 1e-9)
	fmt.Printf("feasible: %v, %v errors; the box |w| <= %v binds: %v\n", point.Feasible, point.Objective, gto.DefaultBox, f.BoxBinding(x))
	fmt.Println("no tree outside the box is better:", f.BoxExact(point.Objective))

	back, err := f.Decode(x)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(gto.StructureOf(back).Text(ds.Classes), "errs at", back.Evaluate(ds).Errors, "rows")
	// Output:
	// encoding mio, binary columns: true
	// feasible: true, 0 errors; the box |w| <= 100 binds: false
	// no tree outside the box is better: true
	// (sand,(clay,sand)) errs at 0 rows
}
