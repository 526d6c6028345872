package dataset_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
)

// TestAmounts: numbers in other notations are read as numbers, said, and read the same way again; what could be two
// numbers is asked.
func TestAmounts(t *testing.T) {
	for _, c := range []struct {
		what, values string // of the column a, separated by bars
		want         []float64
		said         string // how they are written, or the error
	}{
		{"commas between thousands", "1,234|950|12,345,678", []float64{1234, 950, 12345678}, "numbers with signs between thousands"},
		{"and fractions", "1,234.5|950|1,000", []float64{1234.5, 950, 1000}, "numbers with signs between thousands"},
		{"points between thousands", "1.234,5|950|1.000", []float64{1234.5, 950, 1000}, "numbers with decimal commas"},
		{"blanks between thousands", "1 234|950|1\u00a0000.5", []float64{1234, 950, 1000.5}, "numbers with signs between thousands"},
		{"apostrophes", "1'234.5|950|1’000", []float64{1234.5, 950, 1000}, "numbers with signs between thousands"},
		{"decimal commas", "1,5|2|3,25", []float64{1.5, 2, 3.25}, "numbers with decimal commas"},
		{"percent signs", "12%|3.5 %|0", []float64{12, 3.5, 0}, "percentages (12% is 12)"},
		{"money", "$1,234|-$5|($1,000)", []float64{1234, -5, -1000}, "amounts in $"},
		{"money after", "1.234 €|5,50 €|-3 €", []float64{1234, 5.5, -3}, "amounts in € with decimal commas"},
		{"money in words", "EUR 1 234|EUR 5|EUR 7", []float64{1234, 5, 7}, "amounts in EUR"},
		{"many plain numbers before", "1|2|3|4|5|6|7|8|9|10|11|12|13|14|15|16|17|18|19|20|21|22|23|1,234.5", []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 1234.5}, "numbers with signs between thousands"},
		{"either", "1,234|950|1,000", nil, `d.csv:2:1: column "a": "1,234" is 1234 with a decimal point or 1.234 with a decimal comma, and no value of the column tells which; name the mark (--decimal . or --decimal ,)`},
		{"semicolons and points", "1.234|950|1.000", nil, `d.csv:2:1: column "a": "1.234" is 1.234 with a decimal point or 1234 with a decimal comma, and no value of the column tells which; name the mark (--decimal . or --decimal ,)`},
		{"prices of fuel", "1.899 €|1.759 €|1.819 €", nil, `d.csv:2:1: column "a": "1.899 €" is 1.899 with a decimal point or 1899 with a decimal comma, and no value of the column tells which; name the mark (--decimal . or --decimal ,)`},
		{"two currencies", "$5|€5|$6", nil, ""},
		{"percent signs beside fractions", "12%|0.5|3%", nil, ""},
	} {
		text := "a;b;class\n"
		for i, v := range strings.Split(c.values, "|") {
			text += v + ";7;" + []string{"x", "y"}[i%2] + "\n"
		}
		d, err := dataset.Read(strings.NewReader(text), "d.csv", dataset.LoadOptions{Delimiter: ';'})
		if c.want == nil {
			if c.said != "" && errorText(err) != c.said {
				t.Errorf("%s: %v; want %s", c.what, err, c.said)
			}
			if c.said == "" && err == nil && d.Reading.Columns[0].Kind != dataset.ReadCategory {
				t.Errorf("%s: read as %+v", c.what, d.Reading.Columns[0])
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if got := valuesOf(d, 0); !slices.Equal(got, c.want) || d.Reading.Columns[0].Format != c.said && d.Encoder.Decimal != "," {
			t.Errorf("%s: %v, %q; want %v, %q", c.what, got, d.Reading.Columns[0].Format, c.want, c.said)
		}
		again, err := d.Encoder.Read(strings.NewReader(text), "new.csv", dataset.EncodeOptions{Delimiter: ';'})
		if err != nil || !slices.Equal(again.X, d.X) {
			t.Errorf("%s: read again: %v, %v", c.what, again, err)
		}
	}
	marked := dataset.LoadOptions{Delimiter: ';', Decimal: "."}
	if d := read(t, "a;class\n1,234;x\n950;y\n", marked); d.X[0] != 1234 {
		t.Errorf("with the mark given: %v", d.X)
	}
	if d := read(t, "a;b;class\n1,234;0.5;x\n950;2;y\n", dataset.LoadOptions{}); d.X[0] != 1234 {
		t.Errorf("with a decimal point in another column: %v", d.X)
	}
	_, err := read(t, "a;class\n$5;x\n$9;y\n", dataset.LoadOptions{}).Encoder.Read(strings.NewReader("a;class\n5%;x\n"), "new.csv", dataset.EncodeOptions{})
	if want := `new.csv:2:1: column "a": "5%" is not a number written as the column's were in training: amounts in $`; errorText(err) != want {
		t.Errorf("%v; want %s", err, want)
	}
}

func valuesOf(d *dataset.Dataset, j int) []float64 {
	var all []float64
	for i := range d.N() {
		all = append(all, d.Row(i)[j])
	}
	return all
}
