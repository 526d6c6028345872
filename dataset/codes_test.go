package dataset_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
)

func TestCodes(t *testing.T) {
	const file = "a,b,class\ny,1,n\nn,2,y\n?,3,n\n ,4,y\n"
	d, err := dataset.Read(strings.NewReader(file), "d.csv", dataset.LoadOptions{Codes: "y=2, n=-2,?=0.5"})
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{2, 1, -2, 2, 0.5, 3, 0.5, 4}
	if diff := cmp.Diff(want, d.X); diff != "" {
		t.Errorf("features (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"n", "y"}, d.Classes); diff != "" {
		t.Errorf("the class has no codes (-want +got):\n%s", diff)
	}
	again, err := d.Encoder.Read(strings.NewReader(file), "d.csv", dataset.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(d.X, again.X); diff != "" {
		t.Errorf("by the encoder (-want +got):\n%s", diff)
	}
	if _, err := d.Encoder.ReadRows(strings.NewReader("a,b\nyes,1\n"), "p.csv", dataset.EncodeOptions{}); err == nil || !strings.Contains(err.Error(), "p.csv:2:1") {
		t.Errorf("a text without a code gives %v; want an error with its place", err)
	}
}

func TestCodesOfParts(t *testing.T) {
	s, err := dataset.NewSplitter(strings.NewReader("a,class\ny,0\nn,1\nn,0\nn,1\n"), "d.csv", dataset.LoadOptions{Codes: "y=1,n=0"})
	if err != nil {
		t.Fatal(err)
	}
	train, test, err := s.Split([]int{1, 2, 3}, []int{0}, dataset.UnknownError) // train has no y
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]float64{{0, 0, 0}, {1}}, [][]float64{train.X, test.X}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestBadCodes(t *testing.T) {
	for _, c := range []struct{ codes, want string }{
		{"y", `code "y": want a list`},
		{"y=two", `"two" is not a finite number`},
		{"y=1,y=2", `the value "y" is given twice`},
		{"?=1,=2", `the value "?" is given twice`},
		{"y=1,n=0,yes=2", `no feature field holds "yes"`},
		{"y=1", `"n" is not a number`}, // a mixture, as without codes
	} {
		_, err := dataset.Read(strings.NewReader("a,class\ny,0\nn,1\ny,1\ny,0\ny,1\ny,0\ny,1\ny,0\ny,1\ny,0\ny,1\n"), "d.csv", dataset.LoadOptions{Codes: c.codes})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("codes %q give %v; want an error with %q", c.codes, err, c.want)
		}
	}
}

// TestHouseVotesCodes: the coding of Bredensteiner & Bennett (1996), section 5.1.
func TestHouseVotesCodes(t *testing.T) {
	d, err := dataset.Load(filepath.Join(sharedDir(t), "house-votes-84.csv"), dataset.LoadOptions{Codes: "y=2,n=-2,?=0"})
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, v := range d.X {
		sum += v * v
	}
	if d.N() != 435 || d.P() != 16 || sum != 4*float64(435*16-392) {
		t.Errorf("%d rows, %d features, sum of squares %v; want 435, 16, %v", d.N(), d.P(), sum, 4*(435*16-392))
	}
}
