//go:build cgo && !nohighs

package highs_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/highs"
)

// HiGHS's own reading and writing of files are there to compare with: what it makes of
// a model as a file is what it makes of the model.
func Example() {
	ctx := context.Background()
	b := mio.NewBuilder("two")
	sum := b.AddRow(1, mio.Inf, "sum")
	b.Add(sum, b.AddBinary(3, "x"), 1)
	b.Add(sum, b.AddBinary(2, "y"), 1)
	m, err := b.Model()
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "octgen")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "two.mps")
	if err := highs.WriteModel(ctx, m, path); err != nil {
		log.Fatal(err)
	}
	columns, rows, nonzeros, err := highs.ReadModel(ctx, path)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rows, "row,", columns, "columns,", nonzeros, "nonzeros")

	file, err := highs.SolveFile(ctx, path, solvers.Options{})
	if err != nil {
		log.Fatal(err)
	}
	own, err := highs.New().Solve(ctx, m, solvers.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(file.Solution.Status, file.Solution.Objective, "and", own.Status, own.Objective)
	// Output:
	// 1 row, 2 columns, 2 nonzeros
	// optimal 2 and optimal 2
}
