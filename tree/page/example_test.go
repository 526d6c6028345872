package page_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/page"
)

// A page of a tree with the histograms of its training rows.
func ExampleWriteHTML() {
	ds, err := dataset.New([]float64{1, 2, 3, 4}, []int{0, 0, 1, 1}, []string{"age"}, []string{"young", "old"})
	if err != nil {
		log.Fatal(err)
	}
	t := tree.NewLeaf(ds, 0)
	t.Grow(0, tree.Univariate(0, 2.5), 0, 1)
	t.Annotate(ds)
	var out bytes.Buffer
	if err := page.WriteHTML(&out, t, page.Options{Title: "Age", Histograms: t.Histograms(ds)}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(bytes.Contains(out.Bytes(), []byte(`<span class="text">age &lt; 2.5</span> <span class="rows">4 rows</span>`)))
	// Output: true
}
