package fit_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
)

// A first fit: the tree of depth 3 with the fewest errors, by the exact search, which
// proves that there is none with fewer.
func Example() {
	flowers, err := dataset.Load("../examples/iris.csv", dataset.LoadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	res, err := fit.Run(context.Background(), flowers, fit.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Train.Errors, "errors of", res.Data.Rows, "rows")
	fmt.Printf("%s: found by %s, proved by %s\n", res.Status, res.Engine, *res.Prover)
	// Output:
	// 1 errors of 150 rows
	// optimal: found by search, proved by search
}

// Seeds that germinate when it is wet and warm, but not too warm.
const seeds = `water,degrees,grows
dry,8,no
dry,15,no
dry,22,no
dry,31,no
wet,9,no
wet,14,yes
wet,19,yes
wet,24,yes
wet,33,no
`

// A price of splits makes small trees: a split has to save so much of the error of the
// best single leaf. The rows may come from anywhere; texts become features of their
// own.
func ExampleRun() {
	ds, err := dataset.Read(strings.NewReader(seeds), "seeds.csv", dataset.LoadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, alpha := range []float64{0, 0.4} {
		m := &problem.OCT{Shape: problem.Shape{Price: problem.Price{Alpha: alpha}}}
		res, err := fit.Run(context.Background(), ds, fit.Options{Method: m})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("alpha %v, objective %.3g, %s\n%v", alpha, *res.Objective, res.Status, res.Tree)
	}
	// Output:
	// alpha 0, objective 0, optimal
	// |--- water is wet
	// |   |--- degrees < 11.5
	// |   |   |--- class: no (n=1, counts=[1, 0])
	// |   |--- degrees >= 11.5
	// |   |   |--- degrees < 28.5
	// |   |   |   |--- class: yes (n=3, counts=[0, 3])
	// |   |   |--- degrees >= 28.5
	// |   |   |   |--- class: no (n=1, counts=[1, 0])
	// |--- water is not wet
	// |   |--- class: no (n=4, counts=[4, 0])
	// alpha 0.4, objective 1, optimal
	// |--- class: no (n=9, counts=[6, 3])
}

// A greedy method proves nothing: its status is feasible, without a bound. What it
// misses the exact search says.
func ExampleRun_heuristic() {
	ds, err := dataset.New([]float64{
		0, 0, 0,
		0, 1, 1,
		1, 0, 1,
		1, 1, 0,
		0, 0, 1,
		0, 1, 1,
		1, 0, 0,
		1, 1, 0,
	}, []int{0, 1, 1, 0, 0, 1, 1, 0}, []string{"a", "b", "c"}, []string{"even", "odd"})
	if err != nil {
		log.Fatal(err)
	}
	shape := problem.Shape{Levels: problem.Levels{Depth: 2}}
	for _, m := range []problem.Method{&problem.CART{Shape: shape}, &problem.OCT{Shape: shape}} {
		res, err := fit.Run(context.Background(), ds, fit.Options{Method: m})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %v errors, %s, bound known: %v\n", res.Method, res.Train.Errors, res.Status, res.Bound != nil)
	}
	// Output:
	// cart: 2 errors, feasible, bound known: false
	// oct: 0 errors, optimal, bound known: true
}

// A fit that is over before it has begun has a tree all the same, and says why it is
// no better.
func ExampleRun_limit() {
	ds, err := dataset.Load("../examples/iris.csv", dataset.LoadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	o := fit.Options{}
	o.Solve.TimeLimit = 1 // nanosecond
	res, err := fit.Run(context.Background(), ds, o)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Status+", limit:", res.Limit)
	fmt.Print(res.Tree)
	// Output:
	// feasible, limit: time
	// |--- class: setosa (n=150, counts=[50, 50, 50])
}

// The price of a split is chosen on rows that the trees have not seen.
func ExampleRun_tuned() {
	ds, err := dataset.Load("../examples/iris.csv", dataset.LoadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	m := &problem.OCTTuned{Levels: problem.Levels{Depth: 2}, Walked: problem.Walked{Validated: problem.Validated{Validation: 1.0 / 3}}}
	res, err := fit.Run(context.Background(), ds, fit.Options{Method: m})
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range res.Tuning.Envelope {
		chosen := ""
		if p.Chosen {
			chosen = ", chosen"
		}
		fmt.Printf("alpha from %.3g: %d splits, %v of %d validation rows wrong%s\n", p.AlphaLow, p.Complexity, p.ValidationErrors, res.Tuning.ValidationRows, chosen)
	}
	// Output:
	// alpha from 0: 2 splits, 2 of 50 validation rows wrong, chosen
	// alpha from 0.439: 1 splits, 17 of 50 validation rows wrong
	// alpha from 0.5: 0 splits, 34 of 50 validation rows wrong
}

// Settings are the flags of a command line; those that a method would pass over are
// refused.
func ExampleSettings_Options() {
	s := fit.Settings{Engine: "auto", Gap: 0.1}
	_, err := s.Options(new(problem.CART))
	fmt.Println(err)
	if wrong := (*problem.OptionError)(nil); errors.As(err, &wrong) {
		fmt.Println("the flag is", wrong.Option)
	}
	// Output:
	// --gap is not for method cart, which needs no solver
	// the flag is gap
}
