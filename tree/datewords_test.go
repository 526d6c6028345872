package tree

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
)

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
		{"YYYY-MM-DD", 1, 1e9, "Start < 1000000000.000", "Start >= 1000000000.000"},
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
