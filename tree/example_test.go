package tree_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// A tree is grown split by split, counted on data, printed, and predicts.
func Example() {
	ds, err := dataset.New([]float64{1, 2, 3, 4, 5, 6}, []int{0, 0, 1, 1, 0, 0}, []string{"age"}, []string{"no", "yes"})
	if err != nil {
		log.Fatal(err)
	}
	t := tree.NewLeaf(ds, 0)
	_, right := t.Grow(0, tree.Univariate(0, 2.5), 0, 1)
	t.Grow(right, tree.Univariate(0, 5.5), 1, 0)
	t.Annotate(ds) // the rows of each node
	if err := t.WriteText(os.Stdout, tree.Format{}); err != nil {
		log.Fatal(err)
	}
	fmt.Println("errors:", t.Evaluate(ds).Errors, "objective:", t.Objective(ds, 0.1))
	fmt.Println("age 3:", t.Classes[t.Predict([]float64{3})])
	// Output:
	// |--- age < 2.5
	// |   |--- class: no (n=2, counts=[2, 0])
	// |--- age >= 2.5
	// |   |--- age < 5.5
	// |   |   |--- class: yes (n=3, counts=[1, 2])
	// |   |--- age >= 5.5
	// |   |   |--- class: no (n=1, counts=[1, 0])
	// errors: 1 objective: 0.7
	// age 3: yes
}

// A tree that was fitted on a file predicts records of raw texts.
func ExampleTree_PredictRecord() {
	const file = "age,city,bought\n20,Rome,no\n30,Rome,no\n40,Oslo,yes\n50,Oslo,yes\n"
	ds, err := dataset.Read(strings.NewReader(file), "customers.csv", dataset.LoadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	t := tree.NewLeaf(ds, 0)
	t.Grow(0, tree.Univariate(0, 35), 0, 1)
	t.Encoder = ds.Encoder // as the trees of a fit have it

	class, err := t.PredictRecord(map[string]string{"age": "44", "city": "Oslo"}, dataset.UnknownError)
	fmt.Println(class, err)
	_, err = t.PredictRecord(map[string]string{"age": "44", "city": "Osl"}, dataset.UnknownError)
	fmt.Println(err)
	class, err = t.PredictRecord(map[string]string{"age": "14", "city": "Bonn"}, dataset.UnknownOther)
	fmt.Println(class, err)
	// Output:
	// yes <nil>
	// column "city": unknown category "Osl"; did you mean "Oslo"? (--unknown other encodes it as no category)
	// no <nil>
}
