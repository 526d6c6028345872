package export_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/tree"
)

// oddNames are names that a target may take for something else.
var oddNames = []string{
	"it's", `say "hi"`, "select", "a b  c", "back`tick", "*/ int x; /*", "</script><b>", "line\nbreak", `C:\new\`,
	"naïve Größe 数 🌳", "__proto__", "'; DROP TABLE rows; --", "%s %d %[1]d", "${x}", "#{x}", "??/", "x0", "1e5", "-- c", "import os",
	"int", "column_1", "column 1", "\"\"\"", "\\u0041", "{{.}}", "&amp;<>", "]]>", "\tTab", "end\\",
}

// conformanceCases are trees over what trees and columns can be.
func conformanceCases(t *testing.T) []*conformanceCase {
	t.Helper()
	cases := []*conformanceCase{
		leafCase(t), irisCase(t), classesCase(t), categoriesCase(t), completeCase(t), gapsCase(t), meansCase(t), ordinalCase(t),
		planesCase(t), mixedPlanesCase(t), chainCase(t), extremesCase(t), namesCase(t), columnsCase(t), codesCase(t),
		datesCase(t, "dates", "YYYY-MM-DDThh:mm:ssZ"), datesCase(t, "short dates", "DD.MM.YY"), datesCase(t, "packed dates", "YYYYMMDD hh:mm"),
	}
	for _, c := range cases {
		c.addSpecialRows()
		c.answer(t)
	}
	return cases
}

func leafCase(t *testing.T) *conformanceCase {
	return fitted(t, "leaf", table{rows: 20, numbers: 2, classes: letters(2)}, dataset.LoadOptions{}, 0)
}

func irisCase(t *testing.T) *conformanceCase {
	ds := datatest.Example(t, "iris")
	c := grown(t, "iris", ds, 3)
	c.columns = ds.Features
	for i := range ds.N() {
		var row []string
		for _, v := range ds.Row(i) {
			row = append(row, strconv.FormatFloat(v, 'g', -1, 64))
		}
		c.rows = append(c.rows, row)
	}
	c.plain = len(c.rows)
	return c
}

func classesCase(t *testing.T) *conformanceCase {
	return fitted(t, "classes", table{rows: 150, numbers: 4, classes: letters(7), decimals: 2}, dataset.LoadOptions{}, 5)
}

var colours = [][]string{{"red", "green", "blue", "grey", "it's", "naïve"}, {"yes", "no"}, {"1", "2", "10"}}

func categoriesCase(t *testing.T) *conformanceCase {
	return fitted(t, "categories", table{rows: 120, numbers: 1, categories: colours, classes: letters(3), decimals: 1},
		dataset.LoadOptions{CategoricalColumns: []string{"cat3"}}, 4)
}

// completeCase has training rows without gaps and takes unknown texts as none: a missing
// field is no unknown text, and its row has no class.
func completeCase(t *testing.T) *conformanceCase {
	c := fitted(t, "complete", table{rows: 120, numbers: 1, categories: colours, gaps: 0.1, classes: letters(3), decimals: 1},
		dataset.LoadOptions{CategoricalColumns: []string{"cat3"}}, 4)
	c.unknown = dataset.UnknownOther
	return c
}

func gapsCase(t *testing.T) *conformanceCase {
	c := fitted(t, "gaps", table{rows: 150, numbers: 3, categories: colours, gaps: 0.2, classes: letters(2), decimals: 1, comma: true},
		dataset.LoadOptions{Decimal: ",", NAValues: []string{"-999", "n.a.", "NA"}, Missing: dataset.MissingCategory, CategoricalColumns: []string{"cat3"}}, 5)
	c.unknown = dataset.UnknownOther
	return c
}

func meansCase(t *testing.T) *conformanceCase {
	return fitted(t, "means", table{rows: 120, numbers: 3, categories: colours, gaps: 0.2, classes: letters(4), decimals: 3},
		dataset.LoadOptions{Missing: dataset.MissingMean, CategoricalColumns: []string{"cat3"}}, 5)
}

func ordinalCase(t *testing.T) *conformanceCase {
	c := fitted(t, "ordinal", table{rows: 120, numbers: 1, categories: colours, gaps: 0.1, classes: letters(3), decimals: 1},
		dataset.LoadOptions{Categorical: dataset.Ordinal, Missing: dataset.MissingCategory, CategoricalColumns: []string{"cat3"}}, 5)
	c.unknown = dataset.UnknownOther
	return c
}

// planesCase has splits of random weights, with the sum of a training row as threshold,
// over columns named as those that a statement of SQL adds or as its parts.
func planesCase(t *testing.T) *conformanceCase {
	names := []string{"octgen_share_a", "OCTGEN_SHARE_B", "leaf_class", "source_table", "num5"}
	c := fitted(t, "planes", table{rows: 120, numbers: 5, names: names, classes: letters(3), decimals: 2}, dataset.LoadOptions{}, 2)
	c.tilt(t)
	return c
}

func mixedPlanesCase(t *testing.T) *conformanceCase {
	c := fitted(t, "mixed planes", table{rows: 120, numbers: 2, categories: colours, gaps: 0.15, classes: letters(2), decimals: 2},
		dataset.LoadOptions{Missing: dataset.MissingCategory, CategoricalColumns: []string{"cat3"}}, 3)
	c.tilt(t)
	c.unknown = dataset.UnknownOther
	return c
}

// tilt makes hyperplanes of the splits, each through a training row.
func (c *conformanceCase) tilt(t *testing.T) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, uint64(len(c.name))))
	x := c.encoded(t, c.rows)
	for i := range c.tree.Nodes {
		s := c.tree.Nodes[i].Split
		if s == nil {
			continue
		}
		s.Terms, s.Threshold = nil, 0
		row := x[r.IntN(len(x))]
		for j := range c.tree.Features {
			if r.IntN(4) > 0 || j == 0 {
				w := r.NormFloat64()
				s.Terms = append(s.Terms, tree.Term{Feature: j, Weight: w})
				s.Threshold += float64(w * row[j])
			}
		}
	}
}

// extremesCase has thresholds that decimals and conversions find hard.
func extremesCase(t *testing.T) *conformanceCase {
	c := fitted(t, "extremes", table{rows: 60, numbers: 1, classes: letters(2), decimals: 1}, dataset.LoadOptions{}, 0)
	thresholds := []float64{
		5e-324, 2.2250738585072014e-308, 1e300, -1e300, 0.1 + 0.2, 1.0 / 3, 1e22, 1e23, 9007199254740993, 123456789012345.67,
		-4.9406564584124654e-324, 0.7949999999999999, 6.02214076e23, 0,
	}
	slices.Sort(thresholds)
	c.tree.Nodes = nil
	var add func(from, to int) int
	add = func(from, to int) int { // the thresholds from..to-1 as a search tree
		at := len(c.tree.Nodes)
		if from == to {
			weight := []float64{float64(to), 3}
			c.tree.Nodes = append(c.tree.Nodes, tree.Node{Class: to % 2, Weight: weight, Count: weight})
			return at
		}
		middle := (from + to) / 2
		c.tree.Nodes = append(c.tree.Nodes, tree.Node{Split: tree.Univariate(0, thresholds[middle])})
		left, right := add(from, middle), add(middle+1, to)
		c.tree.Nodes[at].Left, c.tree.Nodes[at].Right = left, right
		return at
	}
	add(0, len(thresholds))
	return c
}

// namesCase has names of columns, categories and classes that mean something elsewhere.
func namesCase(t *testing.T) *conformanceCase {
	odd := make([]string, len(oddNames))
	for i, name := range oddNames {
		odd[i] = strings.TrimSpace(name)
	}
	columns := odd[:6]
	c := fitted(t, "names", table{
		rows: 300, numbers: 3, categories: [][]string{odd, odd[5:12], odd[8:20]}, classes: odd[6:12], names: columns, decimals: 1,
	}, dataset.LoadOptions{CategoricalColumns: columns[3:]}, 5)
	return c
}

// columnsCase has hyperplanes over columns of all odd names.
func columnsCase(t *testing.T) *conformanceCase {
	odd := make([]string, len(oddNames))
	for i, name := range oddNames {
		odd[i] = strings.TrimSpace(name)
	}
	c := fitted(t, "columns", table{rows: 40, numbers: len(odd), names: odd, classes: odd[len(odd)-7:], decimals: 1}, dataset.LoadOptions{}, 3)
	c.tilt(t)
	return c
}

func codesCase(t *testing.T) *conformanceCase {
	return fitted(t, "codes", table{rows: 100, categories: [][]string{{"y", "n"}, {"y", "n"}, {"low", "high", "y"}}, gaps: 0.2, classes: letters(2)},
		dataset.LoadOptions{Codes: "y=1,n=-1.5,?=0", Missing: dataset.MissingMean, CategoricalColumns: []string{"cat3"}}, 4)
}

// datesCase has a column of dates in a format; rows differ from each other in all parts.
func datesCase(t *testing.T, name, format string) *conformanceCase {
	t.Helper()
	r := rand.New(rand.NewPCG(7, uint64(len(name))))
	layout := strings.NewReplacer("YYYY", "2006", "YY", "06", "MM", "01", "DD", "02", "hh", "15", "mm", "04", "ss", "05.999", "Z", "Z07:00").Replace(format)
	var b strings.Builder
	b.WriteString("when,num,class\n")
	for i := range 80 {
		at := time.Unix(1.6e9+int64(r.IntN(9e7)), int64(r.IntN(1000))*1e6).In(time.FixedZone("", 3600*(r.IntN(9)-4)))
		field := at.Format(layout)
		if i%10 == 9 {
			field = ""
		}
		fmt.Fprintf(&b, "%s,%d,%c\n", field, r.IntN(9), 'a'+rune(at.Unix()/2e7)%3)
	}
	ds, err := dataset.Read(strings.NewReader(b.String()), name, dataset.LoadOptions{Dates: []string{"when=" + format}, Missing: dataset.MissingMean})
	if err != nil {
		t.Fatal(err)
	}
	c := grown(t, name, ds, 3)
	c.read(t, b.String())
	for _, field := range []string{
		"2021-02-29T00:00:00Z", "2020-02-29T23:59:59.123456789+05:30", "2020-2-9T3:04:05Z", "2020-02-09T24:00:00Z", "2020-13-01T00:00:00Z",
		"29.02.20", "29.02.21", "1.3.69", "1.3.68", "00.01.20", "31.04.20", "20200229 23:59", "2020229 23:59", "20210229 1:02", "20210228 1:02", " 20210228 01:60",
	} {
		row := slices.Clone(c.rows[0])
		row[0] = field
		c.rows = append(c.rows, row)
	}
	return c
}
