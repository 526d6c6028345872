package tree

import (
	"bytes"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	"pgregory.net/rapid"
)

func TestText(t *testing.T) {
	for name, f := range map[string]Format{"flowers.txt": {}, "flowers-2.txt": {Decimals: 2}, "flowers-0.txt": {Decimals: -1}} {
		var b bytes.Buffer
		if err := flowers().WriteText(&b, f); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.Bytes())
	}
}

// hostile has names that mean something to XML, DOT and terminals.
func hostile() *Tree {
	t := flowers()
	t.Encoder = nil
	t.Features = []string{`a"b\N`, "<script>alert('x')</script> & more", "line\nbreak\x1b[31m"}
	t.Classes = []string{`"quoted" \l`, "]]>&amp;<!--", strings.Repeat("very long ", 20)}
	return t
}

func TestHostileNamesInText(t *testing.T) {
	if s := hostile().String(); strings.Contains(s, "\x1b") || strings.Count(s, "\n") != 7 {
		t.Errorf("control characters in:\n%q", s)
	}
}

// worded is an encoder with every kind of feature.
func worded() *dataset.Encoder {
	impute, category := 30.0, "?"
	return &dataset.Encoder{
		Target: "class", Classes: []string{"a", "b"}, Missing: dataset.MissingCategory,
		Columns: []dataset.SourceColumn{
			{Name: "age", Kind: dataset.Numeric, Impute: &impute, Indicator: true},
			{Name: "sex", Kind: dataset.OneHot, Categories: []string{"f", "m"}},
			{Name: "colour", Kind: dataset.OneHot, Categories: []string{"blue", "not red", "red", "?"}},
			{Name: "size", Kind: dataset.Ordinal, Categories: []string{"1", "2", "10", "?"}, ImputeCategory: &category},
		},
	}
}

// Feature numbers of worded.
const (
	age = iota
	noAge
	male
	blue
	notRed
	red
	noColour
	size
)

func wordedStump(s *Split) *Tree {
	e := worded()
	t := NewLeaf(&dataset.Dataset{Features: e.Features(), Classes: e.Classes, Encoder: e}, 0)
	t.Grow(0, s, 0, 1)
	return t
}

func TestConditions(t *testing.T) {
	scaled := func(feature int, weight, b float64) *Split {
		return &Split{Terms: []Term{{feature, weight}}, Threshold: b}
	}
	for _, c := range []struct {
		split     *Split
		yes, no   string
		yesIsLeft bool
	}{
		{Univariate(age, 42.5), "age < 42.5", "age >= 42.5", true},
		{scaled(age, -2, -85), "age > 42.5", "age <= 42.5", true},
		{scaled(age, -2, 0), "age > 0", "age <= 0", true},
		{Univariate(noAge, 0.5), "age is missing", "age is not missing", false},
		{Univariate(male, 0.5), "sex is m", "sex is not m", false},
		{Univariate(male, 1), "sex is m", "sex is not m", false},
		{Univariate(male, 0), "sex=m < 0", "sex=m >= 0", true},
		{Univariate(male, 1.5), "sex=m < 1.5", "sex=m >= 1.5", true},
		{scaled(male, -1, -0.5), "sex is m", "sex is not m", true},
		{scaled(male, -1, -1), "sex=m > 1", "sex=m <= 1", true},
		{scaled(male, 4, 2), "sex is m", "sex is not m", false},
		{Univariate(notRed, 0.5), `colour is "not red"`, `colour is not "not red"`, false},
		{Univariate(noColour, 0.5), "colour is missing", "colour is not missing", false},
		{Univariate(size, 0.5), "size < 2", "size >= 2", true},
		{Univariate(size, 1), "size < 2", "size >= 2", true},
		{scaled(size, -1, -1), "size < 10", "size >= 10", false},
		{Univariate(size, 2.5), "size is missing", "size is not missing", false},
		{Univariate(size, 3.5), "size < 3.5", "size >= 3.5", true},
		{
			&Split{Terms: []Term{{age, -0.00123456}, {red, 1}, {size, 2.5}}, Threshold: 1234567.8},
			"2.5*size + (colour is red) - 0.00123*age < 1,230,000", "2.5*size + (colour is red) - 0.00123*age >= 1,230,000", true,
		},
		{&Split{Terms: []Term{{age, -1e-7}, {size, 1e-7}}, Threshold: 0}, "-1e-07*age + 1e-07*size < 0", "-1e-07*age + 1e-07*size >= 0", true},
	} {
		got := wordedStump(c.split).Conditions(Format{})
		want := Condition{Text: c.yes, Else: c.no, Yes: 1, No: 2}
		if !c.yesIsLeft {
			want.Yes, want.No = 2, 1
		}
		if got[0] != want || got[1] != (Condition{}) {
			t.Errorf("%v:\n got %+v\nwant %+v", *c.split, got[0], want)
		}
	}
}

