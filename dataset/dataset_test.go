package dataset_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
)

func TestValidate(t *testing.T) {
	good := func() *dataset.Dataset {
		d, err := dataset.New([]float64{1, 2, 3, 4}, []int{0, 1}, []string{"a", "b"}, []string{"x", "y"})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for _, c := range []struct {
		spoil func(d *dataset.Dataset)
		want  string
	}{
		{func(d *dataset.Dataset) { d.Y = nil }, "dataset: no rows"},
		{func(d *dataset.Dataset) { d.X = d.X[:3] }, "dataset: X has 3 values; want 2 rows x 2 features = 4"},
		{func(d *dataset.Dataset) { d.Weight = nil }, "dataset: 0 weights for 2 rows"},
		{func(d *dataset.Dataset) { d.Count = nil }, "dataset: 0 counts for 2 rows"},
		{func(d *dataset.Dataset) { d.Line = []int{2} }, "dataset: 1 line numbers for 2 rows"},
		{func(d *dataset.Dataset) { d.Features[1] = "a" }, `dataset: two features are named "a"`},
		{func(d *dataset.Dataset) { d.Classes[1] = "x" }, `dataset: two classes are named "x"`},
		{func(d *dataset.Dataset) { d.X[3] = math.NaN() }, `dataset: row 1, feature "b": NaN is not a finite number of size at most 1e+300`},
		{func(d *dataset.Dataset) { d.X[2] = -1e301 }, `dataset: row 1, feature "a": -1e+301 is not a finite number of size at most 1e+300`},
		{func(d *dataset.Dataset) { d.Y[0] = 2 }, "dataset: row 0: class 2; want 0..1"},
		{func(d *dataset.Dataset) { d.Weight[1] = 0 }, "dataset: row 1: weight 0; want a positive finite number"},
		{func(d *dataset.Dataset) { d.Count[1] = math.Inf(1) }, "dataset: row 1: count +Inf; want a positive finite number"},
		{func(d *dataset.Dataset) { d.Weight = []float64{1e308, 1e308} }, "dataset: the weights add up to more than 1e+300"},
		{func(d *dataset.Dataset) { d.Cost = []float64{1, 2} }, "dataset: 2 costs; want 2 rows x 2 classes = 4"},
		{func(d *dataset.Dataset) { d.Cost = []float64{0, 1, -1, 0} }, `dataset: row 1: class "x" costs -1; want a finite number of at least 0`},
		{func(d *dataset.Dataset) { d.Cost = []float64{0, math.NaN(), 1, 0} }, `dataset: row 0: class "y" costs NaN; want a finite number of at least 0`},
		{func(d *dataset.Dataset) { d.Cost = []float64{0, 1, 1, math.Inf(1)} }, `dataset: row 1: class "y" costs +Inf; want a finite number of at least 0`},
		{func(d *dataset.Dataset) { d.Cost = []float64{0, 1e308, 1e308, 0} }, "dataset: the sum of the costs is not finite"},
	} {
		d := good()
		c.spoil(d)
		if diff := cmp.Diff(c.want, errorText(d.Validate())); diff != "" {
			t.Error(diff)
		}
	}
}

func TestClassTotals(t *testing.T) {
	d := &dataset.Dataset{Y: []int{0, 2, 0}, Weight: []float64{1, 2, 4}, Count: []float64{1, 3, 5}, Classes: []string{"a", "b", "c"}}
	if diff := cmp.Diff([]float64{5, 0, 2}, d.ClassWeights()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]float64{6, 0, 3}, d.ClassCounts()); diff != "" {
		t.Error(diff)
	}
}

func TestLoadRows(t *testing.T) {
	e := read(t, "a,class\n1,x\n2,y\n", dataset.LoadOptions{}).Encoder
	path := filepath.Join(t.TempDir(), "new.csv")
	if err := os.WriteFile(path, []byte("a,b\n5,6\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	rows, err := e.LoadRows(path, dataset.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if rows.N() != 1 || rows.X[0] != 5 || rows.Y != nil || rows.Source.File != path {
		t.Errorf("%+v", rows)
	}
}

func ExampleRead() {
	const text = `length,color,class
1.5,red,a
2.5,,b
3.5,blue,b
`
	d, err := dataset.Read(strings.NewReader(text), "flowers.csv", dataset.LoadOptions{Missing: dataset.MissingCategory})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Features)
	for i := range d.N() {
		fmt.Println(d.Row(i), d.Classes[d.Y[i]])
	}
	// Output:
	// [length color=blue color=red color=?]
	// [1.5 0 1 0] a
	// [2.5 0 0 1] b
	// [3.5 1 0 0] b
}

// New data are read as those of the training were: columns by name, texts as the same
// columns of 0 and 1. For prediction the class need not be there.
func ExampleEncoder() {
	const training = "length,color,class\n1.5,red,a\n2.5,blue,b\n3.5,blue,b\n"
	d, err := dataset.Read(strings.NewReader(training), "flowers.csv", dataset.LoadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	dir, err := os.MkdirTemp("", "octgen")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "new.csv")
	if err := os.WriteFile(file, []byte("color,length\nred,9.5\n"), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	rows, err := d.Encoder.LoadRows(file, dataset.EncodeOptions{})
	fmt.Println(rows.Features, rows.X, err)

	_, err = d.Encoder.Load(file, dataset.EncodeOptions{}) // which wants the class too
	fmt.Println(strings.ReplaceAll(err.Error(), file, "new.csv"))
	// Output:
	// [length color=red] [9.5 1] <nil>
	// new.csv: no column "class", which is a target column of the training data; the columns are "color", "length"
}
