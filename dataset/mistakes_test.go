package dataset_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/octgen/octgen/dataset"
)

const (
	remedy = "; correct it, leave the field empty where the value is missing," +
		" or declare the column categorical (--categorical-columns)"
	size = "is not a finite number of size at most 1e+300"
)

// badFiles holds a file of testdata/bad per mistake, the options it is read with,
// and the message without the folder.
var badFiles = []struct {
	file string
	opts dataset.LoadOptions
	want string
}{
	{file: "empty.csv", want: `empty.csv: the file is empty; want a header line and data lines`},
	{file: "blank-lines-only.csv", want: `blank-lines-only.csv: the file is empty; want a header line and data lines`},
	{file: "header-only.csv", want: `header-only.csv: no data lines: the file has only a header`},
	{file: "one-column.csv", want: `one-column.csv:1:1: the header has one column; want at least one feature and the class`},
	{file: "column-without-name.csv", want: `column-without-name.csv:1:3: column 2 of 3 has no name; the first line must be a header that names the columns, with no title above it`},
	{file: "duplicate-column.csv", want: `duplicate-column.csv:1:5: columns 1 and 3 are both named "a"; names must differ (--no-header if the first line holds data)`},
	{file: "carriage-returns.csv", want: `carriage-returns.csv:1:5: a carriage return inside the header line; lines must end in \n or \r\n`},
	{file: "not-utf8.csv", want: `not-utf8.csv:2:3: column "b": "ü\xff" is not UTF-8 text; save the file as UTF-8 (from Windows and Latin-1: iconv -f CP1252 -t UTF-8)`},
	{file: "ragged-short.csv", want: `ragged-short.csv:3: 2 fields; the header has 3; quote fields that contain the delimiter or a line end`},
	{file: "ragged-long.csv", want: `ragged-long.csv:4: 4 fields; the header has 3; quote fields that contain the delimiter or a line end`},
	{file: "quote-not-closed.csv", want: `quote-not-closed.csv:2: a quoted field in the record that begins here is not closed, or text follows its closing quote`},
	{file: "quote-in-field.csv", want: `quote-in-field.csv:2:4: a quote (") inside an unquoted field; quote the whole field and double the quotes in it`},

	{file: "plain.csv.gz", want: `plain.csv.gz: the name ends in .gz, but the file holds no gzip data`},
	{file: "packed.csv", want: `packed.csv: the file holds gzip data; its name must end in .gz to be read as such`},
	{file: "cut-off.csv.gz", want: `cut-off.csv.gz: the gzip data is cut off`},

	{file: "target-missing.csv", want: `target-missing.csv:3:5: column "class": the class is missing in 1 row (line 3); --drop-unlabelled leaves out such rows`},
	{file: "target-unknown.csv", opts: dataset.LoadOptions{Target: "outcome"},
		want: `target-unknown.csv: no column "outcome", named as target; the columns are "a", "b", "class"`},
	{file: "target-misspelt.csv", opts: dataset.LoadOptions{Target: "Specie"},
		want: `target-misspelt.csv: no column "Specie", named as target; did you mean "species"?`},
	{file: "no-features.csv", opts: dataset.LoadOptions{Weight: "w"},
		want: `no-features.csv: no feature columns remain besides the target and the weight`},

	{file: "text-in-numeric.csv", want: `text-in-numeric.csv:3:3: column "b": "abc" is not a number, as 2 of the column's 3 values are` + remedy},
	{file: "none-beside-numbers.csv", want: `none-beside-numbers.csv:2:1: column "a": "none" is not a number, as 1 of the column's 4 values are;` +
		` name what stands for a missing value (--na-values "?,NA,none"), correct it, or declare the column categorical (--categorical-columns)`},
	{file: "text-among-measurements.csv", want: `text-among-measurements.csv:23:1: column "a": "none given" is not a number, as 21 of the column's 51 values are` + remedy},
	{file: "nan.csv", opts: dataset.LoadOptions{NAValues: []string{"NA"}}, want: `nan.csv:4:4: column "b": "NaN" ` + size +
		`; name what stands for a missing value (--na-values "?,NA,NaN"), correct it, or declare the column categorical (--categorical-columns)`},
	{file: "infinity.csv", want: `infinity.csv:3:1: column "a": "-Inf" ` + size + remedy},
	{file: "number-too-large.csv", want: `number-too-large.csv:3:1: column "a": "1e999" ` + size + remedy},
	{file: "identifier.csv", want: `identifier.csv: column "id": no feature column remains: all have too many texts to tell about other rows, such as this one (1001 different texts); keep some of them (--keep-columns "id")`},
	{file: "column-all-missing.csv", want: `column-all-missing.csv: column "a": every field is missing; leave the column out (--ignore)`},
	{file: "every-row-incomplete.csv", want: `every-row-incomplete.csv: all 2 rows have a missing value, and such rows are dropped; leave out a column (--ignore) or fill the gaps (--missing mean or category)`},
	{file: "feature-name-clash.csv", want: `feature-name-clash.csv: two columns give a feature named "c=red"; rename one of them`},

	{file: "weight-negative.csv", opts: dataset.LoadOptions{Weight: "w"},
		want: `weight-negative.csv:3:3: column "w": the weight "-1" is not a positive finite number`},
	{file: "weight-text.csv", opts: dataset.LoadOptions{Weight: "w"},
		want: `weight-text.csv:3:3: column "w": the weight "heavy" is not a positive finite number`},
	{file: "weight-missing.csv", opts: dataset.LoadOptions{Weight: "w"},
		want: `weight-missing.csv:3:3: column "w": the weight "" is not a positive finite number`},
	{file: "weight-is-target.csv", opts: dataset.LoadOptions{Weight: "w"},
		want: `weight-is-target.csv: the column "w" is named as weight, but it is the target (by default the last column); name the target`},
	{file: "weights-out-of-range.csv", opts: dataset.LoadOptions{Weight: "w", ClassWeight: "x=1e100"},
		want: `weights-out-of-range.csv:2: the weights times the class weights are too large or too small to be added up; scale them`},
	{file: "weights-too-large.csv", opts: dataset.LoadOptions{Weight: "w"},
		want: `weights-too-large.csv:3: column "w": the weights up to this line add up to more than 1e+300; scale them`},
	{file: "class-weight-unknown.csv", opts: dataset.LoadOptions{ClassWeight: "z=2"},
		want: `class-weight-unknown.csv: class weight: no class "z"; the classes are "x", "y"`},
}

