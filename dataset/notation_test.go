package dataset_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/octgen/octgen/dataset"
	"pgregory.net/rapid"
)

// TestWritten: missing texts, decimal commas, dates and files without a header are read
// as the options say, and read again so by the encoder.
func TestWritten(t *testing.T) {
	for _, c := range []struct {
		name string
		file string
		text string
		opts dataset.LoadOptions
		want table
	}{
		{
			name: "texts that are missing by default",
			text: "a,b,class\nNA,x,p\nN/A,x,p\nNaN,x,p\nnull,x,p\nn/a,x,p\n?,x,p\n,x,p\n1,NULL,p\n2,nan,p\n3,na,q\n4,Nan,q\n5,none,q\n",
			want: table{[]string{"a", "b=Nan", "b=na", "b=none"}, []string{"q"}, [][]float64{{3, 0, 1, 0}, {4, 1, 0, 0}, {5, 0, 0, 1}}, []int{0, 0, 0}},
		},
		{
			name: "other texts that are missing, in their place",
			text: "a,b,class\n-999,NA,p\n1,?,p\n2,none,q\n,NA,q\n4,NA,NA\n",
			opts: dataset.LoadOptions{NAValues: []string{"-999", "none"}},
			want: table{[]string{"a", "b=NA"}, []string{"NA", "p"}, [][]float64{{1, 0}, {4, 1}}, []int{1, 0}},
		},
		{
			name: "no text is missing but the empty one",
			text: "a,class\nNA,p\nDE,p\n,q\n",
			opts: dataset.LoadOptions{NAValues: []string{}},
			want: table{[]string{"a=NA"}, []string{"p"}, [][]float64{{1}, {0}}, []int{0, 0}},
		},
		{
			name: "missing as a category is called ?",
			text: "a,class\n-,p\nDE,p\n?,q\n",
			opts: dataset.LoadOptions{NAValues: []string{"-"}, Missing: dataset.MissingCategory},
			want: table{[]string{"a=?"}, []string{"p", "q"}, [][]float64{{1}, {0}, {1}}, []int{0, 0, 1}},
		},
		{
			name: "a missing text with a code of its own",
			text: "a,class\nNA,p\n,p\n7,q\n",
			opts: dataset.LoadOptions{Codes: "NA=-1.5,?=0"},
			want: table{[]string{"a"}, []string{"p", "q"}, [][]float64{{-1.5}, {0}, {7}}, []int{0, 0, 1}},
		},
		{
			name: "decimal commas, in weights and codes, too",
			text: "a;b;w;class\n1,5;-,5;0,5;1,5\n2;low;2;10\n3e-1;0,25;1,0;2\n",
			opts: dataset.LoadOptions{Decimal: ",", Delimiter: ';', Weight: "w", Codes: "low=0.75", Task: dataset.Classification},
			want: table{[]string{"a", "b"}, []string{"2", "10", "1,5"}, [][]float64{{1.5, -.5}, {2, .75}, {.3, .25}}, []int{2, 1, 0}},
		},
		{
			name: "dates that are found",
			text: "when,what,class\n2020-03-01,2020-01-01,p\n2020-02-29,x,p\n2021-2-28,x,q\n",
			opts: dataset.LoadOptions{Dates: []string{"auto"}},
			want: table{[]string{"when", "what=x"}, []string{"p", "q"}, [][]float64{{1, 0}, {0, 1}, {365, 1}}, []int{0, 0, 1}},
		},
		{
			name: "named dates with a format, and a time of day",
			text: "a,b,class\n01/02/2020,2020-01-01 18:00:00,p\n03/02/2020,2020-01-02 06:00:00.0,p\n?,?,q\n",
			opts: dataset.LoadOptions{Dates: []string{"a=DD/MM/YYYY", "b"}, Missing: dataset.MissingCategory},
			want: table{[]string{"a", "a=?", "b", "b=?"}, []string{"p", "q"}, [][]float64{{0, 0, .75, 0}, {2, 0, 1.25, 0}, {1, 1, 1, 1}}, []int{0, 0, 1}},
		},
		{
			name: "the first date is that of a row that is kept",
			text: "a,b,class\n20200101,,p\n20200105,1,p\n20200103,2,q\n",
			opts: dataset.LoadOptions{Dates: []string{"a"}},
			want: table{[]string{"a", "b"}, []string{"p", "q"}, [][]float64{{2, 1}, {0, 2}}, []int{0, 1}},
		},
		{
			name: "no header",
			text: "5.1,x,p\n4.9,y,q\n",
			opts: dataset.LoadOptions{NoHeader: true},
			want: table{[]string{"c1", "c2=y"}, []string{"p", "q"}, [][]float64{{5.1, 0}, {4.9, 1}}, []int{0, 1}},
		},
		{
			name: "no header, another target",
			text: "p,1\nq,2\n",
			opts: dataset.LoadOptions{NoHeader: true, Target: "c1"},
			want: table{[]string{"c2"}, []string{"p", "q"}, [][]float64{{1}, {2}}, []int{0, 1}},
		},
		{
			name: "tabs by the name of the file",
			file: "data.TSV",
			text: "a\tb\tclass\n1,5\t\tp\n",
			opts: dataset.LoadOptions{Ignore: []string{"b"}, Decimal: ","},
			want: table{[]string{"a"}, []string{"p"}, [][]float64{{1.5}}, []int{0}},
		},
		{
			name: "tabs by the name, but another delimiter",
			file: "data.tab",
			text: "a,class\n1,p\n",
			opts: dataset.LoadOptions{Delimiter: ','},
			want: table{[]string{"a"}, []string{"p"}, [][]float64{{1}}, []int{0}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.file == "" {
				c.file = "data.csv"
			}
			d, err := dataset.Read(strings.NewReader(c.text), c.file, c.opts)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, tableOf(d)); diff != "" {
				t.Error(diff)
			}
			again, err := throughJSON(t, d.Encoder).Read(strings.NewReader(c.text), c.file, dataset.EncodeOptions{Delimiter: c.opts.Delimiter})
			if err != nil {
				t.Fatal(err)
			}
			requireSame(t, d, again)
		})
	}
}

