package dataset_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/octgen/octgen/dataset"
)

// costly is four rows at two points, with costs of two classes.
func costly(t *testing.T) *dataset.Dataset {
	t.Helper()
	d, err := dataset.New([]float64{1, 1, 1, 2}, []int{0, 0, 0, 1}, []string{"x"}, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	d.Weight = []float64{1, 2, 4, 8}
	d.Cost = []float64{
		1, 3,
		0.5, 0.5,
		5, 1, // cheaper as b, though of class a
		0, 0,
	}
	if err := d.Validate(); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestMergeCosts: rows whose cheapest classes differ stay apart, so that what no tree
// can save is the same before and after.
func TestMergeCosts(t *testing.T) {
	d := costly(t)
	m, index := d.Merge()
	if diff := cmp.Diff([]int{0, 0, 1, 2}, index); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]float64{1.5, 3.5, 5, 1, 0, 0}, m.Cost); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]float64{3, 4, 8}, m.Weight); diff != "" {
		t.Error(diff)
	}
	for _, of := range []*dataset.Dataset{d, m} {
		least := 0.0
		for i := range of.N() {
			_, cost := of.CheapestClass(i)
			least += cost
		}
		if least != 2.5 {
			t.Errorf("the least costs add up to %v; want 2.5", least)
		}
		// the first three rows answer alike: 2 as b, 4 as a
		if weight, count := of.UnavoidableErrors(); weight != 2 || count != 0 {
			t.Errorf("unavoidable: excess %v and %v rows; want 2 and 0", weight, count)
		}
	}
}

func TestCostsStayWithRows(t *testing.T) {
	d := costly(t)
	if diff := cmp.Diff([]float64{0, 0, 1, 3}, d.Subset([]int{3, 0}).Cost); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(d.Cost, d.WithFeatures([]int{0}).Cost); diff != "" {
		t.Error(diff)
	}
	u, _ := d.InUnits(dataset.MostUnits)
	if diff := cmp.Diff(d.Cost, u.Cost); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]float64{0, 2, 0, 0, 4, 0, 0, 0}, d.Excess()); diff != "" {
		t.Error(diff)
	}
	d.Cost = nil
	if diff := cmp.Diff([]float64{0, 1, 0, 2, 0, 4, 8, 0}, d.Excess()); diff != "" {
		t.Error(diff)
	}
}

const ills = "x,w,class\n1,1,well\n2,2,ill: at once\n3,4,well\n4,8,ill\n"

// TestCostMatrix: what is named costs that, right answers else 0 and wrong ones 1, each
// times the weight of the row and of its class; the encoder knows it.
func TestCostMatrix(t *testing.T) {
	table := filepath.Join(t.TempDir(), "costs.csv")
	text := "\ufeff , well,ill,\"ill: at once\"\r\n\"ill: at once\",7,1,0\r\nwell,0,1,1\r\nill,3,0,0.5\r\n"
	if err := os.WriteFile(table, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	list := "ill:well=3, ill: at once : well = 7,ill:ill: at once=.5"
	opts := dataset.LoadOptions{Weight: "w", ClassWeight: "well=10", CostMatrix: list}
	ds, err := dataset.Read(strings.NewReader(ills), "ills.csv", opts)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"ill", "ill: at once", "well"}, ds.Classes); diff != "" {
		t.Fatal(diff)
	}
	want := []float64{
		10, 10, 0,
		2, 0, 14,
		40, 40, 0,
		0, 4, 24,
	}
	if diff := cmp.Diff(want, ds.Cost); diff != "" {
		t.Error(diff)
	}
	again, err := ds.Encoder.Read(strings.NewReader(ills), "ills.csv", dataset.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(ds.Cost, again.Cost); diff != "" {
		t.Error(diff)
	}
	opts.CostMatrix = table
	if ds, err = dataset.Read(strings.NewReader(ills), "ills.csv", opts); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, ds.Cost); diff != "" {
		t.Error(diff)
	}
	ds.Encoder.CostMatrix[1] = ds.Encoder.CostMatrix[1][:2]
	if diff := cmp.Diff(`encoder: 2 costs where "ill: at once" is true; want one for each of 3 classes`, errorText(ds.Encoder.Validate())); diff != "" {
		t.Error(diff)
	}
}

// TestCostMatrixOfParts: a part of the rows that lacks a class does without its costs.
func TestCostMatrixOfParts(t *testing.T) {
	s, err := dataset.NewSplitter(strings.NewReader(ills), "ills.csv", dataset.LoadOptions{Ignore: []string{"w"}, CostMatrix: "ill:well=3,well:ill: at once=2"})
	if err != nil {
		t.Fatal(err)
	}
	train, test, err := s.Split([]int{0, 3}, []int{2}, dataset.UnknownError)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]float64{1, 0, 0, 3}, train.Cost); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]float64{1, 0}, test.Cost); diff != "" {
		t.Error(diff)
	}
}

func TestCostMatrixMistakes(t *testing.T) {
	for _, c := range []struct{ list, want string }{
		{"ill:good=3", `cost matrix "ill:good=3": no class "good"; the classes are "ill", "ill: at once", "well"`},
		{"ill: at last:well=3", `cost matrix "ill: at last:well=3": no class "at last:well"; the classes are`},
		{"ill:well=1e999", `cost matrix "ill:well=1e999": "1e999" is not a number from 0 to`},
		{"ill:well=", `cost matrix "ill:well=": "" is not a number from 0 to`},
	} {
		_, err := dataset.Read(strings.NewReader(ills), "ills.csv", dataset.LoadOptions{Weight: "w", CostMatrix: c.list})
		if got := errorText(err); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q; want %q", c.list, got, c.want)
		}
	}
}

// TestMostCosts: costs are one for each row and class, and for each pair of classes; more
// than MostCosts are refused before there is memory for them.
func TestMostCosts(t *testing.T) {
	file := func(rows, classes int) string {
		var text strings.Builder
		text.WriteString("a,class\n")
		for i := range rows {
			fmt.Fprintf(&text, "%d,c%d\n", i%2, i%classes)
		}
		return text.String()
	}
	opts := dataset.LoadOptions{CostMatrix: "c1:c2=5"}
	_, err := dataset.Read(strings.NewReader(file(10000, 10000)), "a.csv", opts)
	want := "a.csv: a cost matrix of 10000 classes for 10000 rows makes 100000000 costs, more than the maximum of 33554432; use fewer classes or rows, or no cost matrix"
	if err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
	d, err := dataset.Read(strings.NewReader(file(1000, 50)), "a.csv", opts)
	if err != nil || len(d.Cost) != 1000*50 {
		t.Errorf("%d costs, %v", len(d.Cost), err)
	}
	few, err := dataset.Read(strings.NewReader(file(100, 100)), "a.csv", opts)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := few.Encoder.Read(strings.NewReader(file(400000, 100)), "b.csv", dataset.EncodeOptions{}); err == nil || !strings.HasPrefix(err.Error(), "b.csv: a cost matrix of 100 classes for 400000 rows makes 40000000 costs") {
		t.Errorf("applied to more rows: %v", err)
	}
}
