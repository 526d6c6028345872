//go:build cgo && !nohighs

package solvers_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
	_ "github.com/octgen/octgen/solvers/highs" // registers itself
)

// A solver is looked up by its name; how its work ended is a status, not an error.
func Example() {
	b := mio.NewBuilder("two")
	sum := b.AddRow(1, mio.Inf, "sum")
	b.Add(sum, b.AddBinary(3, "x"), 1)
	b.Add(sum, b.AddBinary(2, "y"), 1)
	m, err := b.Model()
	if err != nil {
		log.Fatal(err)
	}
	s, err := solvers.Lookup("highs")
	if err != nil {
		log.Fatal(err)
	}
	sol, err := s.Solve(context.Background(), m, solvers.Options{TimeLimit: time.Minute, Start: []float64{1, 0}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sol.Status, sol.Values, "objective", sol.Objective, "bound", sol.Bound)
	// Output:
	// optimal [0 1] objective 2 bound 2
}