func TestBadFiles(t *testing.T) {
	tested := map[string]bool{}
	for _, c := range badFiles {
		tested[c.file] = true
		t.Run(c.file, func(t *testing.T) {
			path := filepath.Join("testdata", "bad", c.file)
			_, err := dataset.Load(path, c.opts)
			var bad *dataset.Error
			if !errors.As(err, &bad) {
				t.Fatalf("%T %v; want an *Error", err, err)
			}
			if bad.File != path {
				t.Errorf("File %q; want %q", bad.File, path)
			}
			got := strings.TrimPrefix(err.Error(), filepath.Dir(path)+string(filepath.Separator))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("message:\n%s", diff)
			}
		})
	}
	files, err := os.ReadDir(filepath.Join("testdata", "bad"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !tested[f.Name()] {
			t.Errorf("testdata/bad/%s is not in the table", f.Name())
		}
	}
}

// TestTopmostMistake: of two bad columns the one that goes wrong first in the file
// is named.
func TestTopmostMistake(t *testing.T) {
	const text = "a,b,class\n1,1,x\n2,1e999,x\nabc,2,x\n4,4,x\n"
	_, err := dataset.Read(strings.NewReader(text), "data.csv", dataset.LoadOptions{})
	if want := `data.csv:3:3: column "b": "1e999" ` + size + remedy; errorText(err) != want {
		t.Errorf("%v; want %s", err, want)
	}
}

