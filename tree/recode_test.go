package tree_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/treetest"
	"github.com/octgen/octgen/tree"
)

// rawRows draws rows of a table with dates, categories and a number.
func rawRows(t *rapid.T, name string) []map[string]string {
	var rows []map[string]string
	for i := range rapid.IntRange(4, 12).Draw(t, name) {
		rows = append(rows, map[string]string{
			"day":   fmt.Sprintf("2020-01-%02d", rapid.IntRange(1, 28).Draw(t, "day")),
			"grade": rapid.SampledFrom([]string{"a", "b", "c", "d", "e"}).Draw(t, "grade"),
			"side":  rapid.SampledFrom([]string{"left", "mid", "right"}).Draw(t, "side"),
			"size":  fmt.Sprint(rapid.IntRange(0, 5).Draw(t, "size")),
			"class": []string{"no", "yes"}[i%2],
		})
	}
	return rows
}

func loadRaw(t *rapid.T, rows []map[string]string, kind dataset.ColumnKind) *dataset.Dataset {
	header := []string{"day", "grade", "side", "size", "class"}
	text := strings.Join(header, ",") + "\n"
	for _, r := range rows {
		var fields []string
		for _, name := range header {
			fields = append(fields, r[name])
		}
		text += strings.Join(fields, ",") + "\n"
	}
	ds, err := dataset.Read(strings.NewReader(text), "t.csv", dataset.LoadOptions{Dates: []string{"day"}, Categorical: kind})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// sloped gives the splits of a tree terms on a second feature.
func sloped(t *rapid.T, of *tree.Tree) {
	for i := range of.Nodes {
		s := of.Nodes[i].Split
		if s == nil || rapid.Bool().Draw(t, "univariate") {
			continue
		}
		j := rapid.IntRange(0, len(of.Features)-1).Draw(t, "second")
		if j == s.Terms[0].Feature {
			continue
		}
		terms := []tree.Term{{Feature: s.Terms[0].Feature, Weight: 1}, {Feature: j, Weight: rapid.SampledFrom([]float64{-2, -1, 1, 2}).Draw(t, "weight")}}
		slices.SortFunc(terms, func(a, b tree.Term) int { return a.Feature - b.Feature })
		of.Nodes[i].Split = &tree.Split{Terms: terms, Threshold: float64(rapid.IntRange(-4, 8).Draw(t, "threshold")) + 0.25}
	}
}

// TestRecode: of two tables with the same columns, whose dates begin on other days and
// whose categories differ, a tree of the one, as a tree of the other, sends the other's
// rows the same ways as its own encoder has it.
func TestRecode(t *testing.T) {
	moved, parted := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]dataset.ColumnKind{dataset.OneHot, dataset.Ordinal}).Draw(t, "kind")
		mine, rows := rawRows(t, "mine"), rawRows(t, "others")
		a, b := loadRaw(t, mine, kind), loadRaw(t, rows, kind)
		given := treetest.Upper(t, a, 3, 4)
		if kind == dataset.OneHot {
			sloped(t, given)
		}
		got, err := given.Recode(b)
		if err != nil {
			t.Fatal(err)
		}
		if err := got.Validate(); err != nil {
			t.Fatal(err)
		}
		to, from := map[int]int{}, map[int]int{}
		for i, r := range rows {
			x, err := a.Encoder.EncodeRecord(r, dataset.UnknownOther)
			if err != nil {
				t.Fatal(err)
			}
			if kind == dataset.Ordinal && slices.Contains(x, -1) { // which goes by its order
				continue
			}
			leaf, own := given.Find(x), got.Find(b.Row(i))
			if was, seen := to[leaf]; seen && was != own {
				t.Fatalf("row %d (%v) is at leaf %d of the tree, with others of leaf %d, not %d", i, r, leaf, was, own)
			}
			if was, seen := from[own]; seen && was != leaf {
				t.Fatalf("row %d (%v) is at leaf %d with rows of leaf %d, but of leaf %d", i, r, own, was, leaf)
			}
			to[leaf], from[own] = own, leaf
		}
		if len(to) > 1 {
			parted++
		}
		if a.Encoder.Columns[0].Date.First != b.Encoder.Columns[0].Date.First {
			moved++
		}
	})
	if moved == 0 || parted == 0 {
		t.Errorf("%d tables with another first day, %d trees that part rows", moved, parted)
	}
}

// TestRecodeMistakes: columns of another kind are an error that says so, and a feature that
// there is not is one by its name.
func TestRecodeMistakes(t *testing.T) {
	read := func(text string, o dataset.LoadOptions) *dataset.Dataset {
		ds, err := dataset.Read(strings.NewReader(text), "t.csv", o)
		if err != nil {
			t.Fatal(err)
		}
		return ds
	}
	const dates = "day,c\n2020-01-01,a\n2020-01-05,b\n"
	stump := func(ds *dataset.Dataset) *tree.Tree {
		s := tree.NewLeaf(ds, 0)
		s.Grow(0, tree.Univariate(0, 0.5), 0, 1)
		return s
	}
	days := stump(read(dates, dataset.LoadOptions{Dates: []string{"day"}}))
	for _, c := range []struct {
		of   *tree.Tree
		on   *dataset.Dataset
		want string
	}{
		{days, read("day,c\n1,a\n2,b\n", dataset.LoadOptions{}), `the column "day" is one of dates in the tree, numeric in the data`},
		{days, read("week,c\n1,a\n2,b\n", dataset.LoadOptions{}), `there is no feature "day"`},
		{stump(read("g,c\nx,a\ny,b\n", dataset.LoadOptions{})), read("g,c\nx,a\ny,b\n", dataset.LoadOptions{Categorical: dataset.Ordinal}), `the column "g" is onehot in the tree, ordinal in the data`},
	} {
		if _, err := c.of.Recode(c.on); err == nil || err.Error() != c.want {
			t.Errorf("%v; want %s", err, c.want)
		}
	}
}
