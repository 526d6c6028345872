package dataset_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
)

// TestSplitter: a part is read as a file of its own would be that holds the
// header and the part's lines.
func TestSplitter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 12).Draw(t, "rows")
		var lines []string
		for i := range n {
			a := rapid.SampledFrom([]string{"1", "2.5", "", "100"}).Draw(t, "a")
			b := rapid.SampledFrom([]string{"x", "y", "?"}).Draw(t, "b")
			lines = append(lines, fmt.Sprintf("%s,%s,%d,%s", a, b, i+1, []string{"no", "yes"}[i%2]))
		}
		header := "a,b,w,class\n"
		opts := dataset.LoadOptions{Missing: dataset.MissingMean, Weight: "w", ClassWeight: "balanced"}
		s, err := dataset.NewSplitter(strings.NewReader(header+strings.Join(lines, "\n")), "d.csv", opts)
		if err != nil {
			return // a column of gaps only
		}
		test := []int{rapid.IntRange(0, n-1).Draw(t, "test"), rapid.IntRange(0, n-1).Draw(t, "test")}
		slices.Sort(test)
		test = slices.Compact(test)
		train := s.All().Complement(test)
		gotTrain, gotTest, err := s.Split(train, test, dataset.UnknownOther)
		file := func(rows []int) *strings.Reader {
			text := header
			for _, i := range rows {
				text += lines[i] + "\n"
			}
			return strings.NewReader(text)
		}
		opts.CategoricalColumns = []string{"b"}
		wantTrain, wantErr := dataset.Read(file(train), "d.csv", opts)
		var wantTest *dataset.Dataset
		if wantErr == nil {
			wantTest, wantErr = wantTrain.Encoder.Read(file(test), "d.csv", dataset.EncodeOptions{Unknown: dataset.UnknownOther})
		}
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%v, want %v", err, wantErr)
		}
		if err != nil {
			return
		}
		for _, c := range []struct {
			got, want *dataset.Dataset
			rows      []int
		}{{gotTrain, wantTrain, train}, {gotTest, wantTest, test}} {
			c.want.Source, c.want.Line, c.want.Reading = s.All().Source, nil, nil
			for _, i := range c.rows {
				c.want.Line = append(c.want.Line, s.All().Line[i])
			}
			if diff := cmp.Diff(c.want, c.got); diff != "" {
				t.Fatal(diff)
			}
		}
		if gotTest.Encoder != gotTrain.Encoder {
			t.Error("the test part has another encoder")
		}
	})
}

// TestSplitterErrors: what training has not seen is an error that names the part
// and the line.
func TestSplitterErrors(t *testing.T) {
	const text = "a,b,class\n1,x,no\n2,x,yes\n3,z,no\n4,x,maybe\n"
	s, err := dataset.NewSplitter(strings.NewReader(text), "d.csv", dataset.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		train, test []int
		want        string
	}{
		{[]int{0, 1, 3}, []int{2}, `the test part, by what the training part has: d.csv:4:3: column "b": unknown category "z"`},
		{[]int{0, 1, 2}, []int{3}, `the test part, by what the training part has: d.csv:5:5: column "class": unknown class "maybe"`},
		{[]int{0, 1, 1}, []int{0}, "the parts have 2 and 1 rows; want 3 and 1"},
		{nil, []int{1}, "the training part: d.csv"},
	} {
		if _, _, err := s.Split(c.train, c.test, ""); err == nil || !strings.HasPrefix(err.Error(), c.want) && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, %v: %v, want %q", c.train, c.test, err, c.want)
		}
	}
}