// What the words say of a raw record is where the tree sends it.
func TestConditionsAreTrue(t *testing.T) {
	e := worded()
	rapid.Check(t, func(t *rapid.T) {
		feature := rapid.IntRange(0, size).Draw(t, "feature")
		weight := rapid.SampledFrom([]float64{1, -1, 0.5, -4}).Draw(t, "weight")
		threshold := weight * float64(rapid.IntRange(-2, 8).Draw(t, "threshold")) / 2
		tr := wordedStump(&Split{Terms: []Term{{feature, weight}}, Threshold: threshold})
		c := tr.Conditions(Format{})[0]

		record := map[string]string{
			"age":    rapid.SampledFrom([]string{"0", "0.5", "1", "2", "3", "?"}).Draw(t, "age"),
			"sex":    rapid.SampledFrom([]string{"f", "m"}).Draw(t, "sex"),
			"colour": rapid.SampledFrom([]string{"blue", "not red", "red", "?", "green"}).Draw(t, "colour"),
			"size":   rapid.SampledFrom([]string{"1", "2", "10", "?", "0"}).Draw(t, "size"),
		}
		rows, err := e.ReadRows(strings.NewReader("age,sex,colour,size\n"+record["age"]+","+record["sex"]+","+record["colour"]+","+record["size"]+"\n"),
			"", dataset.EncodeOptions{Unknown: dataset.UnknownOther})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(c.Text, "=") { // a constant split, in terms of the feature
			return
		}
		// Imputed values are what the tree sees; the indicator is asked about by name.
		if record["age"] == "?" && !strings.HasSuffix(c.Text, "missing") {
			record["age"] = "30"
		}
		want := c.No
		if holds(t, c.Text, record) {
			want = c.Yes
		}
		if got := tr.Find(rows.X); got != want {
			t.Errorf("%+v: %q sends %v to %d", tr.Nodes[0].Split, c.Text, record, got)
		}
		if holds(t, c.Text, record) == holds(t, c.Else, record) {
			t.Errorf("%q and %q agree on %v", c.Text, c.Else, record)
		}
	})
}

// holds evaluates a condition on one column.
func holds(t *rapid.T, text string, record map[string]string) bool {
	words := strings.SplitN(text, " ", 3)
	field := record[words[0]]
	operand, isNot := words[2], false
	if words[1] == "is" {
		operand, isNot = strings.CutPrefix(operand, "not ")
		if operand == "missing" {
			operand = "?"
		} else if s, err := strconv.Unquote(operand); err == nil {
			operand = s
		}
		return (field == operand) != isNot
	}
	place := func(s string) float64 {
		if words[0] == "size" {
			if at := slices.Index([]string{"1", "2", "10", "?"}, s); at >= 0 || s == "0" {
				return float64(at)
			}
		}
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	a, b := place(field), place(operand)
	return map[string]bool{"<": a < b, ">=": a >= b, ">": a > b, "<=": a <= b}[words[1]]
}

// The child of a condition's yes comes first in every form.
func TestYesComesFirst(t *testing.T) {
	tr := wordedStump(Univariate(red, 0.5))
	tr.Grow(2, Univariate(size, 1.5), 0, 1)
	for name, write := range map[string]func(io.Writer, Format) error{"worded.txt": tr.WriteText, "worded.dot": tr.WriteDOT, "worded.svg": tr.WriteSVG} {
		var b bytes.Buffer
		if err := write(&b, Format{}); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.Bytes())
	}
}

