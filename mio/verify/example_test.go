package verify_test

import (
	"fmt"
	"log"
	"math"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
)

// knapsack is max 5x + 4y + 3z, written as a minimum, with 4x + 3y + 2z <= 6: the
// optimum is -8, of x and z.
func knapsack() *mio.Model {
	b := mio.NewBuilder("knapsack")
	weight := b.AddRow(-mio.Inf, 6, "weight")
	for i, item := range []struct{ value, weight float64 }{{5, 4}, {4, 3}, {3, 2}} {
		b.Add(weight, b.AddCol(-item.value, 0, 1, mio.Binary, "take", i), item.weight)
	}
	m, err := b.Model()
	if err != nil {
		log.Fatal(err)
	}
	return m
}

// A point is held against its model by its own figures, whoever made it.
func ExampleCheckPoint() {
	for _, x := range [][]float64{{1, 0, 1}, {1, 1, 0}} {
		p := verify.CheckPoint(knapsack(), x, -8, 0)
		fmt.Printf("feasible %v, objective %v, problem %q\n", p.Feasible, p.Objective, p.Problem("its solver"))
	}
	// Output:
	// feasible true, objective -8, problem ""
	// feasible false, objective -9, problem "its solver: mio: infeasible point: row weight is violated by 1"
}

// What an optimizer says of a model is settled before it is believed: its optimum is
// one if its bound leaves no gap.
func ExampleSettle() {
	for _, bound := range []float64{-8, -8.5} {
		sol, err := verify.Settle(knapsack(), verify.Ask{}, verify.Answer{
			Status: mio.Optimal, Values: []float64{1, 0, 1}, Objective: -8, Bound: bound,
		})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s, note %q\n", sol.Status, sol.Note)
	}
	// Output:
	// optimal, note ""
	// feasible, note "its claim that -8 is optimal is not supported by its bound, -8.5"
}

// The judge takes together what a solver says, what others have proved, and what is
// known to be a tree. Here the solver has a tree of 3 errors and the bound 1.2; errors
// are whole, so that this is 2; the search has proved 3.
func ExampleJudge_Hold() {
	sol := &mio.Solution{Status: mio.Feasible, Limit: mio.LimitTime, Values: []float64{1}, Objective: 3, Bound: 1.2}
	judge := verify.Judge{
		Lattice: &verify.Lattice{Errors: 1},
		Proofs:  []verify.Proof{{By: verify.BySearch, Bound: 3}},
	}
	v := judge.Hold(sol)
	fmt.Println("the solver:", sol.Status, "with the bound", sol.Bound)
	fmt.Println("in all:", v.Status, "with the bound", v.Bound, "by the", v.Prover)
	// Output:
	// the solver: feasible with the bound 2
	// in all: optimal with the bound 3 by the search
}

// A tree that is better refutes a claim, and takes the place of its point.
func ExampleJudge_Hold_refuted() {
	sol := &mio.Solution{Status: mio.Optimal, Values: []float64{0}, Objective: 4, Bound: 4}
	judge := verify.Judge{Witnesses: []verify.Witness{{Name: "the start cart", Objective: 3, Values: []float64{1}}}}
	v := judge.Hold(sol)
	fmt.Println(v.Status, v.Objective, math.IsInf(v.Bound, -1))
	fmt.Println(sol.Note)
	// Output:
	// feasible 3 true
	// its claim that 4 is optimal is refuted by the start cart, 3
}

// Objectives are no arbitrary numbers. With 50 errors for the best leaf and splits at
// 0.01 each, three at most, a bound of 0.0571 is one of 0.06: two errors and two
// splits, or three errors.
func ExampleLattice_RoundUp() {
	l := &verify.Lattice{Errors: 50, Price: 0.01, Most: 3, Slack: verify.BoundSlack}
	fmt.Printf("step %.2f\n", l.Step())
	fmt.Printf("%.4f is %.2f\n", 0.0571, l.RoundUp(0.0571))
	// Output:
	// step 0.01
	// 0.0571 is 0.06
}

// A solver and a search of the same problem agree unless one has a tree below the
// other's bound.
func ExamplePrecision_Cross() {
	var p verify.Precision
	sol := &mio.Solution{Status: mio.Optimal, Objective: 0.5, Bound: 0.5, Claimed: true}
	for _, s := range []verify.Searched{{Objective: 0.5, Bound: 0.5, Proved: true}, {Objective: 0.4, Bound: 0.4, Proved: true}} {
		fmt.Printf("%q\n", p.Cross("cbc", sol, 0.5, s))
	}
	// Output:
	// ""
	// "cbc claims that 0.5 is optimal, but the search has a tree of objective 0.4"
}
