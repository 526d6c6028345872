package problem_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"reflect"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
)

// A method is a struct whose fields are its options: a program writes them as they
// are, and asks it for what it is.
func Example() {
	m := &problem.OCT{Shape: problem.Shape{
		Levels: problem.Levels{Depth: 2},
		Price:  problem.Price{Alpha: 0.01},
		Leaves: problem.Leaves{MinLeaf: 5},
	}}
	info := m.Info()
	fmt.Println(info.Name, info.Engines, info.Proof)
	fmt.Println(problem.Check(m))
	// Output:
	// oct [search mio heuristic] true
	// <nil>
}

// What comes from people has the names of flags, and is refused by them.
func ExampleSet() {
	m, err := problem.Lookup("cart")
	if err != nil {
		log.Fatal(err)
	}
	for _, depth := range []int{3, 99} {
		has, err := problem.Set(m, "depth", reflect.ValueOf(problem.Depth(depth)))
		fmt.Println(has, err)
		if wrong := (*problem.OptionError)(nil); errors.As(err, &wrong) {
			fmt.Println("the flag is", wrong.Option)
		}
	}
	fmt.Println(m.(*problem.CART).Depth)
	// Output:
	// true <nil>
	// true --depth is "99"; want a whole number, 1 to 16, or none
	// the flag is depth
	// 3
}

// The registry has all that octgen can fit. An engine is what solves a problem; the
// first one is taken where none is asked for.
func ExampleAll() {
	for _, m := range problem.All() {
		if info := m.Info(); info.Kind == problem.Formulation {
			fmt.Println(info.Name, info.Engines)
		}
	}
	// Output:
	// fm [mio heuristic]
	// gto [mio heuristic]
	// lfm [mio heuristic]
	// oct [search mio heuristic]
	// oct-h [mio heuristic]
	// ort [search mio heuristic]
	// rlp [search mio]
	// rlp-p [mio heuristic]
}

// A flag is of the methods whose structs have the field.
func ExampleWith() {
	fmt.Println("--criterion is of", problem.Listed(problem.With("criterion")))
	// Output:
	// --criterion is of cart, cart-tuned and oc1
}

// A problem writes the program whose optimum is its best tree. The spec of the model is
// what stands beside a file of it: from its JSON the same model is built again.
func ExampleSpec_Method() {
	ds, err := dataset.New([]float64{1, 2, 3, 4}, []int{0, 1, 1, 0}, []string{"x"}, []string{"no", "yes"})
	if err != nil {
		log.Fatal(err)
	}
	p := &problem.OCT{Shape: problem.Shape{Levels: problem.Levels{Depth: 1}}}
	m, err := build(p, ds, problem.BuildOptions{})
	if err != nil {
		log.Fatal(err)
	}
	text, err := json.Marshal(m.Spec)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))

	var spec problem.Spec
	if err := json.Unmarshal(text, &spec); err != nil {
		log.Fatal(err)
	}
	same, err := spec.Method(ds.Classes)
	if err != nil {
		log.Fatal(err)
	}
	again, err := build(same, ds, problem.BuildOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Model().NumRows() == again.Model().NumRows(), m.Model().NumNonzeros() == again.Model().NumNonzeros())
	// Output:
	// {"form":"oct","encoding":"threshold","depth":1,"scale":"rank"}
	// true true
}

// An algorithm grows a tree by itself, without the checks and the figures of package
// fit.
func ExampleMethod() {
	ds, err := dataset.New([]float64{1, 2, 3, 4}, []int{0, 0, 1, 1}, []string{"x"}, []string{"no", "yes"})
	if err != nil {
		log.Fatal(err)
	}
	p, err := new(problem.CART).On(context.Background(), problem.NewData(ds), 0)
	if err != nil {
		log.Fatal(err)
	}
	g, err := p.Grow(context.Background(), problem.Task{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(g.Tree)
	// Output:
	// |--- x < 2.5
	// |   |--- class: no (n=2, counts=[2, 0])
	// |--- x >= 2.5
	// |   |--- class: yes (n=2, counts=[0, 2])
}
