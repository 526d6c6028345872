package mio_test

import (
	"fmt"
	"log"

	"github.com/octgen/octgen/mio"
)

// A model is put together in the order of its mathematics: which of three items to
// take, of weight 4, 3 and 2 and value 5, 4 and 3, into a bag for a weight of 6.
func Example() {
	weights, values := []float64{4, 3, 2}, []float64{5, 4, 3}
	b := mio.NewBuilder("knapsack")
	b.SetSense(mio.Maximize)
	bag := b.AddRow(-mio.Inf, 6, "bag")
	for i := range weights {
		take := b.AddBinary(values[i], "take", i+1)
		b.Add(bag, take, weights[i])
	}
	m, err := b.Model() // and what went wrong on the way
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d row, %d columns, %d nonzeros\n", m.NumRows(), m.NumCols(), m.NumNonzeros())

	for _, x := range [][]float64{{1, 0, 1}, {1, 1, 0.5}} {
		report := mio.Check(m, x, 1e-6)
		fmt.Printf("%v: objective %v, %v\n", x, report.Objective, report.Err())
	}
	// Output:
	// 1 row, 3 columns, 3 nonzeros
	// [1 0 1]: objective 8, <nil>
	// [1 1 0.5]: objective 10.5, mio: infeasible point: row bag is violated by 2
}
