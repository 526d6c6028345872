package export_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/tree"
)

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
