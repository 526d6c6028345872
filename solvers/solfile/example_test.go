package solfile_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers/solfile"
)

// A solver elsewhere gets a start as a file, and its solution comes back as one.
func Example() {
	b := mio.NewBuilder("two")
	sum := b.AddRow(1, mio.Inf, "sum")
	b.Add(sum, b.AddBinary(3, "x"), 1)
	b.Add(sum, b.AddBinary(2, "y"), 1)
	m, err := b.Model()
	if err != nil {
		log.Fatal(err)
	}
	if err := solfile.WriteStart(os.Stdout, solfile.Gurobi, m, nil, []float64{1, 0}, solfile.StartOptions{}); err != nil {
		log.Fatal(err)
	}

	sol, err := solfile.Read(strings.NewReader("# Objective value = 2\nx 0\ny 1\n"), "two.sol", solfile.Gurobi, m, nil, solfile.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sol.Values, "of objective", sol.Objective, "as the file says")
	fmt.Println("feasible:", mio.Check(m, sol.Values, 1e-6).Feasible)
	// Output:
	// # MIP start for model two
	// x 1
	// y 0
	// [0 1] of objective 2 as the file says
	// feasible: true
}