// datedStump splits a column of dates in a format, whose first one is of 2021-01-06.
func datedStump(format string, s *Split) *Tree {
	e := &dataset.Encoder{Target: "class", Classes: []string{"a", "b"}, Columns: []dataset.SourceColumn{
		{Name: "Start", Kind: dataset.Numeric, Date: &dataset.Date{Format: format, First: "2021-01-06"}},
	}}
	t := NewLeaf(&dataset.Dataset{Features: e.Features(), Classes: e.Classes, Encoder: e}, 0)
	t.Grow(0, s, 0, 1)
	return t
}

func TestDateConditions(t *testing.T) {
	const second = 1.0 / (24 * 60 * 60)
	for _, c := range []struct {
		format         string
		weight, days   float64
		text, opposite string
	}{
		{"YYYY-MM-DD", 1, 341.5, "Start < 2021-12-14", "Start >= 2021-12-14"},
		{"YYYY-MM-DD", 1, 342, "Start < 2021-12-14", "Start >= 2021-12-14"},
		{"YYYY-MM-DD", 0.25, 341.5, "Start < 2021-12-14", "Start >= 2021-12-14"},
		{"YYYY-MM-DD", -1, 341.5, "Start >= 2021-12-14", "Start < 2021-12-14"},
		{"YYYY-MM-DD", -1, 341, "Start >= 2021-12-14", "Start < 2021-12-14"},
		{"DD.MM.YYYY", 1, -5.5, "Start < 01.01.2021", "Start >= 01.01.2021"},
		{"MM/DD/YY", 1, 0.5, "Start < 01/07/21", "Start >= 01/07/21"},
		{"DD.MM.YY", 1, 365 * 60, "Start < 22.12.2080", "Start >= 22.12.2080"},
		{"DD Mon YYYY", 1, 1, "Start < 07 Jan 2021", "Start >= 07 Jan 2021"},
		{"Month DD, YYYY", 1, 1, "Start < January 07, 2021", "Start >= January 07, 2021"},
		{"YYYY-MM", 1, 40.5, "Start < 2021-03", "Start >= 2021-03"},
		{"YYYYMMDD", 1, 1, "Start < 20210107", "Start >= 20210107"},
		{"YYYY-MM-DD hh:mm", 1, 1 + 90*second, "Start < 2021-01-07 00:02", "Start >= 2021-01-07 00:02"},
		{"YYYY-MM-DD hh:mm:ss", 1, 0.5, "Start < 2021-01-06 12:00:00", "Start >= 2021-01-06 12:00:00"},
		{"YYYY-MM-DDThh:mm:ssZ", 1, 0.5 + second/2, "Start < 2021-01-06T12:00:00.5Z", "Start >= 2021-01-06T12:00:00.5Z"},
		{"YYYY-MM-DD hh:mm:ss", 1, math.Nextafter(0.5, 1), "Start <= 2021-01-06 12:00:00", "Start > 2021-01-06 12:00:00"},
		{"YYYY-MM-DD hh:mm:ss", -1, 0.5, "Start > 2021-01-06 12:00:00", "Start <= 2021-01-06 12:00:00"},
		{"YYYY-MM-DD", 1, 1e9, "Start < 1,000,000,000.000", "Start >= 1,000,000,000.000"},
	} {
		got := datedStump(c.format, &Split{Terms: []Term{{0, c.weight}}, Threshold: c.weight * c.days}).Conditions(Format{Decimals: 3})[0]
		if want := (Condition{Text: c.text, Else: c.opposite, Yes: 1, No: 2}); got != want {
			t.Errorf("%s, %v days:\n got %+v\nwant %+v", c.format, c.days, got, want)
		}
	}
}