// TestOldEncoder: an encoder of a tree of schema_version 1 knows the missing texts that
// there were then.
func TestOldEncoder(t *testing.T) {
	e := read(t, "a,class\n1,p\nNA,q\n2,q\n", dataset.LoadOptions{CategoricalColumns: []string{"a"}, NAValues: []string{"?"}}).Encoder
	e.NAValues = nil
	d, err := throughJSON(t, e).Read(strings.NewReader("a,class\n?,p\n,p\nNA,q\n"), "new.csv", dataset.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{4}, d.Line); diff != "" {
		t.Error(diff)
	}
}

// TestDateFormats: what each format writes, it alone or one with the same dates reads.
func TestDateFormats(t *testing.T) {
	layouts := dataset.DateLayouts()
	rapid.Check(t, func(t *rapid.T) {
		format := rapid.SampledFrom(dataset.DateFormats()).Draw(t, "format")
		first := time.Date(1969, 1, 1, 0, 0, 0, 0, time.UTC)
		var text strings.Builder
		var want []float64
		text.WriteString("when\tclass\n")
		for i := range rapid.IntRange(1, 5).Draw(t, "rows") {
			when := first
			if i > 0 {
				when = first.Add(time.Duration(rapid.IntRange(0, 36000*24*60*60).Draw(t, "seconds")) * time.Second)
			}
			s := when.Format(layouts[format])
			when, err := time.Parse(layouts[format], s) // which may lack the day or seconds
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, when.Sub(first).Seconds()/(24*60*60))
			fmt.Fprintf(&text, "%s\tp\n", s)
		}
		d, err := dataset.Read(strings.NewReader(text.String()), "d.tsv", dataset.LoadOptions{Dates: []string{"when=" + format}})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, d.X); diff != "" {
			t.Fatal(diff)
		}
		if got := *d.Encoder.Columns[0].Date; got != (dataset.Date{Format: format, First: "1969-01-01"}) {
			t.Fatalf("%+v", got)
		}
		found, err := dataset.Read(strings.NewReader(text.String()), "d.tsv", dataset.LoadOptions{Dates: []string{"when"}})
		if err != nil && strings.Contains(err.Error(), "all dates fit both") {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, found.X); diff != "" {
			t.Fatalf("read as %s: %s", found.Encoder.Columns[0].Date.Format, diff)
		}
	})
}

