package export_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/heuristics/cart"
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
		subsetsCase(t), prefixesCase(t), routeCase(t, dataset.OneHot), routeCase(t, dataset.Subsets), planesCase(t), mixedPlanesCase(t), setPlanesCase(t), chainCase(t), extremesCase(t), namesCase(t), columnsCase(t), codesCase(t),
		datesCase(t, "dates", "YYYY-MM-DDThh:mm:ssZ", dataset.MissingMean), datesCase(t, "short dates", "DD.MM.YY", dataset.MissingMean), datesCase(t, "packed dates", "YYYYMMDD hh:mm", dataset.MissingMean),
		datesCase(t, "routed dates", "DD.MM.YY", dataset.MissingRoute), datesCase(t, "complete dates", "YYYY-MM-DDThh:mm:ssZ", dataset.DropMissing), datesCase(t, "short complete dates", "DD.MM.YY", dataset.DropMissing),
	}
	cases = append(cases, randomCases(t)...)
	for _, c := range cases {
		c.addSpecialRows()
		c.answer(t)
	}
	return cases
}

// randomCases are trees over columns with gaps, whose categories are one-hot or sets and whose gaps are filled, a category or routed; texts
// that training lacked are admitted at times. $OCTGEN_TREES is their number.
func randomCases(t *testing.T) (cases []*conformanceCase) {
	t.Helper()
	n := 3
	if text := os.Getenv("OCTGEN_TREES"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	r := rand.New(rand.NewPCG(5, 9))
	for k := range n {
		o := dataset.LoadOptions{
			Missing:     []dataset.MissingPolicy{dataset.MissingRoute, dataset.MissingRoute, dataset.MissingCategory, dataset.MissingMean}[r.IntN(4)],
			Categorical: []dataset.ColumnKind{dataset.OneHot, dataset.Subsets, dataset.Subsets}[r.IntN(3)],
		}
		some := [][]string{colours[0][:2+r.IntN(5)], letters(2 + r.IntN(12))}
		d := table{rows: 30 + r.IntN(40), numbers: 1 + r.IntN(2), categories: some[:1+r.IntN(2)], gaps: 0.25, classes: letters(2 + r.IntN(2)), decimals: 1}
		text := d.csv(uint64(1000 + k))
		ds, err := dataset.Read(strings.NewReader(text), "random", o)
		if err != nil {
			t.Fatal(err)
		}
		c := grown(t, fmt.Sprintf("random %d", k), ds, 1+r.IntN(4))
		c.read(t, text)
		c.reroute()
		if r.IntN(2) == 0 {
			c.unknown = dataset.UnknownOther
		}
		cases = append(cases, c)
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

// subsetsCase has sets of categories, gaps as one of them, and takes unknown texts as none.
func subsetsCase(t *testing.T) *conformanceCase {
	c := fitted(t, "subsets", table{rows: 150, numbers: 1, categories: colours, gaps: 0.1, classes: letters(3), decimals: 1},
		dataset.LoadOptions{Categorical: dataset.Subsets, Missing: dataset.MissingCategory, CategoricalColumns: []string{"cat3"}}, 5)
	c.unknown = dataset.UnknownOther
	return c
}

// routeCase has splits that choose the side of missing fields: below all numbers, above them, or apart.
func routeCase(t *testing.T, kind dataset.ColumnKind) *conformanceCase {
	c := fitted(t, "route "+string(kind), table{rows: 200, numbers: 3, categories: colours[:1], gaps: 0.25, classes: letters(3), decimals: 1},
		dataset.LoadOptions{Missing: dataset.MissingRoute, Categorical: kind}, 5)
	if c.reroute() == 0 {
		t.Fatal("no split to reroute")
	}
	return c
}

// reroute has the other feature of some columns in place of the one that splits have, and returns of how many splits.
func (c *conformanceCase) reroute() (n int) {
	meanings := c.tree.Encoder.Meanings()
	for i := range c.tree.Nodes {
		s := c.tree.Nodes[i].Split
		if s == nil || !meanings[s.Terms[0].Feature].Column.Route || i%2 == 1 {
			continue
		}
		b, other := s.Threshold, s.Terms[0].Feature+1
		if meanings[s.Terms[0].Feature].Last {
			other -= 2
		}
		if math.Abs(b) > dataset.MostRouted {
			b = -b
		}
		c.tree.Nodes[i].Split = tree.Univariate(other, b)
		n++
	}
	return n
}

// prefixesCase has sets in the order of the mean outcome; unknown texts have no class.
func prefixesCase(t *testing.T) *conformanceCase {
	return fitted(t, "prefixes", table{rows: 200, categories: [][]string{letters(12), colours[0]}, classes: letters(2)}, dataset.LoadOptions{Categorical: dataset.Subsets}, 4)
}

// setPlanesCase has hyperplanes over sets of categories.
func setPlanesCase(t *testing.T) *conformanceCase {
	c := fitted(t, "set planes", table{rows: 120, numbers: 1, categories: colours[:2], classes: letters(2), decimals: 2}, dataset.LoadOptions{Categorical: dataset.Subsets}, 3)
	c.tilt(t)
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
func datesCase(t *testing.T, name, format string, missing dataset.MissingPolicy) *conformanceCase {
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
	ds, err := dataset.Read(strings.NewReader(b.String()), name, dataset.LoadOptions{Dates: []string{"when=" + format}, Missing: missing})
	if err != nil {
		t.Fatal(err)
	}
	c := grown(t, name, ds, 3)
	if missing == dataset.MissingRoute && c.reroute() == 0 {
		t.Fatal("no split to reroute")
	}
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

// conformanceCase is a tree with rows that its exports must classify as octgen predict does.
type conformanceCase struct {
	name    string
	tree    *tree.Tree
	unknown dataset.UnknownPolicy
	columns []string   // of rows
	rows    [][]string // raw fields
	plain   int        // so many rows of them have numbers as people write them
	want    []answer   // by row
}

// answer is what a target says of a row.
type answer struct {
	class  string    // "": none
	shares []float64 // nil where the target has no place for them
}

// table draws n rows as CSV: columns num1.. of numbers and cat1.. of categories, with
// gaps, and a class that depends on some of them.
type table struct {
	rows, numbers int
	categories    [][]string // by column
	gaps          float64
	classes       []string
	names         []string // of all columns; default as above
	decimals      int
	comma         bool
}

func (d table) csv(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 21))
	var b strings.Builder
	w := csv.NewWriter(&b)
	header := d.names
	if header == nil {
		for j := range d.numbers {
			header = append(header, fmt.Sprintf("num%d", j+1))
		}
		for j := range d.categories {
			header = append(header, fmt.Sprintf("cat%d", j+1))
		}
	}
	w.Write(append(slices.Clip(header), "class"))
	for range d.rows {
		var record []string
		score := 0.0
		gap := func(s string) string {
			if r.Float64() < d.gaps {
				score += 1.3
				return []string{"", "?"}[r.IntN(2)]
			}
			return s
		}
		for j := range d.numbers {
			v := r.NormFloat64() * 3
			if j < 3 {
				score += v * float64(j+1)
			}
			record = append(record, gap(withMark(d.comma, strconv.FormatFloat(v, 'f', d.decimals, 64))))
		}
		for j, categories := range d.categories {
			k := r.IntN(len(categories))
			score += float64((k*7+j)%5) * 1.7
			record = append(record, gap(categories[k]))
		}
		class := int(math.Abs(score)/2.5) % len(d.classes)
		w.Write(append(record, d.classes[class]))
	}
	w.Flush()
	return b.String()
}

func withMark(comma bool, number string) string {
	if comma {
		return strings.Replace(number, ".", ",", 1)
	}
	return number
}

// fitted is the case of a tree that CART grows on a table.
func fitted(t *testing.T, name string, d table, opts dataset.LoadOptions, depth int) *conformanceCase {
	t.Helper()
	text := d.csv(uint64(len(name)))
	ds, err := dataset.Read(strings.NewReader(text), name, opts)
	if err != nil {
		t.Fatal(err)
	}
	c := grown(t, name, ds, depth)
	c.read(t, text)
	return c
}

func grown(t *testing.T, name string, ds *dataset.Dataset, depth int) *conformanceCase {
	t.Helper()
	grown, err := cart.Grow(t.Context(), ds, cart.Options{MaxDepth: max(1, depth)})
	if err != nil {
		t.Fatal(err)
	}
	if depth == 0 {
		root := grown.Tree.Nodes[0]
		root.Split, root.Left, root.Right = nil, 0, 0
		grown.Tree.Nodes = []tree.Node{root}
	}
	grown.Tree.Fit = &tree.Fit{Method: "cart", Data: "*/ -- ]]> \"\"\" \\ ' \u2028 \n ??/ <b>&.csv", Status: "feasible"} // is a comment
	return &conformanceCase{name: name, tree: grown.Tree}
}

// read takes the rows of a CSV text, but for its last column.
func (c *conformanceCase) read(t *testing.T, text string) {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, record := range records {
		if record = record[:len(record)-1]; i == 0 {
			c.columns = record
		} else {
			c.rows = append(c.rows, record)
		}
	}
	c.plain = len(c.rows)
}

func letters(n int) []string {
	classes := make([]string, n)
	for k := range classes {
		classes[k] = string(rune('a' + k))
	}
	return classes
}

// asked reports which columns splits ask for.
func (c *conformanceCase) asked() map[string]bool {
	asked := make(map[string]bool)
	meanings := c.tree.Encoder.Meanings()
	for i := range c.tree.Nodes {
		if s := c.tree.Nodes[i].Split; s != nil {
			for _, term := range s.Terms {
				asked[meanings[term.Feature].Column.Name] = true
			}
		}
	}
	return asked
}

// addSpecialRows adds rows at every threshold and beside it, with missing fields, with
// texts that are unknown or no numbers, and with blanks around fields.
func (c *conformanceCase) addSpecialRows() {
	meanings := c.tree.Encoder.Meanings()
	base := slices.Clone(c.rows[:2])
	with := func(column string, text string) {
		j := slices.Index(c.columns, column)
		for _, row := range base {
			row = slices.Clone(row)
			row[j] = text
			c.rows = append(c.rows, row)
		}
	}
	for _, name := range c.columns {
		for _, text := range []string{"", "?", "zzz", " ", "12abc", "1,5", "nan", "inf", "0x10", "1_0", ".5", "5.", "+1e0", "1e301", "1.234,5", "-999", "n.a.", "NA"} {
			with(name, text)
		}
		j := slices.Index(c.columns, name)
		with(name, "  "+c.rows[0][j]+" ")
	}
	c.plain = len(c.rows)
	for i := range c.tree.Nodes {
		s := c.tree.Nodes[i].Split
		if s == nil {
			continue
		}
		for _, term := range s.Terms {
			m := meanings[term.Feature]
			if m.Column.Kind != dataset.Numeric || m.Column.Date != nil {
				continue
			}
			at := s.Threshold
			if !s.IsUnivariate() {
				at = c.number(base[0][slices.Index(c.columns, m.Column.Name)])
			}
			for _, v := range []float64{at, math.Nextafter(at, math.Inf(1)), math.Nextafter(at, math.Inf(-1))} {
				with(m.Column.Name, withMark(c.comma(), strconv.FormatFloat(v, 'g', -1, 64)))
			}
		}
	}
}

// encoded returns the rows as the tree's encoder reads them, nil for those that it refuses.
func (c *conformanceCase) encoded(t *testing.T, rows [][]string) [][]float64 {
	t.Helper()
	x := make([][]float64, len(rows))
	for i, row := range rows {
		var b strings.Builder
		w := csv.NewWriter(&b)
		w.Write(append([]string{"\x01line"}, c.columns...))
		w.Write(append([]string{"1"}, row...))
		w.Flush()
		read, err := c.tree.Encoder.ReadRows(strings.NewReader(b.String()), "row", dataset.EncodeOptions{Unknown: c.unknown, KeepIncomplete: true})
		if err == nil && !read.Incomplete[0] {
			x[i] = read.Row(0)
		}
	}
	return x
}

// answer fills in what octgen says. Fields that the tree does not ask for are those of
// the first row there: only octgen predict looks at them.
func (c *conformanceCase) answer(t *testing.T) {
	t.Helper()
	asked := c.asked()
	rows := make([][]string, len(c.rows))
	for i, row := range c.rows {
		rows[i] = slices.Clone(row)
		for j, name := range c.columns {
			if !asked[name] {
				rows[i][j] = c.valid(name)
			}
		}
	}
	c.want = make([]answer, len(rows))
	some := 0
	for i, x := range c.encoded(t, rows) {
		if x == nil {
			continue
		}
		some++
		n := &c.tree.Nodes[c.tree.Find(x)]
		all := 0.0
		for _, w := range n.Weight {
			all += w
		}
		share := make([]float64, len(c.tree.Classes))
		for k, w := range n.Weight {
			share[k] = w / all
		}
		c.want[i] = answer{c.tree.Classes[n.Class], share}
	}
	if some < c.plain/4 {
		t.Fatalf("%s: only %d of %d rows have a class", c.name, some, len(rows))
	}
}

func (c *conformanceCase) comma() bool { return c.tree.Encoder.Decimal == "," }

// number is what a program that knows types has of a field: NaN for a missing number,
// infinity for what is none.
func (c *conformanceCase) number(field string) float64 {
	text := strings.TrimSpace(field)
	if text == "" || slices.Contains(c.tree.Encoder.NAValues, text) {
		return math.NaN()
	}
	if c.comma() {
		text = strings.Replace(strings.ReplaceAll(text, ".", "_"), ",", ".", 1)
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.ContainsAny(text, "xX_iInN") {
		return math.Inf(1)
	}
	return v
}

// valid is a field that the encoder takes for the column.
func (c *conformanceCase) valid(column string) string {
	for i := range c.tree.Encoder.Columns {
		s := &c.tree.Encoder.Columns[i]
		if s.Name == column && s.Kind != dataset.Numeric {
			return s.Categories[0]
		}
	}
	return "0"
}

// compare holds what a target says of the rows against octgen.
func (c *conformanceCase) compare(t *testing.T, target string, rows int, got []answer) {
	t.Helper()
	if len(got) != rows {
		t.Fatalf("%s, %s: %d answers for %d rows", target, c.name, len(got), rows)
	}
	wrong := 0
	for i, a := range got {
		want := c.want[i]
		if a.class != want.class || a.shares != nil && !slices.Equal(a.shares, want.shares) {
			if wrong++; wrong <= 3 {
				t.Errorf("%s, %s, row %d %q: %v, want %v", target, c.name, i, c.rows[i], a, want)
			}
		}
	}
	if wrong > 3 {
		t.Errorf("%s, %s: %d of %d rows differ", target, c.name, wrong, rows)
	}
}
