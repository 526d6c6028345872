package vertex_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/heuristics/vertex"
	"github.com/octgen/octgen/tree"
)

// corners returns points of two classes in opposite corners of a square.
func corners() *dataset.Dataset {
	ds, err := dataset.New([]float64{
		0, 0, 1, 0, 0, 1, 2, 1, 1, 2, 4, 4, 5, 4, 4, 5, 3, 4, 4, 3,
	}, []int{0, 0, 0, 0, 0, 1, 1, 1, 1, 1}, []string{"a", "b"}, []string{"near", "far"})
	if err != nil {
		log.Fatal(err)
	}
	return ds
}

// One split with minimum error, and the bound that proves it.
func ExampleRLP() {
	res, err := vertex.RLP(context.Background(), corners(), vertex.RLPOptions{})
	if err != nil {
		log.Fatal(err)
	}
	if err := res.Tree.WriteText(os.Stdout, tree.Format{Decimals: 3}); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("error %.3f, bound %.3f\n", res.Objective, res.Bound)
	// Output:
	// |--- -0.500*a - 0.500*b < -2.500
	// |   |--- class: far (n=5, counts=[0, 5])
	// |--- -0.500*a - 0.500*b >= -2.500
	// |   |--- class: near (n=5, counts=[5, 0])
	// error 0.000, bound 0.000
}

// quarters returns points of two classes in the quarters of the plane: no line separates them, but
// a tree of three decisions does.
func quarters() *dataset.Dataset {
	var x []float64
	var y []int
	for a := -2; a <= 2; a++ {
		for b := -2; b <= 2; b++ {
			if a*b == 0 {
				continue
			}
			class := 0
			if a*b < 0 {
				class = 1
			}
			x, y = append(x, float64(a), float64(b)), append(y, class)
		}
	}
	ds, err := dataset.New(x, y, []string{"a", "b"}, []string{"same", "other"})
	if err != nil {
		log.Fatal(err)
	}
	return ds
}

func ExampleMSMT() {
	ds := quarters()
	res, err := vertex.MSMT(context.Background(), ds, vertex.MSMTOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Tree.Splits(), "splits,", res.Tree.Evaluate(ds).Errors, "errors")
	// Output:
	// 3 splits, 0 errors
}

func ExampleEPTS() {
	ds := quarters()
	res, err := vertex.EPTS(context.Background(), ds, vertex.EPTSOptions{FewestErrors: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Tree.Splits(), "splits,", res.Tree.Evaluate(ds).Errors, "errors")
	// Output:
	// 3 splits, 0 errors
}
