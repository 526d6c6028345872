package oc1_test

import (
	"context"
	"fmt"
	"log"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/heuristics/oc1"
)

// One line separates the two classes; a univariate tree follows it in steps.
func ExampleGrow() {
	var x []float64
	var y []int
	for a := range 10 {
		for b := range 10 {
			x = append(x, float64(a), float64(b))
			class := 0
			if 3*a+2*b > 24 {
				class = 1
			}
			y = append(y, class)
		}
	}
	ds, err := dataset.New(x, y, []string{"a", "b"}, []string{"below", "above"})
	if err != nil {
		log.Fatal(err)
	}
	for _, o := range []oc1.Options{{AxisOnly: true}, {Impurity: oc1.InformationGain, Order: oc1.Random50}} {
		o.Holdout = -1 // grow on all rows, no pruning
		grown, err := oc1.Grow(context.Background(), ds, o)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(grown.Tree.Splits(), "splits,", grown.Tree.Evaluate(ds).Errors, "errors")
	}
	// Output:
	// 13 splits, 0 errors
	// 1 splits, 0 errors
}
