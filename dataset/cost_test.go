package dataset_test

import (
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
