package dataset_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
)

// dialect is a way to write a table.
type dialect struct {
	delimiter, decimal, thousands string
	encoding                      string
	header, quoted, trailing, sep bool
	eol                           string
	date                          string // layout
}

func drawDialect(rng *rand.Rand) dialect {
	pick := func(s ...string) string { return s[rng.IntN(len(s))] }
	d := dialect{
		delimiter: pick(",", ";", "\t", "|"), decimal: pick(".", ","), encoding: pick("", "", "bom", "latin1", "utf16"),
		header: rng.IntN(4) > 0, quoted: rng.IntN(3) == 0, trailing: rng.IntN(5) == 0, sep: rng.IntN(8) == 0, eol: pick("\n", "\r\n"),
		date: pick("2006-01-02", "1/2/2006", "2/1/2006", "2.1.2006", "2 Jan 2006", "2006-01-02T15:04:05Z"),
	}
	d.thousands = map[string][]string{".": {"", "", ",", " ", "'"}, ",": {"", "", ".", " ", "\u00a0"}}[d.decimal][rng.IntN(5)]
	return d
}

// number writes a number with a number of decimals.
func (d *dialect) number(v float64, decimals int) string {
	whole, fraction, found := strings.Cut(strconv.FormatFloat(math.Abs(v), 'f', decimals, 64), ".")
	var b strings.Builder
	for i, c := range whole {
		if left := len(whole) - i; i > 0 && left%3 == 0 {
			b.WriteString(d.thousands)
		}
		b.WriteRune(c)
	}
	if found {
		b.WriteString(d.decimal + fraction)
	}
	if v < 0 {
		return "-" + b.String()
	}
	return b.String()
}

