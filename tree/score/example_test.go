package score_test

import (
	"fmt"
	"log"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/score"
)

// incomes are six applicants and a tree that splits them by income.
func incomes() (*dataset.Dataset, *tree.Tree) {
	ds, err := dataset.New([]float64{20, 30, 45, 50, 60, 80}, []int{0, 0, 1, 0, 1, 1}, []string{"income"}, []string{"refuse", "grant"})
	if err != nil {
		log.Fatal(err)
	}
	t := &tree.Tree{Features: ds.Features, Classes: ds.Classes, Nodes: []tree.Node{
		{Split: tree.Univariate(0, 55), Left: 1, Right: 2}, {Class: 0}, {Class: 1},
	}}
	t.Annotate(ds)
	return ds, t
}

func ExampleOf() {
	ds, t := incomes()
	f := score.Of(t, ds)
	fmt.Println("true by predicted:", f.Confusion.Counts)
	for _, c := range f.PerClass {
		fmt.Printf("%s: precision %.2f, recall %.2f, F1 %.2f\n", c.Class, *c.Precision, *c.Recall, *c.F1)
	}
	fmt.Printf("balanced error %.3f, AUC %.3f, log loss %.3f\n", *f.BalancedError, *f.AUC, *f.LogLoss)
	// Output:
	// true by predicted: [[3 0] [1 2]]
	// refuse: precision 0.75, recall 1.00, F1 0.86
	// grant: precision 1.00, recall 0.67, F1 0.80
	// balanced error 0.167, AUC 0.833, log loss 0.375
}

// The shares of the leaves are what AUC and log loss are computed of.
func ExampleShares() {
	_, t := incomes()
	for i, shares := range score.Shares(t) {
		if shares != nil {
			fmt.Println("leaf", i, shares)
		}
	}
	// Output:
	// leaf 1 [0.75 0.25]
	// leaf 2 [0 1]
}

// Two trees on the same rows: are the rows that only one of them has right divided as
// chance might have it?
func ExampleNewPaired() {
	rightA := []bool{true, true, true, true, true, true, true, false}
	rightB := []bool{true, false, false, false, false, false, false, false}
	p := score.NewPaired(rightA, rightB)
	fmt.Printf("only A %d, only B %d, p = %.3f (%s)\n", p.OnlyA, p.OnlyB, p.PValue, p.Test)
	// Output:
	// only A 6, only B 0, p = 0.031 (exact binomial)
}
