package tree

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
)

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
			"2.5*size + (colour is red) - 0.00123*age < 1230000", "2.5*size + (colour is red) - 0.00123*age >= 1230000", true,
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
