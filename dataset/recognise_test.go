package dataset_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
)

func inUTF16(order binary.AppendByteOrder, text string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

func windows1252(text string) string {
	out, err := charmap.Windows1252.NewEncoder().String(text)
	if err != nil {
		panic(err)
	}
	return out
}

// TestRecognise: the same table in other forms, and what the reading says of them.
func TestRecognise(t *testing.T) {
	const table = "größe;b;class\n1;2;yes\n3;4;no\n"
	commas := strings.ReplaceAll(table, ";", ",")
	want := read(t, commas, dataset.LoadOptions{})
	for _, c := range []struct {
		what, text string
		opts       dataset.LoadOptions
		said       string // what the reading says, "" for nothing
	}{
		{"commas", commas, dataset.LoadOptions{}, ""},
		{"semicolons", table, dataset.LoadOptions{}, `fields separated by ";" (--delimiter)`},
		{"tabs", strings.ReplaceAll(table, ";", "\t"), dataset.LoadOptions{}, `fields separated by "\t" (--delimiter)`},
		{"pipes", strings.ReplaceAll(table, ";", "|"), dataset.LoadOptions{}, `fields separated by "|" (--delimiter)`},
		{"Windows line ends", strings.ReplaceAll(table, "\n", "\r\n"), dataset.LoadOptions{}, `fields separated by ";" (--delimiter)`},
		{"a given delimiter", table, dataset.LoadOptions{Delimiter: ';'}, ""},
		{"Excel's first line, and the delimiter", "sep=;\r\n" + table, dataset.LoadOptions{Delimiter: ';'}, ""},
		{"Excel's first line", "sep=;\r\n" + table, dataset.LoadOptions{}, ""},
		{"UTF-16, little end", inUTF16(binary.LittleEndian, commas), dataset.LoadOptions{}, "UTF-16 text"},
		{"UTF-16, big end", inUTF16(binary.BigEndian, commas), dataset.LoadOptions{}, "UTF-16 text"},
		{"UTF-16, semicolons", inUTF16(binary.LittleEndian, table), dataset.LoadOptions{}, `UTF-16 text; fields separated by ";" (--delimiter)`},
		{"Windows-1252", windows1252(commas), dataset.LoadOptions{}, "Windows-1252 (Latin-1) text"},
		{"Windows-1252, semicolons", windows1252(table), dataset.LoadOptions{}, `Windows-1252 (Latin-1) text; fields separated by ";" (--delimiter)`},
		{"an empty last column", strings.ReplaceAll(commas, "\n", ",\n"), dataset.LoadOptions{}, "an empty last column"},
		{"empty last columns", strings.ReplaceAll(commas, "\n", ", ,\n"), dataset.LoadOptions{}, "2 empty last columns"},
		{"a comma in fields", strings.Replace(table, "\n1;2;", "\n\"1\";\"2\";", 1), dataset.LoadOptions{}, `fields separated by ";" (--delimiter)`},
	} {
		got := read(t, c.text, c.opts)
		if !slices.Equal(got.X, want.X) || !slices.Equal(got.Features, want.Features) {
			t.Errorf("%s: %v of %v, want %v of %v", c.what, got.X, got.Features, want.X, want.Features)
		}
		if said := strings.Join(got.Reading.Recognised, "; "); said != c.said {
			t.Errorf("%s: says %q, want %q", c.what, said, c.said)
		}
	}
	for _, c := range []struct{ what, text, want string }{
		{"one column", "class\nyes\nno\n", "the header has one column"},
		{"decimal commas of two columns", "a;class\n1,5;yes\n2,5;no\n", ""},
		{"a last column without a name that is not empty", "a,b,class,\n1,2,yes,\n1,2,no,3\n", "x.csv:3: 4 fields; the header has 3; name the last column in the header, or leave it empty"},
		{"UTF-8 and bytes that are not", "gr\u00f6\xdfe,b,class\n1,2,yes\n1,2,no\n", "is not UTF-8 text"},
		{"a record too short, after Excel's line", "sep=;\na;b;class\n1;2;yes\n1;no\n", "x.csv:4: 2 fields; the header has 3"},
	} {
		_, err := dataset.Read(strings.NewReader(c.text), "x.csv", dataset.LoadOptions{})
		if got := errorText(err); !strings.Contains(got, c.want) || (c.want == "") != (err == nil) {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// TestUnlabelled: rows without a class are an error that counts them, or are left out.
func TestUnlabelled(t *testing.T) {
	const table = "a,b,class\n1,2,yes\n3,4,\n5,6,NA\n7,8,no\n,9,yes\n1,1,\n2,2,?\n3,3,\n4,4,\n"
	_, err := dataset.Read(strings.NewReader(table), "x.csv", dataset.LoadOptions{})
	const want = `x.csv:3:5: column "class": the class is missing in 6 rows (lines 3, 4, 7, 8, 9, ...); --drop-unlabelled leaves out such rows`
	if got := errorText(err); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	d := read(t, table, dataset.LoadOptions{DropUnlabelled: true})
	if d.N() != 2 || d.Source.Rows != 9 || d.Reading.Unlabelled != 6 || d.Reading.Dropped != 7 || !slices.Equal(d.Line, []int{2, 5}) {
		t.Errorf("%d rows of %d, %d without a class, lines %v", d.N(), d.Source.Rows, d.Reading.Unlabelled, d.Line)
	}
	_, err = dataset.Read(strings.NewReader("a,class\n1,\n2,\n"), "x.csv", dataset.LoadOptions{DropUnlabelled: true})
	if got := errorText(err); got != "x.csv: all 2 rows have no class" {
		t.Error(got)
	}
}

// TestSuspects: what is pointed out of a column, by its values in 30 rows.
func TestSuspects(t *testing.T) {
	const rows = 30
	for _, c := range []struct {
		what  string
		value func(i int) string // of the column s; a is i % 7, the class "no" and "yes" in turn
		want  string             // "" for no warning
	}{
		{"distinct numbers", func(i int) string { return strconv.Itoa(i * i % 31) }, ""},
		{"a copy", func(i int) string { return strconv.Itoa(i % 7) }, `the columns "a" and "s" are the same in all rows; leave one out (--ignore "s")`},
		{"a copy but for the last row", func(i int) string { return strconv.Itoa(i%7 + i/(rows-1)) }, ""},
		{"the class in other words", func(i int) string { return []string{"N", "Y"}[i%2] }, `the column "s" gives the class away`},
		{"the class but for one row", func(i int) string { return []string{"N", "Y"}[(i+i/(rows-1))%2] }, ""},
		{"a finer division", func(i int) string { return []string{"N", "Y", "N", "Z"}[i%4] }, ""},
		{"-999", func(i int) string { return []string{"-999", strconv.Itoa(i*i%31 + 1)}[min(i%5, 1)] }, `the column "s" is -999 in 6 rows, far from its other values (2 to 29)`},
		{"-999 once", func(i int) string { return []string{"-999", strconv.Itoa(i*i%31 + 1)}[min(i, 1)] }, ""},
		{"zero far below", func(i int) string { return []string{"0", strconv.Itoa(i*i%31 + 50)}[min(i%5, 1)] }, `the column "s" is 0 in 6 rows`},
		{"zero not far below", func(i int) string { return []string{"0", strconv.Itoa(i*i%31 + 10)}[min(i%5, 1)] }, ""},
		{"9999 among thousands", func(i int) string { return []string{"9999", strconv.Itoa(i*i%31*300 + 1000)}[min(i%5, 1)] }, ""},
	} {
		text := "a,s,class\n"
		for i := range rows {
			text += fmt.Sprintf("%d,%s,%s\n", i%7, c.value(i), []string{"no", "yes"}[i%2])
		}
		warnings := read(t, text, dataset.LoadOptions{}).Reading.Warnings
		if got := strings.Join(warnings, "\n"); !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// TestRecogniseDecimalCommas: numbers with decimal commas are read as such only if nothing contradicts.
func TestRecogniseDecimalCommas(t *testing.T) {
	const said = `fields separated by ";" (--delimiter); decimal commas (--decimal)`
	for _, c := range []struct {
		what, text string
		opts       dataset.LoadOptions
		comma      bool
	}{
		{"commas", "a;b;class\n1,5;2;x\n3;4;y\n", dataset.LoadOptions{}, true},
		{"commas, with a missing value", "a;b;class\n1,5;NA;x\n;-4,25;y\n3;3;x\n", dataset.LoadOptions{Missing: "mean"}, true},
		{"a point elsewhere", "a;b;class\n1,5;2.5;x\n3,5;4;y\n", dataset.LoadOptions{}, false},
		{"texts beside", "a;b;class\n1,5;2;x\nfew;4;y\n", dataset.LoadOptions{}, false},
		{"points, as given", "a;b;class\n1,5;2;x\n2,5;4;y\n", dataset.LoadOptions{Decimal: "."}, false},
	} {
		d := read(t, c.text, c.opts)
		if got := strings.Join(d.Reading.Recognised, "; ") == said; got != c.comma || (d.Encoder.Decimal == ",") != c.comma || c.comma && d.X[0] != 1.5 {
			t.Errorf("%s: %q, %v, decimal %q", c.what, d.Reading.Recognised, d.X, d.Encoder.Decimal)
		}
		new, err := d.Encoder.Read(strings.NewReader(c.text), "new.csv", dataset.EncodeOptions{Delimiter: ';'})
		if err != nil || !slices.Equal(new.X, d.X) {
			t.Errorf("%s: read again: %v, %v; want %v", c.what, new, err, d.X)
		}
	}
}

// TestRecogniseHeader: a first line of data is no header; what may be either is asked.
func TestRecogniseHeader(t *testing.T) {
	for _, c := range []struct {
		what, text string
		opts       dataset.LoadOptions
		want       string // "header", "none", or a part of the error
	}{
		{"names", "a,b,class\n1,2,x\n3,4,y\n", dataset.LoadOptions{}, "header"},
		{"measurements and a class", "5.1,3.5,x\n4.9,3.0,x\n1,2,y\n", dataset.LoadOptions{}, "none"},
		{"whole numbers and a class", "5,3,x\n4,3,x\n1,2,y\n", dataset.LoadOptions{}, "none"},
		{"numbers only", "5,3,0\n4,3,1\n1,2,0\n", dataset.LoadOptions{}, "none"},
		{"years as names", "2019,2020,class\n1,2,x\n3,4,y\n", dataset.LoadOptions{}, "header"},
		{"numbers as names", "1,2,3\n5,6,0\n7,8,1\n", dataset.LoadOptions{}, "header"},
		{"texts that recur", "sunny,hot,no\nrainy,hot,yes\nsunny,mild,no\n", dataset.LoadOptions{}, "none"},
		{"joined files", "a,b,class\nx,y,p\na,b,class\nx,z,q\n", dataset.LoadOptions{}, `the first line, "a", "b", "class", may be a header or data`},
		{"texts and numbers", "39,gov,77516,no\n50,self,83311,no\n38,gov,215646,yes\n", dataset.LoadOptions{}, "none"},
		{"some recur", "39,alice,no\n50,bob,no\n38,carol,yes\n", dataset.LoadOptions{}, `the first line, "39", "alice", "no", may be a header or data`},
		{"some recur, said", "39,alice,no\n50,bob,no\n38,carol,yes\n", dataset.LoadOptions{Header: true}, "header"},
		{"some recur, said to be data", "39,alice,no\n50,bob,no\n38,carol,yes\n", dataset.LoadOptions{NoHeader: true}, "none"},
		{"measurements as names, said", "0.5,1.5,x\n5,3,x\n4,3,y\n", dataset.LoadOptions{Header: true}, "header"},
		{"the target is named", "7,x\n7,y\n7,x\n8,x\n", dataset.LoadOptions{Target: "x"}, "header"},
		{"both", "a,class\n1,x\n", dataset.LoadOptions{Header: true, NoHeader: true}, "name one of --header and --no-header"},
	} {
		d, err := dataset.Read(strings.NewReader(c.text), "d.csv", c.opts)
		switch {
		case err != nil:
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v; want %s", c.what, err, c.want)
			}
		case d.Encoder.NoHeader != (c.want == "none"):
			t.Errorf("%s: header %v; want %s", c.what, !d.Encoder.NoHeader, c.want)
		default:
			again, err := d.Encoder.Read(strings.NewReader(c.text), "new.csv", dataset.EncodeOptions{})
			if err != nil || again.N() != d.N() {
				t.Errorf("%s: read again: %v, %v", c.what, again, err)
			}
		}
	}
}

// TestLeftOut: a column with another text in every row is left out, and said; new data need not have it.
func TestLeftOut(t *testing.T) {
	var b strings.Builder
	b.WriteString("name,a,class\n")
	for i := range 40 {
		fmt.Fprintf(&b, "case %d,%d,%s\n", i, i%7, []string{"x", "y"}[i%2])
	}
	d := read(t, b.String(), dataset.LoadOptions{})
	if c := d.Reading.Columns[0]; !slices.Equal(d.Features, []string{"a"}) || d.Row(8)[0] != 1 || c.Kind != dataset.ReadIgnored || c.Reason != "a different text in every row" {
		t.Errorf("%v, %v, %+v", d.Features, d.X, d.Reading.Columns[0])
	}
	if again, err := d.Encoder.Read(strings.NewReader("class,a\nx,3\n"), "new.csv", dataset.EncodeOptions{}); err != nil || again.X[0] != 3 {
		t.Errorf("%v, %v", again, err)
	}
	for _, o := range []dataset.LoadOptions{{KeepColumns: []string{"name"}}, {CategoricalColumns: []string{"name"}}} {
		if kept := read(t, b.String(), o); kept.P() != 41 {
			t.Errorf("%+v: %d features", o, kept.P())
		}
	}
	if _, err := dataset.Read(strings.NewReader(b.String()), "d.csv", dataset.LoadOptions{KeepColumns: []string{"nam"}}); err == nil || !strings.Contains(err.Error(), `no column "nam", named as kept`) {
		t.Error(err)
	}
}

// TestStrayText: a text among the many numbers of a target is pointed out.
func TestStrayText(t *testing.T) {
	var b strings.Builder
	b.WriteString("a,y\n")
	for i := range 50 {
		fmt.Fprintf(&b, "%d,%d.5\n", i%3, i)
	}
	text := b.String() + "1,unknown\n"
	_, err := dataset.Read(strings.NewReader(text), "d.csv", dataset.LoadOptions{})
	if err == nil || !strings.Contains(err.Error(), `d.csv:52: column "y": "unknown" among 50 different numbers; is it a missing value (--na-values unknown --drop-unlabelled), or are all of them classes (--task classification)?`) {
		t.Error(err)
	}
	ds, err := dataset.Read(strings.NewReader(text), "d.csv", dataset.LoadOptions{NAValues: []string{"unknown"}, DropUnlabelled: true})
	if err != nil || ds.Kind() != dataset.Numbers || ds.N() != 50 {
		t.Errorf("%v, %+v", err, ds)
	}
	ds, err = dataset.Read(strings.NewReader(text), "d.csv", dataset.LoadOptions{Task: dataset.Classification})
	if err != nil || ds.K() != 51 {
		t.Errorf("%v, %+v", err, ds)
	}
}

// TestTask: a target of at most 20 whole numbers has classes, other numbers are predicted, unless the task says otherwise.
func TestTask(t *testing.T) {
	for _, c := range []struct {
		different int
		format    string
		task      string
		want      string
	}{
		{20, "%d", "", ""}, {20, "%d.0", "", ""}, {21, "%d", "", "numbers"},
		{2, "%d.5", "", "numbers"}, {21, "%d", dataset.Classification, ""}, {2, "%d.5", dataset.Classification, ""},
		{2, "%d", dataset.Regression, "numbers"}, {2, "%dx", dataset.Regression, `"0x" is no number, and a regression tree predicts numbers`}, {2, "%d", "ranking", "want classification or regression"},
	} {
		var b strings.Builder
		b.WriteString("a,y\n")
		for i := range 50 {
			fmt.Fprintf(&b, "%d,"+c.format+"\n", i%3, i%c.different)
		}
		ds, err := dataset.Read(strings.NewReader(b.String()), "d.csv", dataset.LoadOptions{Task: c.task})
		if c.want == "numbers" {
			if err != nil || ds.Kind() != dataset.Numbers || len(ds.Target) != 50 || math.Floor(ds.Target[1]) != 1 || ds.K() != 1 || !ds.Encoder.Regression {
				t.Errorf("%+v: %v, %+v", c, err, ds)
			}
			continue
		}
		if err == nil && ds.Kind() != dataset.Errors {
			t.Errorf("%+v: %v", c, ds.Kind())
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestSheets: a workbook and a Parquet file give the same data as their tables as CSV, errors with the lines of the sheet,
// and their trees read other such files.
func TestSheets(t *testing.T) {
	at := filepath.Join("..", "internal", "sheets", "testdata")
	for _, c := range []struct{ file, table string }{{"patients.xlsx", "patients.csv"}, {"patients1904.xlsx", "patients.csv"}, {"types.parquet", "types.csv"}} {
		opts := dataset.LoadOptions{Missing: dataset.MissingMean, Ignore: nil}
		got, err := dataset.Load(filepath.Join(at, c.file), opts)
		if err != nil {
			t.Fatal(err)
		}
		want, err := dataset.Load(filepath.Join(at, c.table), opts)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.X, got.X) + cmp.Diff(want.Features, got.Features) + cmp.Diff(want.Y, got.Y); diff != "" {
			t.Errorf("%s: %s", c.file, diff)
		}
		again, err := got.Encoder.Load(filepath.Join(at, c.file), dataset.EncodeOptions{})
		if err != nil || !slices.Equal(again.X, got.X) {
			t.Errorf("%s: read again: %v, %v", c.file, again, err)
		}
	}
	_, err := dataset.Load(filepath.Join(at, "patients.xlsx"), dataset.LoadOptions{Sheet: "Notes"})
	if err == nil || !strings.Contains(err.Error(), "only a header") {
		t.Error(err)
	}
	_, err = dataset.Load(filepath.Join(at, "patients.csv"), dataset.LoadOptions{Sheet: "Notes"})
	if err == nil || !strings.Contains(err.Error(), `the file has no sheets, such as "Notes"; it is text`) {
		t.Error(err)
	}
	d, err := dataset.Load(filepath.Join(at, "patients.xlsx"), dataset.LoadOptions{})
	if err != nil || !slices.Equal(d.Line, []int{3, 4, 7, 8, 9}) {
		t.Errorf("%v, lines %v", err, d.Line)
	}
}

// TestRowNames: a first column without a name has row names, and is left out.
func TestRowNames(t *testing.T) {
	d := read(t, "\"\",a,class\n\"r1\",1,x\n\"r2\",3,y\n", dataset.LoadOptions{})
	if said := strings.Join(d.Reading.Recognised, "; "); said != "a first column without a name, of row names, left out" || !slices.Equal(d.Features, []string{"a"}) {
		t.Errorf("%q, %v", said, d.Features)
	}
	for _, text := range []string{",a,class\n7,3,x\n", "a,class\n3,x\n"} {
		if again, err := d.Encoder.Read(strings.NewReader(text), "new.csv", dataset.EncodeOptions{}); err != nil || again.X[0] != 3 {
			t.Errorf("%q: %v, %v", text, again, err)
		}
	}
}