// TestBadDates: dates that are none, or more than one.
func TestBadDates(t *testing.T) {
	const text = "a,b,c,d,class\n2020-01-01,01/02/2020,x,,p\nsoon,03/04/2020,2020-01-01,,q\n"
	for _, c := range []struct {
		dates []string
		want  string
	}{
		{[]string{"a"}, `d.csv:3: column "a": "soon" is not a date of the form YYYY-MM-DD, the form of the first one; correct it, or choose another form (--dates "a=DD.MM.YYYY")`},
		{[]string{"a=DD.MM.YYYY"}, `d.csv:2: column "a": "2020-01-01" is not a date of the form DD.MM.YYYY`},
		{[]string{"b"}, `d.csv: column "b": "01/02/2020" is 2 January 2020 as MM/DD/YYYY or 1 February 2020 as DD/MM/YYYY, and all dates fit both; name the form (--dates "b=MM/DD/YYYY" or "b=DD/MM/YYYY")`},
		{[]string{"auto"}, `d.csv: column "b": "01/02/2020" is 2 January 2020 as MM/DD/YYYY or 1 February 2020 as DD/MM/YYYY, and all dates fit both; name the form (--dates "b=MM/DD/YYYY" or "b=DD/MM/YYYY")`},
		{[]string{"c", "none"}, `d.csv:2: column "c": "x" is not a date of a known form, such as YYYY-MM-DD, DD.MM.YYYY or MM/DD/YYYY hh:mm (docs/data.md)`},
		{[]string{"d", "none"}, `d.csv: column "d": every field is missing; leave the column out (--ignore)`},
		{[]string{"class"}, `d.csv: the column "class" is named as dates, but it is not a feature`},
		{[]string{"e"}, `d.csv: no column "e", named as dates; the columns are "a", "b", "c", "d", "class"`},
		{[]string{"a=YYYY-DD-MM"}, `dates "a=YYYY-DD-MM": unknown date format "YYYY-DD-MM"; did you mean "YYYY-MM"?`},
		{[]string{"a=3"}, `dates "a=3": unknown date format "3"; valid formats include YYYY-MM-DD, DD.MM.YYYY or MM/DD/YYYY hh:mm (docs/data.md)`},
		{[]string{"a", "a=YYYY-MM-DD"}, `dates: the column "a" is given twice`},
	} {
		_, err := dataset.Read(strings.NewReader(text), "d.csv", dataset.LoadOptions{Dates: c.dates, Ignore: nil})
		if diff := cmp.Diff(c.want, errorText(err)); diff != "" {
			t.Errorf("%q: %s", c.dates, diff)
		}
	}
	e := read(t, "a,class\n2020-01-01,p\n", dataset.LoadOptions{Dates: []string{"a"}}).Encoder
	_, err := e.Read(strings.NewReader("a,class\n1.1.2020,p\n"), "d.csv", dataset.EncodeOptions{})
	if want := `d.csv:2:1: column "a": "1.1.2020" is not a date of the form YYYY-MM-DD, the column's format in training`; errorText(err) != want {
		t.Errorf("%v; want %s", err, want)
	}
	e.Columns[0].Date.First = "1.1.2020"
	if want := `encoder: column "a": first date "1.1.2020"; want YYYY-MM-DD`; errorText(e.Validate()) != want {
		t.Errorf("%v; want %s", e.Validate(), want)
	}
}

// TestRemedies: a text among numbers is answered by what it looks like.
func TestRemedies(t *testing.T) {
	for text, want := range map[string]string{
		"1,5":        "for decimal commas use --decimal ,",
		"12 %":       "write numbers without percent signs",
		"2020-01-01": `for a column of dates use --dates "a"`,
		"none":       `name what stands for a missing value (--na-values "?,NA,none"), correct it, or declare the column categorical (--categorical-columns)`,
		"abc":        "correct it, leave the field empty where the value is missing, or declare the column categorical (--categorical-columns)",
	} {
		_, err := dataset.Read(strings.NewReader("a;class\n1;p\n2;q\n3;p\n"+text+";q\n"), "d.csv", dataset.LoadOptions{Delimiter: ';', Decimal: "."})
		if want := fmt.Sprintf(`d.csv:5:1: column "a": %q is not a number, as 3 of the column's 4 values are; %s`, text, want); errorText(err) != want {
			t.Errorf("%v; want %s", err, want)
		}
	}
	_, err := dataset.Read(strings.NewReader("a;class\n1;p\n2;q\n3;p\n1.5;q\n"), "d.csv", dataset.LoadOptions{Delimiter: ';', Decimal: ","})
	if want := `d.csv:5:1: column "a": "1.5" is not a number, as 3 of the column's 4 values are; with --decimal , a number has no point`; errorText(err) != want {
		t.Errorf("%v; want %s", err, want)
	}
	_, err = dataset.Read(strings.NewReader("a,class\n1,p\n2,q\nNA,p\n"), "d.csv", dataset.LoadOptions{NAValues: []string{}})
	if want := `(--na-values "?,NA")`; !strings.Contains(errorText(err), want) {
		t.Errorf("%v; want %s", err, want)
	}
}

