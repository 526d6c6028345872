package dataset_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
)

func TestReading(t *testing.T) {
	const text = "id,when,age,job,w,class\n7,2020-01-05,30,clerk,1,no\n8,2020-01-01,,clerk,1,no\n9,2020-01-02,50,?,2,yes\n10,2020-02-02,40,cook,2,yes\n"
	d := read(t, text, dataset.LoadOptions{Ignore: []string{"id"}, Dates: []string{"when"}, Weight: "w"})
	want := &dataset.Reading{
		Rows: 4, Dropped: 2,
		Columns: []dataset.ReadColumn{
			{Name: "id", Kind: dataset.ReadIgnored}, {Name: "when", Kind: dataset.ReadDate, Format: "YYYY-MM-DD", First: "2020-01-05"},
			{Name: "age", Kind: dataset.ReadNumber, Missing: 1}, {Name: "job", Kind: dataset.ReadCategory, Categories: 2, Missing: 1},
			{Name: "w", Kind: dataset.ReadWeight}, {Name: "class", Kind: dataset.ReadClass},
		},
		Classes:  []dataset.ClassRows{{Class: "no", Rows: 1}, {Class: "yes", Rows: 1}},
		Warnings: []string{},
	}
	if diff := cmp.Diff(want, d.Reading); diff != "" {
		t.Error(diff)
	}
}

// TestWarnings: a column b, or the class, that looks like something else than what it
// was read as.
func TestWarnings(t *testing.T) {
	column := func(n int, field func(i int) string) string {
		var b strings.Builder
		b.WriteString("a;b;class\n")
		for i := range n {
			fmt.Fprintf(&b, "%d;%s;%s\n", i%3, field(i), []string{"p", "q"}[i%2])
		}
		return b.String()
	}
	texts := func(list ...string) string { return column(40, func(i int) string { return list[i/3%len(list)] }) }
	for _, c := range []struct {
		name string
		text string
		opts dataset.LoadOptions
		want []string
	}{
		{name: "dates", text: texts("1.2.2020", "3.2.2020"), opts: dataset.LoadOptions{Dates: []string{"none"}},
			want: []string{`the column "b" looks like dates of the form DD.MM.YYYY and was read as 2 categories; read them as days (--dates "b")`}},
		{name: "dates that are read as such", text: texts("1.2.2020", "3.2.2020")},
		{name: "decimal commas", text: texts("1,5", "2,25"), opts: dataset.LoadOptions{Decimal: "."},
			want: []string{`the column "b" looks like numbers with decimal commas and was read as 2 categories; read them as numbers (--decimal ,)`}},
		{name: "decimal commas that are read as such", text: texts("1,5", "2,25"), opts: dataset.LoadOptions{Decimal: ","}},
		{name: "money", text: texts("$15", "2,500 €"),
			want: []string{`the column "b" looks like amounts of money and was read as 2 categories; remove the currency signs from the file`}},
		{name: "classes that differ in case", text: texts("yes", "no", "Yes"), opts: dataset.LoadOptions{Target: "b"},
			want: []string{`the classes "Yes" and "yes" differ only in case or blanks; spell them alike if they are the same class`}},
		{name: "numbers and texts", text: texts("1", "2", "3", "more"),
			want: []string{`the column "b" has numbers and texts such as "more", and was read as 4 categories; if these stand for missing values, name them (--na-values "?,NA,more")`}},
		{name: "texts of their own, kept", text: column(40, func(i int) string { return fmt.Sprintf("case %d", i) }), opts: dataset.LoadOptions{KeepColumns: []string{"b"}}},
		{name: "numbers of the rows, kept", text: column(40, func(i int) string { return fmt.Sprint(i) }), opts: dataset.LoadOptions{KeepColumns: []string{"b"}}},
		{name: "classes that differ in blanks", text: texts("not yet", "no", "not_yet"), opts: dataset.LoadOptions{Target: "b"},
			want: []string{`the classes "not yet" and "not_yet" differ only in case or blanks; spell them alike if they are the same class`}},
		{name: "many categories", text: column(60, func(i int) string { return fmt.Sprintf("kind %d", i%21) }),
			want: []string{`the column "b" has 21 categories, each of which becomes a feature; leave it out (--ignore "b"), or use ordinal encoding (--categorical ordinal)`}},
		{name: "20 categories", text: column(60, func(i int) string { return fmt.Sprintf("kind %d", i%20) })},
		{name: "many categories, as the user says", text: column(60, func(i int) string { return fmt.Sprintf("kind %d", i%21) }),
			opts: dataset.LoadOptions{CategoricalColumns: []string{"b"}}},
		{name: "numbers of the rows", text: column(40, func(i int) string { return fmt.Sprint(100 + i) }),
			want: []string{`the column "b" looks like an identifier: every row has a different number; leave it out (--ignore "b"), or keep it without this warning (--keep-columns "b")`}},
		{name: "rising numbers that leave some out", text: column(40, func(i int) string { return fmt.Sprint(100 + 2*i) })},
		{name: "an identifier by its name", text: strings.Replace(column(40, func(i int) string { return fmt.Sprint(i * 7 % 41) }), ";b;", ";patient_ID;", 1),
			want: []string{`the column "patient_ID" looks like an identifier: every row has a different number; leave it out (--ignore "patient_ID"), or keep it without this warning (--keep-columns "patient_ID")`}},
		{name: "the name alone", text: strings.Replace(column(40, func(i int) string { return fmt.Sprint(i * 7 % 40 / 2) }), ";b;", ";patient_ID;", 1)},
		{name: "Namibia", text: texts("DE", "NA", "FR"),
			want: []string{`the column "b" has "NA" among other short texts, which was read as a missing value; if it is not one, list the texts that are (--na-values "?")`}},
		{name: "not a code", text: texts("green", "NA", "red")},
		{name: "one value", text: texts("x"), want: []string{`the column "b" is constant: no tree splits on it`}},
		{name: "one row", text: "a;b;class\n1;2;p\n", want: []string{"there is only one row: a tree cannot generalize from it",
			`all rows have the class "p", so there is nothing to learn; name the class column with --target if it is not "class"`}},
		{name: "an identifier as the class", text: column(40, func(i int) string { return fmt.Sprintf("case %d", i) }), opts: dataset.LoadOptions{Target: "b"},
			want: []string{`"b", with 40 different texts in 40 rows, looks like an identifier; name the class column with --target`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.opts.Delimiter = ';'
			got := read(t, c.text, c.opts).Reading.Warnings
			if len(got) == 0 {
				got = nil
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
