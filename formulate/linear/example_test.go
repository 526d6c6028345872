package linear_test

import (
	"context"
	"fmt"
	"log"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/linear"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// leaves returns seven rows of three features, two of which distinguish the classes.
func leaves() *dataset.Dataset {
	ds, err := dataset.New(
		[]float64{
			0, 3, 5,
			1, 2, 4,
			2, 1, 5,
			3, 0, 4,
			1, 3, 5,
			2, 2, 4,
			3, 1, 5,
		},
		[]int{0, 0, 0, 0, 1, 1, 1},
		[]string{"length", "width", "veins"}, []string{"ash", "oak"},
	)
	if err != nil {
		log.Fatal(err)
	}
	return ds
}

// diagonal returns the split length + width < 3.5.
func diagonal(ds *dataset.Dataset) *tree.Tree {
	t := tree.NewLeaf(ds, 0)
	t.Grow(0, &tree.Split{
		Terms:     []tree.Term{{Feature: 0, Weight: 1}, {Feature: 1, Weight: 1}},
		Threshold: 3.5,
	}, 0, 1)
	return t
}

// show uses t as a warm start and prints the point and its tree.
func show(f formulate.Formulation, t *tree.Tree) {
	x, err := f.Start(context.Background(), t)
	if err != nil {
		fmt.Println(err)
		return
	}
	point := mio.Check(f.Model(), x, 1e-9)
	fmt.Printf("feasible: %v, objective %.3f\n", point.Feasible, point.Objective)
	back, err := f.Decode(x)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(back)
}

// The split with the minimum error. The heaviest class is A, on the right; the warm start has the
// scale with the minimum error, whatever the scale of the tree.
func ExampleRLPOptions_Build() {
	ds := leaves()
	f, err := linear.RLPOptions{}.Build(context.Background(), ds)
	if err != nil {
		log.Fatal(err)
	}
	t := diagonal(ds)
	fmt.Printf("%s on the right; the error of the tree is %.3f at its own scale\n", ds.Classes[f.ClassA()], f.Objective(t))
	show(f, t)
	// Output:
	// ash on the right; the error of the tree is 1.000 at its own scale
	// feasible: true, objective 0.000
	// |--- -2*length - 2*width < -7
	// |   |--- class: oak (n=3, counts=[0, 3])
	// |--- -2*length - 2*width >= -7
	// |   |--- class: ash (n=4, counts=[4, 0])
}

// The fewest features with an error of at most delta.
func ExampleFMOptions_Build() {
	ds := leaves()
	f, err := linear.FMOptions{Delta: 0.1, Box: linear.DefaultBox}.Build(context.Background(), ds)
	if err != nil {
		log.Fatal(err)
	}
	show(f, diagonal(ds))
	fmt.Println(f.Scope())
	// Output:
	// feasible: true, objective 2.000
	// |--- -2*length - 2*width < -7
	// |   |--- class: oak (n=3, counts=[0, 3])
	// |--- -2*length - 2*width >= -7
	// |   |--- class: ash (n=4, counts=[4, 0])
	// optimal within the box |w| <= 1000 (standardised) on 3 of 3 features
}

// The split with the minimum error and few features. Two are too many for nu = 1, except in the
// bilinear encoding, which penalises the weight beyond nu features.
func ExampleLFMOptions_Build() {
	ds := leaves()
	for _, o := range []linear.LFMOptions{
		{Nu: linear.DefaultNu},
		{Nu: 1},
		{Nu: 1, Encoding: formulate.Bilinear},
	} {
		f, err := o.Build(context.Background(), ds)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("nu = %d, encoding %s, lambda %.2f\n", o.Nu, f.Options().Encoding, f.Lambda())
		show(f, diagonal(ds))
	}
	// Output:
	// nu = 3, encoding mio, lambda 0.00
	// feasible: true, objective 0.000
	// |--- -2*length - 2*width < -7
	// |   |--- class: oak (n=3, counts=[0, 3])
	// |--- -2*length - 2*width >= -7
	// |   |--- class: ash (n=4, counts=[4, 0])
	// nu = 1, encoding mio, lambda 0.00
	// formulate: the tree is outside the model: node 0: the split uses 2 features, the maximum is 1
	// nu = 1, encoding bilinear, lambda 2.17
	// feasible: true, objective 3.235
	// |--- length > 1.78571428571
	// |   |--- class: oak (n=4, counts=[2, 2])
	// |--- length <= 1.78571428571
	// |   |--- class: ash (n=3, counts=[2, 1])
}