func TestCodes(t *testing.T) {
	const file = "a,b,class\ny,1,n\nn,2,y\n?,3,n\n ,4,y\n"
	d, err := dataset.Read(strings.NewReader(file), "d.csv", dataset.LoadOptions{Codes: "y=2, n=-2,?=0.5"})
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{2, 1, -2, 2, 0.5, 3, 0.5, 4}
	if diff := cmp.Diff(want, d.X); diff != "" {
		t.Errorf("features (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"n", "y"}, d.Classes); diff != "" {
		t.Errorf("the class has no codes (-want +got):\n%s", diff)
	}
	again, err := d.Encoder.Read(strings.NewReader(file), "d.csv", dataset.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(d.X, again.X); diff != "" {
		t.Errorf("by the encoder (-want +got):\n%s", diff)
	}
	if _, err := d.Encoder.ReadRows(strings.NewReader("a,b\nyes,1\n"), "p.csv", dataset.EncodeOptions{}); err == nil || !strings.Contains(err.Error(), "p.csv:2:1") {
		t.Errorf("a text without a code gives %v; want an error with its place", err)
	}
}

func TestCodesOfParts(t *testing.T) {
	s, err := dataset.NewSplitter(strings.NewReader("a,class\ny,0\nn,1\nn,0\nn,1\n"), "d.csv", dataset.LoadOptions{Codes: "y=1,n=0"})
	if err != nil {
		t.Fatal(err)
	}
	train, test, err := s.Split([]int{1, 2, 3}, []int{0}, dataset.UnknownError) // train has no y
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]float64{{0, 0, 0}, {1}}, [][]float64{train.X, test.X}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestBadCodes(t *testing.T) {
	for _, c := range []struct{ codes, want string }{
		{"y", `code "y": want a list`},
		{"y=two", `"two" is not a finite number`},
		{"y=1,y=2", `the value "y" is given twice`},
		{"?=1,=2", `the value "?" is given twice`},
		{"y=1,n=0,yes=2", `no feature field holds "yes"`},
		{"y=1", `"n" is not a number`}, // a mixture, as without codes
	} {
		_, err := dataset.Read(strings.NewReader("a,class\ny,0\nn,1\ny,1\ny,0\ny,1\ny,0\ny,1\ny,0\ny,1\ny,0\ny,1\n"), "d.csv", dataset.LoadOptions{Codes: c.codes})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("codes %q give %v; want an error with %q", c.codes, err, c.want)
		}
	}
}

// TestHouseVotesCodes: the coding of Bredensteiner & Bennett (1996), section 5.1.
func TestHouseVotesCodes(t *testing.T) {
	d, err := dataset.Load(filepath.Join(sharedDir(t), "house-votes-84.csv"), dataset.LoadOptions{Codes: "y=2,n=-2,?=0"})
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, v := range d.X {
		sum += v * v
	}
	if d.N() != 435 || d.P() != 16 || sum != 4*float64(435*16-392) {
		t.Errorf("%d rows, %d features, sum of squares %v; want 435, 16, %v", d.N(), d.P(), sum, 4*(435*16-392))
	}
}

// TestNANumbers: a number that means missing does so in any spelling, in numeric columns.
func TestNANumbers(t *testing.T) {
	const file = "x,y,class\n1,-999,a\n2,3,b\n-999.0,4,a\n4,NA,b\n-9.99e2,6,a\n5,0.0,b\n"
	ds, err := dataset.Read(strings.NewReader(file), "t.csv", dataset.LoadOptions{NAValues: []string{"NA", "-999", "0"}})
	if err != nil {
		t.Fatal(err)
	}
	if ds.N() != 1 || ds.Source.Rows != 6 {
		t.Errorf("%d of %d rows without missing values, want 1 of 6", ds.N(), ds.Source.Rows)
	}
	comma, err := dataset.Read(strings.NewReader("x;class\n-99,50;a\n1,5;b\n"), "t.csv", dataset.LoadOptions{NAValues: []string{"-99,5"}, Decimal: ",", Delimiter: ';'})
	if err != nil || comma.N() != 1 {
		t.Errorf("with a decimal comma: %v, %v", comma, err)
	}
}
