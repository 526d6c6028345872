//go:build cgo && !nohighs

package fit_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/highs"
	"github.com/octgen/octgen/solvers/solfile"
)

// The same problem as a mixed-integer program, solved by HiGHS (which registers itself
// when its package is imported) without a start, and held against the exact search.
func ExampleRun_program() {
	ds, err := dataset.Load("../examples/iris.csv", dataset.LoadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	res, err := fit.Run(context.Background(), ds, fit.Options{
		Method:     &problem.OCT{Shape: problem.Shape{Levels: problem.Levels{Depth: 1}}},
		Solver:     highs.New().Name(),
		Start:      "none",
		CrossCheck: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s, found by %s, proved by %s\n", res.Status, res.Engine, *res.Prover)
	fmt.Printf("objective %.3g; the search agrees: %v\n", *res.Objective, res.CrossCheck.Agrees)
	// Output:
	// optimal, found by mio, proved by solver
	// objective 0.5; the search agrees: true
}

// A model goes to a solver elsewhere as a file; its solution comes back as one, and is
// believed as far as it can be checked. Here HiGHS stands for that solver.
func ExampleSidecar_Decode() {
	ctx := context.Background()
	ds, err := dataset.Load("../examples/iris.csv", dataset.LoadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	p := &problem.OCT{Shape: problem.Shape{Levels: problem.Levels{Depth: 1}}}
	bound, err := p.On(ctx, problem.NewData(ds), 0)
	if err != nil {
		log.Fatal(err)
	}
	m, err := bound.Build(ctx, problem.BuildOptions{})
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	columns, err := mps.Write(&file, m.Model(), mps.Options{})
	if err != nil {
		log.Fatal(err)
	}
	sidecar := &fit.Sidecar{
		SchemaVersion: fit.SidecarVersion, Model: m.Spec, Data: fit.DataOf(ds, dataset.LoadOptions{}),
		File: fit.SidecarFile{Format: "free"}, Fingerprint: fit.FingerprintOf(m.Model()), Map: *columns,
	}

	solution, err := highs.New().Solve(ctx, m.Model(), solvers.Options{})
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "octgen")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "iris.mst")
	if err := solfile.WriteStartFile(path, solfile.Gurobi, m.Model(), columns, solution.Values, solfile.StartOptions{}); err != nil {
		log.Fatal(err)
	}

	res, err := sidecar.Decode(ctx, ds, path, fit.DecodeOptions{Format: solfile.Gurobi})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v errors, %s: the file says nothing of a proof\n", res.Train.Errors, res.Status)
	fmt.Println("its point satisfies the model:", *res.Check.Feasible)
	// Output:
	// 50 errors, feasible: the file says nothing of a proof
	// its point satisfies the model: true
}