// TestTooManyFeatures: a declared identifier of 30,000 rows would need 7 GB.
func TestTooManyFeatures(t *testing.T) {
	var b strings.Builder
	b.WriteString("size,id,class\n")
	for i := range 30_000 {
		fmt.Fprintf(&b, "%d,case%d,x\n", i, i)
	}
	_, err := dataset.Read(strings.NewReader(b.String()), "data.csv", dataset.LoadOptions{CategoricalColumns: []string{"id"}})
	want := `data.csv: column "id": 30000 rows x 30001 features are too many, 30000 of them from this column;` +
		` leave it out (--ignore) or encode it as ordinal (--categorical ordinal)`
	if errorText(err) != want {
		t.Errorf("%v; want %s", err, want)
	}
}

// TestBadOptions: mistakes in the options alone, or between them.
func TestBadOptions(t *testing.T) {
	const text = "a,b,class\n1,2,x\n3,4,y\n"
	for _, c := range []struct {
		opts dataset.LoadOptions
		want string
	}{
		{dataset.LoadOptions{Missing: "zero"}, `missing values "zero"; want drop, mean, category or route`},
		{dataset.LoadOptions{Categorical: "binary"}, `categorical encoding "binary"; want onehot, ordinal or subsets`},
		{dataset.LoadOptions{Delimiter: '"'}, `delimiter '"'; want a character other than a quote or a line end`},
		{dataset.LoadOptions{ClassWeight: "x"}, `class weight "x": want "balanced" or a list such as "yes=3,no=1"`},
		{dataset.LoadOptions{ClassWeight: "x=0"}, `class weight "x=0": "0" is not a positive finite number`},
		{dataset.LoadOptions{ClassWeight: "x=1,y=NaN"}, `class weight "y=NaN": "NaN" is not a positive finite number`},
		{dataset.LoadOptions{ClassWeight: "x=1, x=2"}, `class weight: the class "x" is given twice`},
		{dataset.LoadOptions{Weight: "c"}, `data.csv: no column "c", named as weight; the columns are "a", "b", "class"`},
		{dataset.LoadOptions{Weight: "b", Target: "b"}, `data.csv: the column "b" is named as weight, but it is the target`},
		{dataset.LoadOptions{CategoricalColumns: []string{"class"}}, `data.csv: the column "class" is named as categorical, but it is the target`},
		{dataset.LoadOptions{Ignore: []string{"class"}}, `data.csv: the column "class" is named as ignored, but it is the target`},
		{dataset.LoadOptions{Ignore: []string{"b"}, Weight: "b"}, `data.csv: the column "b" is named as ignored, but it is the weight`},
		{dataset.LoadOptions{Ignore: []string{"b"}, CategoricalColumns: []string{"b"}}, `data.csv: the column "b" is named as categorical and as ignored`},
		{dataset.LoadOptions{Ignore: []string{"a", "b"}}, `data.csv: no feature columns remain besides the target and the weight`},
	} {
		_, err := dataset.Read(strings.NewReader(text), "data.csv", c.opts)
		if diff := cmp.Diff(c.want, errorText(err)); diff != "" {
			t.Errorf("%+v:\n%s", c.opts, diff)
		}
	}
}