// What the words say of a date is where the tree sends it, of every format, next to the
// threshold, too, and between two dates of the data as splits are.
func TestDateConditionsAreTrue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		format := rapid.SampledFrom(dataset.DateFormats()).Draw(t, "format")
		layout := strings.NewReplacer("YYYY", "2006", "YY", "06", "Month", "January", "Mon", "Jan", "MM", "1", "DD", "2",
			"hh", "15", "mm", "04", "ss", "05.999999", "Z", "Z07:00").Replace(format)
		if strings.HasPrefix(format, "YYYYMMDD") {
			layout = "20060102" + strings.TrimPrefix(layout, "200612")
		}
		unit := rapid.SampledFrom([]time.Duration{time.Microsecond, 100 * time.Millisecond, time.Second, time.Minute, 24 * time.Hour}).Draw(t, "unit")
		base := time.Date(2021, 1, 6, 0, 0, 0, 0, time.UTC).AddDate(0, 0, rapid.IntRange(-9000, 9000).Draw(t, "day")).
			Add(time.Duration(rapid.IntRange(0, 86399).Draw(t, "second")) * time.Second)
		date := func(name string) string {
			return base.Add(time.Duration(rapid.IntRange(-3, 3).Draw(t, name)) * unit).Format(layout)
		}
		texts := []string{date("a"), date("b"), date("c")}
		days := readDates(t, format, texts)
		weight := rapid.SampledFrom([]float64{1, -1}).Draw(t, "weight")
		threshold := days[0]
		if days[0] < days[1] {
			threshold = Midpoint(days[0], days[1])
		}
		tr := datedStump(format, &Split{Terms: []Term{{0, weight}}, Threshold: weight * threshold})
		c := tr.Conditions(Format{})[0]
		for i, text := range texts {
			want := c.No
			if dateHolds(t, layout, c.Text, text) {
				want = c.Yes
			}
			if got := tr.Find(days[i : i+1]); got != want {
				t.Errorf("%v days: %q sends %s to %d", threshold, c.Text, text, got)
			}
			if dateHolds(t, layout, c.Text, text) == dateHolds(t, layout, c.Else, text) {
				t.Errorf("%q and %q agree on %s", c.Text, c.Else, text)
			}
		}
	})
}

func readDates(t *rapid.T, format string, texts []string) []float64 {
	rows, err := datedStump(format, Univariate(0, 0)).Encoder.ReadRows(
		strings.NewReader("Start\tclass\n"+strings.Join(texts, "\ta\n")+"\ta\n"), "", dataset.EncodeOptions{Delimiter: '\t'})
	if err != nil {
		t.Fatal(err)
	}
	return rows.X
}

// dateHolds evaluates a condition on a date.
func dateHolds(t *rapid.T, layout, condition, text string) bool {
	words := strings.SplitN(condition, " ", 3)
	at, err := time.Parse(layout, words[2])
	if err != nil {
		t.Fatalf("%q is not of the column's form: %v", condition, err)
	}
	date, err := time.Parse(layout, text)
	if err != nil {
		t.Fatal(err)
	}
	order := date.Compare(at)
	return map[string]bool{"<": order < 0, ">=": order >= 0, ">": order > 0, "<=": order <= 0}[words[1]]
}

func TestNumberHidesRounding(t *testing.T) {
	for _, c := range []struct {
		v        float64
		decimals int
		want     string
	}{
		{Midpoint(0.76, 0.83), 0, "0.795"},
		{0.1 + 0.2, 0, "0.3"},
		{5.4, 0, "5.4"},
		{1234567.25, 0, "1,234,567.25"},
		{math.MaxFloat64, 0, "1.79769313486e+308"},
		{-5e-324, 0, "-5e-324"},
		{0.795, 1, "0.8"},
		{-0.01, 1, "0.0"},
	} {
		if got := (Format{Decimals: c.decimals}).number(c.v); got != c.want {
			t.Errorf("number(%v, %d decimals) = %q, want %q", c.v, c.decimals, got, c.want)
		}
	}
}
