package dataset_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/octgen/octgen/dataset"
	"pgregory.net/rapid"
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
		{[]int{0, 1, 3}, []int{2}, `the test set, encoded like the training set: d.csv:4:3: column "b": unknown category "z"`},
		{[]int{0, 1, 2}, []int{3}, `the test set, encoded like the training set: d.csv:5:5: column "class": unknown class "maybe"`},
		{[]int{0, 1, 1}, []int{0}, "the parts have 2 and 1 rows; want 3 and 1"},
		{nil, []int{1}, "the training set: d.csv"},
	} {
		if _, _, err := s.Split(c.train, c.test, ""); err == nil || !strings.HasPrefix(err.Error(), c.want) && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, %v: %v, want %q", c.train, c.test, err, c.want)
		}
	}
}

// TestFolds: a partition whose folds, and whose classes in them, differ by at most
// one row.
func TestFolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := anyDataset(t)
		k := rapid.IntRange(0, 8).Draw(t, "k")
		seed := rapid.Uint64().Draw(t, "seed")
		folds, err := d.Folds(k, seed)
		if k < 2 || k > d.N() {
			if err == nil {
				t.Fatalf("%d folds of %d rows: no error", k, d.N())
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		again, _ := d.Folds(k, seed)
		if diff := cmp.Diff(folds, again); diff != "" {
			t.Fatal("same seed, other folds:", diff)
		}
		var all []int
		sizes := make([][]int, d.K()+1) // per class, then in all
		for _, fold := range folds {
			if !slices.IsSorted(fold) {
				t.Fatal("not ascending:", fold)
			}
			all = append(all, fold...)
			perClass := make([]int, d.K()+1)
			perClass[d.K()] = len(fold)
			for _, i := range fold {
				perClass[d.Y[i]]++
			}
			for c, size := range perClass {
				sizes[c] = append(sizes[c], size)
			}
			if rest := d.Complement(fold); len(rest)+len(fold) != d.N() || slices.ContainsFunc(rest, func(i int) bool { return slices.Contains(fold, i) }) {
				t.Fatalf("complement of %v is %v", fold, rest)
			}
		}
		for c, s := range sizes {
			if slices.Max(s)-slices.Min(s) > 1 {
				t.Fatalf("class %d of %d has %v rows per fold", c, d.K(), s)
			}
		}
		slices.Sort(all)
		for i, row := range all {
			if i != row || len(all) != d.N() {
				t.Fatalf("not a partition: %v", all)
			}
		}
	})
}

func TestHoldout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := anyDataset(t)
		fraction := rapid.Float64Range(-.1, 1.1).Draw(t, "fraction")
		train, test, err := d.Holdout(fraction, 7)
		if !(fraction > 0 && fraction < 1) || d.N() < 2 {
			if err == nil {
				t.Fatalf("fraction %v of %d rows: no error", fraction, d.N())
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		n := float64(d.N())
		if want := min(max(math.Round(fraction*n), 1), n-1); float64(len(test)) != want || len(train)+len(test) != d.N() {
			t.Fatalf("%d training and %d test rows; want %v test rows", len(train), len(test), want)
		}
		inTest, inAll := make([]float64, d.K()), make([]float64, d.K())
		for i, y := range d.Y {
			inAll[y]++
			if slices.Contains(test, i) {
				inTest[y]++
			}
			if slices.Contains(test, i) == slices.Contains(train, i) {
				t.Fatalf("row %d is in both parts or in none", i)
			}
		}
		for k := range inAll {
			if share := inAll[k] * float64(len(test)) / n; math.Abs(inTest[k]-share) >= 1 {
				t.Fatalf("class %d: %v test rows; its share is %v", k, inTest[k], share)
			}
		}
	})
}

// TestSeedsDiffer guards against a seed that is not used.
func TestSeedsDiffer(t *testing.T) {
	d, err := dataset.New(make([]float64, 30), make([]int, 30), []string{"x"}, []string{"c"})
	if err != nil {
		t.Fatal(err)
	}
	a, _ := d.Folds(3, 1)
	b, _ := d.Folds(3, 2)
	if cmp.Equal(a, b) {
		t.Error("seeds 1 and 2 give the same folds")
	}
}

// TestSplitKeepsReading: parts are read as the whole file is, even where they alone would not tell how.
func TestSplitKeepsReading(t *testing.T) {
	var b strings.Builder
	b.WriteString("7.5;1,234;01/13/2024;name 0;x\n")
	for i := 1; i < 24; i++ {
		fmt.Fprintf(&b, "%d;%d,%03d;01/%02d/2024;name %d;%s\n", i%5, i, i, i%9+1, i, []string{"x", "y"}[i%2])
	}
	s, err := dataset.NewSplitter(strings.NewReader(b.String()), "d.csv", dataset.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	all := s.All()
	if got := all.Row(0); !slices.Equal(got, []float64{7.5, 1234, 12}) {
		t.Fatalf("%v of %v", got, all.Features)
	}
	train, test, err := s.Split(all.Complement([]int{0, 5}), []int{0, 5}, "")
	if err != nil || !slices.Equal(test.Row(0)[:2], []float64{7.5, 1234}) || train.Row(0)[1] != 1001 || train.P() != 3 {
		t.Errorf("%v, %v, %v", err, train, test)
	}
}