// TestBadScoringFiles: mistakes between a file and the encoder it is read with.
func TestBadScoringFiles(t *testing.T) {
	const train = "size,color,w,class\n1,red,1,x\n3,green,1,y\n4,blue,2,x\n"
	e := read(t, train, dataset.LoadOptions{Weight: "w"}).Encoder
	for _, c := range []struct{ text, labelled, unlabelled string }{
		{"", "new.csv: the file is empty; want a header line and data lines", "new.csv: the file is empty; want a header line and data lines"},
		{"size,color,w,class\n", "new.csv: no data lines: the file has only a header", "new.csv: no data lines: the file has only a header"},
		{"size,colour,w,class\n1,red,1,x\n",
			`new.csv: no column "color", which is a feature column of the training data; did you mean "colour"?`,
			`new.csv: no column "color", which is a feature column of the training data; did you mean "colour"?`},
		{"size,color,w\n1,red,1\n",
			`new.csv: no column "class", which is a target column of the training data; the columns are "size", "color", "w"`, ""},
		{"size,color,class\n1,red,x\n",
			`new.csv: no column "w", which is a weight column of the training data; the columns are "size", "color", "class"`, ""},
		{"size,color,w,class\n1,red,1,x\n2,red,1,z\n", `new.csv:3:9: column "class": unknown class "z"; the classes are "x", "y"`, ""},
		{"size,color,w,class\n1,red,1,\n", `new.csv:2:9: column "class": the class is missing; remove such rows from the file`, ""},
		{"size,color,w,class\n1,red,0,x\n", `new.csv:2:7: column "w": the weight "0" is not a positive finite number`, ""},
		{"size,color,w,class\n1,violet,1,x\n",
			`new.csv:2:3: column "color": unknown category "violet"; training had "blue", "green", "red" (--unknown other encodes it as no category)`,
			`new.csv:2:3: column "color": unknown category "violet"; training had "blue", "green", "red" (--unknown other encodes it as no category)`},
		{"size,color,w,class\nbig,red,1,x\n",
			`new.csv:2:1: column "size": "big" ` + size + `, as the column's values were in training`,
			`new.csv:2:1: column "size": "big" ` + size + `, as the column's values were in training`},
		{"size,color,w,class\n,red,1,x\n",
			`new.csv: the only row has a missing value that the encoder cannot fill`,
			`new.csv:2:1: column "size": the value is missing, but the training data had no missing values in this column`},
	} {
		_, err := e.Read(strings.NewReader(c.text), "new.csv", dataset.EncodeOptions{})
		if diff := cmp.Diff(c.labelled, errorText(err)); diff != "" {
			t.Errorf("labelled %q:\n%s", c.text, diff)
		}
		_, err = e.ReadRows(strings.NewReader(c.text), "new.csv", dataset.EncodeOptions{})
		if diff := cmp.Diff(c.unlabelled, errorText(err)); diff != "" {
			t.Errorf("for prediction %q:\n%s", c.text, diff)
		}
	}
	filling := read(t, "a,b,class\n1,2,x\n,3,y\n", dataset.LoadOptions{Missing: dataset.MissingCategory}).Encoder
	_, err := filling.Read(strings.NewReader("a,b,class\n,,x\n1,1,y\n"), "new.csv", dataset.EncodeOptions{})
	if want := `new.csv:2:2: column "b": the value is missing, but the training data had no missing values in this column`; errorText(err) != want {
		t.Errorf("%v; want %s, not a row passed over", err, want)
	}
	if _, err := e.Read(strings.NewReader(train), "new.csv", dataset.EncodeOptions{Unknown: "guess"}); errorText(err) != `unknown categories "guess"; want error or other` {
		t.Error(err)
	}
	if _, err := dataset.Load(filepath.Join("testdata", "nowhere.csv"), dataset.LoadOptions{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v; want os.ErrNotExist", err)
	}
}

// TestManyNumbersInWords: numbers of another notation, too many to be categories, are
// called no identifier.
func TestManyNumbersInWords(t *testing.T) {
	for text, want := range map[string]string{
		"%d.433,8%d": "the texts look like numbers with points between thousands; remove the points between thousands from the file; for decimal commas use --decimal ,",
		"%d,5%d":     "the texts look like numbers with decimal commas; read them as numbers (--decimal ,)",
		"case %d %d": "such as this one (1001 different texts)",
	} {
		var b strings.Builder
		b.WriteString("a;class\n")
		for i := range 1001 {
			fmt.Fprintf(&b, text+";p\n", i%900+1, i/900)
		}
		_, err := dataset.Read(strings.NewReader(b.String()), "d.csv", dataset.LoadOptions{Delimiter: ';', Decimal: "."})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