// field writes a field, in quotes where it must be.
func (d *dialect) field(s string) string {
	if d.quoted || strings.ContainsAny(s, d.delimiter+"\"\n") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// drawnColumn is a column with what a reader must find.
type drawnColumn struct {
	name   string
	texts  []string
	values []float64 // nil for texts
}

func (d *dialect) drawColumn(rng *rand.Rand, rows, j int) drawnColumn {
	c := drawnColumn{name: fmt.Sprintf("v%d", j), texts: make([]string, rows), values: make([]float64, rows)}
	kind, decimals := rng.IntN(7), rng.IntN(4)
	scale := []float64{1, 30, 5000, 3e6}[rng.IntN(4)]
	words := []string{"red", "gr\u00fcn", "so, so", "a;b", "two\nlines", "blue sky"}
	currency := []string{"$", "\u20ac", "EUR"}[rng.IntN(3)]
	var first float64
	for i := range rows {
		v := rng.NormFloat64() * scale
		power := math.Pow(10, float64(decimals))
		v = math.Round(v*power) / power
		switch kind {
		case 0: // whole
			v = math.Round(v)
			c.texts[i] = d.number(v, 0)
		case 1: // share
			c.texts[i] = d.number(v, decimals) + "%"
		case 2: // money
			v = math.Round(v*100) / 100
			c.texts[i] = currency + d.number(math.Abs(v), 2)
			v = math.Abs(v)
		case 3: // date
			at := time.Date(2000+rng.IntN(20), time.Month(1+rng.IntN(12)), 1+rng.IntN(28), 0, 0, 0, 0, time.UTC)
			c.texts[i], v = at.Format(d.date), float64(at.Unix())/(24*60*60)
		case 4:
			c.texts[i], c.values = words[rng.IntN(len(words))], nil
		default:
			c.texts[i] = d.number(v, decimals)
		}
		if c.values != nil {
			c.values[i] = v + 0
		}
	}
	if kind == 3 { // days since the first
		first = c.values[0]
		for _, v := range c.values {
			first = min(first, v)
		}
		for i := range c.values {
			c.values[i] -= first
		}
	}
	return c
}

// write writes the columns, with a class as the last.
func (d *dialect) write(columns []drawnColumn, classes []string) []byte {
	var b strings.Builder
	if d.sep {
		b.WriteString("sep=" + d.delimiter + d.eol)
	}
	line := func(fields []string) {
		for i, s := range fields {
			if i > 0 {
				b.WriteString(d.delimiter)
			}
			b.WriteString(s)
		}
		if d.trailing {
			b.WriteString(d.delimiter)
		}
		b.WriteString(d.eol)
	}
	var fields []string
	if d.header {
		for _, c := range columns {
			fields = append(fields, d.field(c.name))
		}
		line(append(fields, d.field("class")))
	}
	for i, class := range classes {
		fields = fields[:0]
		for _, c := range columns {
			fields = append(fields, d.field(c.texts[i]))
		}
		line(append(fields, d.field(class)))
	}
	text := []byte(b.String())
	switch d.encoding {
	case "bom":
		return append([]byte("\xef\xbb\xbf"), text...)
	case "latin1":
		if coded, err := charmap.Windows1252.NewEncoder().Bytes(text); err == nil {
			return coded
		}
	case "utf16":
		if coded, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().Bytes(text); err == nil {
			return coded
		}
	}
	return text
}

// TestDialects: a table in a random dialect is read with the values that were written, or not at all: with an error that
// asks, never with other values.
func TestDialects(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 1))
	readAs, asked := 0, 0
	for range datatest.Some(10000) {
		d := drawDialect(rng)
		rows, columns := 5+rng.IntN(60), make([]drawnColumn, 1+rng.IntN(4))
		for j := range columns {
			columns[j] = d.drawColumn(rng, rows, j)
		}
		if !d.header && !slices.ContainsFunc(columns, func(c drawnColumn) bool { return c.values != nil }) {
			d.header = true // a first line of texts only may be one as well
		}
		classes := make([]string, rows)
		for i := range classes {
			classes[i] = []string{"yes", "no", "n\u00e4"}[rng.IntN(3)]
		}
		text := d.write(columns, classes)
		ds, err := dataset.Read(bytes.NewReader(text), "d.csv", dataset.LoadOptions{})
		if err != nil {
			var mistake *dataset.Error
			if !errors.As(err, &mistake) {
				t.Fatalf("%+v: %v", d, err)
			}
			asked++
			continue
		}
		readAs++
		if diff := misread(ds, columns, classes); diff != "" {
			t.Fatalf("%+v: %s; said %q, columns %+v, from\n%s", d, diff, ds.Reading.Recognised, ds.Reading.Columns, text)
		}
		again, err := ds.Encoder.Read(bytes.NewReader(text), "new.csv", dataset.EncodeOptions{})
		if err != nil || fmt.Sprint(again.X) != fmt.Sprint(ds.X) {
			t.Fatalf("%+v: read again with its encoder: %v, from\n%s", d, err, text)
		}
	}
	if t.Logf("%d read, %d asked", readAs, asked); readAs < 2*asked {
		t.Errorf("%d read, %d asked", readAs, asked)
	}
}

// misread says how a dataset differs from what was written, "" if not.
func misread(ds *dataset.Dataset, columns []drawnColumn, classes []string) string {
	if ds.N() != len(classes) {
		return fmt.Sprintf("%d rows of %d", ds.N(), len(classes))
	}
	for i, y := range ds.Y {
		if ds.Classes[y] != classes[i] {
			return fmt.Sprintf("row %d has class %q, not %q", i, ds.Classes[y], classes[i])
		}
	}
	at := 0
	for k := range ds.Encoder.Columns {
		e := &ds.Encoder.Columns[k]
		var c *drawnColumn
		for j := range columns {
			if e.Name == columns[j].name || e.Name == fmt.Sprintf("c%d", j+1) {
				c = &columns[j]
			}
		}
		if c == nil {
			return fmt.Sprintf("a column %q", e.Name)
		}
		numbers := e.Kind == dataset.Numeric
		if numbers != (c.values != nil) {
			return fmt.Sprintf("the column %q is %s", e.Name, e.Kind)
		}
		if numbers {
			for i, want := range c.values {
				if got := ds.Row(i)[at]; math.Abs(got-want) > 1e-9*max(1, math.Abs(want)) {
					return fmt.Sprintf("the column %q has %v in row %d, not %v", e.Name, got, i, want)
				}
			}
			at++
			continue
		}
		at += max(1, len(e.Categories))
		if len(e.Categories) == 2 {
			at--
		}
	}
	return ""
}
