package dataset_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/octgen/octgen/dataset"
)

// read loads CSV text.
func read(t testing.TB, text string, opts dataset.LoadOptions) *dataset.Dataset {
	t.Helper()
	d, err := dataset.Read(strings.NewReader(text), "data.csv", opts)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Validate(); err != nil {
		t.Fatal(err)
	}
	return d
}

// requireSame fails where two datasets differ in any field; it compares the large
// slices first because cmp is slow on them.
func requireSame(t testing.TB, want, got *dataset.Dataset) {
	t.Helper()
	if !slices.Equal(want.X, got.X) || !slices.Equal(want.Y, got.Y) || !slices.Equal(want.Weight, got.Weight) ||
		!slices.Equal(want.Count, got.Count) || !slices.Equal(want.Line, got.Line) {
		t.Errorf("rows differ:\n%s", cmp.Diff(want, got))
	}
	a, b := *want, *got
	a.X, a.Y, a.Weight, a.Count, a.Line = nil, nil, nil, nil, nil
	b.X, b.Y, b.Weight, b.Count, b.Line = nil, nil, nil, nil, nil
	a.Reading, b.Reading = nil, nil
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("want -> got:\n%s", diff)
	}
}

// errorText returns the message of err, empty for nil.
func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// table is what a test expects of a load.
type table struct {
	Features []string
	Classes  []string
	X        [][]float64
	Y        []int
}

func tableOf(d *dataset.Dataset) table {
	t := table{Features: d.Features, Classes: d.Classes, Y: d.Y}
	for i := range d.N() {
		t.X = append(t.X, d.Row(i))
	}
	return t
}

const mixedText = "size,color,ok,class\n" +
	"1,red,yes,b\n" +
	",green,no,a\n" +
	"3,blue,yes,c\n" +
	"5,blue,,a\n"

func TestLoad(t *testing.T) {
	for _, c := range []struct {
		name string
		text string
		opts dataset.LoadOptions
		want table
	}{
		{
			name: "incomplete rows are dropped, with the categories and classes that only they have",
			text: mixedText,
			want: table{[]string{"size", "color=red", "ok=yes"}, []string{"b", "c"}, [][]float64{{1, 1, 1}, {3, 0, 1}}, []int{0, 1}},
		},
		{
			name: "mean and mode",
			text: mixedText,
			opts: dataset.LoadOptions{Missing: dataset.MissingMean},
			want: table{[]string{"size", "color=blue", "color=green", "color=red", "ok=yes"}, []string{"a", "b", "c"},
				[][]float64{{1, 0, 0, 1, 1}, {3, 0, 1, 0, 0}, {3, 1, 0, 0, 1}, {5, 1, 0, 0, 1}}, []int{1, 0, 2, 0}},
		},
		{
			name: "missing is a category, of a numeric column an indicator",
			text: mixedText,
			opts: dataset.LoadOptions{Missing: dataset.MissingCategory},
			want: table{[]string{"size", "size=?", "color=blue", "color=green", "color=red", "ok=no", "ok=yes", "ok=?"}, []string{"a", "b", "c"},
				[][]float64{{1, 0, 0, 0, 1, 0, 1, 0}, {3, 1, 0, 1, 0, 1, 0, 0}, {3, 0, 1, 0, 0, 0, 1, 0}, {5, 0, 1, 0, 0, 0, 0, 1}}, []int{1, 0, 2, 0}},
		},
		{
			name: "ordinal",
			text: mixedText,
			opts: dataset.LoadOptions{Missing: dataset.MissingCategory, Categorical: dataset.Ordinal},
			want: table{[]string{"size", "size=?", "color", "ok"}, []string{"a", "b", "c"},
				[][]float64{{1, 0, 2, 1}, {3, 1, 1, 0}, {3, 0, 0, 1}, {5, 0, 0, 2}}, []int{1, 0, 2, 0}},
		},
		{
			name: "weighted mean and mode",
			text: "a,b,w,class\n1,x,1,p\n4,y,2,p\n,,5,q\n",
			opts: dataset.LoadOptions{Weight: "w", Missing: dataset.MissingMean},
			want: table{[]string{"a", "b=y"}, []string{"p", "q"}, [][]float64{{1, 0}, {4, 1}, {3, 1}}, []int{0, 0, 1}},
		},
		{
			name: "forms of numbers, blanks, quotes, byte order mark, CRLF, blank lines",
			text: "\xef\xbb\xbf a , \"b\",class\r\n .28 ,1e-3,x\r\n\r\n+5.,\" -0\",x\r\n   \r\n-1.5E+2, \"2.0000000e+000 \",x",
			want: table{[]string{"a", "b"}, []string{"x"}, [][]float64{{.28, .001}, {5, 0}, {-150, 2}}, []int{0, 0, 0}},
		},
		{
			name: "numeric classes and categories by value, texts with numbers by their numbers",
			text: "n,s,class\n10,10-14,10\n9,5-9,9\n10,5-9,-1\n2,100-,2.5\n",
			opts: dataset.LoadOptions{CategoricalColumns: []string{"n"}, Categorical: dataset.Ordinal, Task: dataset.Classification},
			want: table{[]string{"n", "s"}, []string{"-1", "2.5", "9", "10"}, [][]float64{{2, 1}, {1, 0}, {2, 0}, {0, 2}}, []int{3, 2, 0, 1}},
		},
		{
			name: "numbers and texts that look like categories",
			text: "doors,class\n2,x\n4,x\n5more,y\n5more,y\n",
			want: table{[]string{"doors=2", "doors=4", "doors=5more"}, []string{"x", "y"}, [][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 1}}, []int{0, 0, 1, 1}},
		},
		{
			name: "mistaken texts are categories where the column is declared so",
			text: "a,class\n1,x\nNaN,x\nabc,y\n?,y\n",
			opts: dataset.LoadOptions{CategoricalColumns: []string{"a"}, NAValues: []string{"?"}},
			want: table{[]string{"a=1", "a=NaN", "a=abc"}, []string{"x", "y"}, [][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, []int{0, 0, 1}},
		},
		{
			name: "NaN and hexadecimal are texts among texts",
			text: "a,class\nNan,x\nIda,y\n0x1p4,x\n",
			want: table{[]string{"a=0x1p4", "a=Ida", "a=Nan"}, []string{"x", "y"}, [][]float64{{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}, []int{0, 1, 0}},
		},
		{
			name: "another target, ignored columns, another delimiter",
			text: "class\tid\ta\tb\nx\tk1\t\t1\ny\tk2\t3\t2\n",
			opts: dataset.LoadOptions{Target: "class", Ignore: []string{"id", "a"}, Delimiter: '\t'},
			want: table{[]string{"b"}, []string{"x", "y"}, [][]float64{{1}, {2}}, []int{0, 1}},
		},
		{
			name: "one row, one class, one category",
			text: "a,b,class\n7,red,x\n",
			want: table{[]string{"a", "b=red"}, []string{"x"}, [][]float64{{7, 1}}, []int{0}},
		},
		{
			name: "a quoted field over two lines and a very long one",
			text: "a,b,class\n1,\"two\nlines\",x\n2," + strings.Repeat("z", 1<<20) + ",x\n",
			want: table{[]string{"a", "b=" + strings.Repeat("z", 1<<20)}, []string{"x"}, [][]float64{{1, 0}, {2, 1}}, []int{0, 0}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := read(t, c.text, c.opts)
			if diff := cmp.Diff(c.want, tableOf(d)); diff != "" {
				t.Error(diff)
			}
			again, err := throughJSON(t, d.Encoder).Read(strings.NewReader(c.text), "data.csv", dataset.EncodeOptions{Delimiter: c.opts.Delimiter})
			if err != nil {
				t.Fatal(err)
			}
			requireSame(t, d, again)
		})
	}
}

// TestNegativeZero: X holds +0 only, so that equal values have equal bits.
func TestNegativeZero(t *testing.T) {
	d := read(t, "a,class\n-0,x\n-1e-999,x\n", dataset.LoadOptions{})
	for i, v := range d.X {
		if v != 0 || math.Signbit(v) {
			t.Errorf("row %d: %v; want 0", i, v)
		}
	}
}

func TestLinesAndSource(t *testing.T) {
	const text = "a,b,class\n1,\"two\nlines\",x\n\n2,?,x\n3,one,y\n"
	d := read(t, text, dataset.LoadOptions{})
	if diff := cmp.Diff([]int{2, 6}, d.Line); diff != "" {
		t.Error(diff)
	}
	sum := sha256.Sum256([]byte(text))
	if diff := cmp.Diff(dataset.Source{File: "data.csv", SHA256: hex.EncodeToString(sum[:]), Rows: 3}, d.Source); diff != "" {
		t.Error(diff)
	}
}

// TestNumericRule walks a column of numbers and texts through the rule of
// LoadOptions.
func TestNumericRule(t *testing.T) {
	for _, c := range []struct {
		distinct, numbers, texts int
		repeated                 bool // the texts are all the same
		want                     dataset.ColumnKind
	}{
		{distinct: 30, numbers: 100, want: dataset.Numeric},
		{distinct: 5, numbers: 100, texts: 1, want: ""},
		{distinct: 5, numbers: 91, texts: 9, repeated: true, want: ""},
		{distinct: 5, numbers: 90, texts: 10, repeated: true, want: dataset.OneHot},
		{distinct: 20, numbers: 60, texts: 40, repeated: true, want: dataset.OneHot},
		{distinct: 21, numbers: 60, texts: 40, repeated: true, want: ""},
		{distinct: 3, numbers: 50, texts: 50, want: ""},
		{distinct: 3, numbers: 49, texts: 51, want: dataset.OneHot},
		{distinct: 21, numbers: 30, texts: 70, want: ""},
		{texts: 19, want: dataset.OneHot},
		{texts: 20, want: ""},
	} {
		var b strings.Builder
		b.WriteString("a,class\n")
		for i := range c.numbers {
			fmt.Fprintf(&b, "%d,x\n", i%c.distinct)
		}
		for i := range c.texts {
			if c.repeated {
				i = 0
			}
			fmt.Fprintf(&b, "t%d,y\n", i)
		}
		d, err := dataset.Read(strings.NewReader(b.String()), "data.csv", dataset.LoadOptions{})
		var got dataset.ColumnKind
		if err == nil {
			got = d.Encoder.Columns[0].Kind
		}
		if got != c.want {
			t.Errorf("%+v: kind %q, error %v", c, got, err)
		}
	}
}

func TestWeights(t *testing.T) {
	const text = "a,w,class\n1,2,x\n2,4,y\n3,6,y\n4,1e-3,x\n"
	for _, c := range []struct {
		opts dataset.LoadOptions
		want []float64
	}{
		{dataset.LoadOptions{Ignore: []string{"w"}}, []float64{1, 1, 1, 1}},
		{dataset.LoadOptions{Weight: "w"}, []float64{2, 4, 6, .001}},
		{dataset.LoadOptions{Weight: "w", ClassWeight: "y=.5"}, []float64{2, 2, 3, .001}},
		{dataset.LoadOptions{Ignore: []string{"w"}, ClassWeight: " x = 3 , y=1e1"}, []float64{3, 10, 10, 3}},
		{dataset.LoadOptions{Ignore: []string{"w"}, ClassWeight: "balanced"}, []float64{1, 1, 1, 1}},
	} {
		d := read(t, text, c.opts)
		if diff := cmp.Diff(c.want, d.Weight); diff != "" {
			t.Errorf("%+v: weights\n%s", c.opts, diff)
		}
		if diff := cmp.Diff([]float64{1, 1, 1, 1}, d.Count); diff != "" {
			t.Errorf("%+v: counts\n%s", c.opts, diff)
		}
	}
	balanced := read(t, "a,class\n1,x\n2,y\n3,y\n4,y\n", dataset.LoadOptions{ClassWeight: "balanced"})
	if diff := cmp.Diff([]float64{2, 2. / 3, 2. / 3, 2. / 3}, balanced.Weight); diff != "" {
		t.Error(diff)
	}
	equals := read(t, "a,class\n1,k=1\n2,k=2\n", dataset.LoadOptions{ClassWeight: "k=1=5"})
	if diff := cmp.Diff([]float64{5, 1}, equals.Weight); diff != "" {
		t.Error(diff)
	}
}

func TestGzipAndStandardInput(t *testing.T) {
	dir := t.TempDir()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(mixedText)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "data.CSV.GZ")
	if err := os.WriteFile(path, packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	want := read(t, mixedText, dataset.LoadOptions{})
	got, err := dataset.Load(path, dataset.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(packed.Bytes())
	want.Source = dataset.Source{File: path, SHA256: hex.EncodeToString(sum[:]), Rows: 4}
	requireSame(t, want, got)

	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	stdin := os.Stdin
	defer func() { os.Stdin = stdin }()
	os.Stdin = f
	if got, err = dataset.Load("-", dataset.LoadOptions{}); err != nil {
		t.Fatal(err)
	}
	want.Source.File = "-"
	requireSame(t, want, got)
}

func ExampleRead() {
	const text = `length,color,class
1.5,red,a
2.5,,b
3.5,blue,b
`
	d, err := dataset.Read(strings.NewReader(text), "flowers.csv", dataset.LoadOptions{Missing: dataset.MissingCategory})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Features)
	for i := range d.N() {
		fmt.Println(d.Row(i), d.Classes[d.Y[i]])
	}
	// Output:
	// [length color=blue color=red color=?]
	// [1.5 0 1 0] a
	// [2.5 0 0 1] b
	// [3.5 1 0 0] b
}

// FuzzRead: any bytes either load as a valid dataset, which its encoder, taken
// through JSON, makes again from the same bytes, or are refused by an *Error.
func FuzzRead(f *testing.F) {
	seeds := []string{
		"a,b,class\n1,x,0\n2,y,1\n",
		"\xef\xbb\xbfa,\"b \"\"q\"\"\",class\r\n1,?,yes\r\n\r\n.5e-3,,no\r\n",
		"w;x;y\n1;-0;a\n2;0;b\n3;NaN;a\n",
		"a,b,class\n1,2\n",
		"a,a,class\n",
		"n,m,class\n2,big,p\n3,small,q\n5more,big,q\n5more,,p\n2,big,q\n",
		"a,class\n\"1\n",
		"\x1f\x8b\x08\x00",
		"1,5;2020-01-01;p\n-2,5;2020-02-30;q\n",
		"when,a,class\n1/2/2020,NA,p\n13/2/2020,-,q\n",
	}
	for i, seed := range seeds {
		f.Add([]byte(seed), uint16(i*37))
		f.Add([]byte(seed), uint16(i)<<8)
	}
	f.Fuzz(func(t *testing.T, data []byte, choice uint16) {
		opts := fuzzOptions(choice)
		d, err := dataset.Read(bytes.NewReader(data), "fuzz.csv", opts)
		if err != nil {
			var bad *dataset.Error
			if !errors.As(err, &bad) || bad.File != "fuzz.csv" {
				t.Fatalf("%T %v; want an *Error that names the file", err, err)
			}
			return
		}
		if err := d.Validate(); err != nil {
			t.Fatal(err)
		}
		again, err := throughJSON(t, d.Encoder).Read(bytes.NewReader(data), "fuzz.csv", dataset.EncodeOptions{Delimiter: opts.Delimiter})
		if err != nil {
			t.Fatal(err)
		}
		requireSame(t, d, again)
		rows, err := d.Encoder.ReadRows(bytes.NewReader(data), "fuzz.csv", dataset.EncodeOptions{
			Delimiter: opts.Delimiter, SkipIncomplete: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(rows.X, d.X) || !slices.Equal(rows.Y, d.Y) || !slices.Equal(rows.Line, d.Line) {
			t.Fatalf("rows for prediction %+v; want those of %+v", rows, d)
		}
	})
}

// fuzzOptions derives options from the bits of choice.
func fuzzOptions(choice uint16) dataset.LoadOptions {
	opts := dataset.LoadOptions{
		Missing:     []dataset.MissingPolicy{"", dataset.MissingMean, dataset.MissingCategory, dataset.MissingRoute}[choice&3],
		Categorical: []dataset.ColumnKind{"", dataset.Ordinal, dataset.Subsets, ""}[choice>>2&1+choice>>13&2],
		Delimiter:   []rune{0, ';', '\t', '|'}[choice>>3&3],
		ClassWeight: []string{"", "balanced"}[choice>>5&1],
	}
	if choice>>6&1 == 1 {
		opts.Weight = "w"
	}
	if choice>>7&1 == 1 {
		opts.CategoricalColumns = []string{"a"}
	}
	if choice>>8&1 == 1 {
		opts.Decimal = ","
	}
	if choice>>9&1 == 1 {
		opts.NAValues = []string{"-", "x"}
	}
	opts.NoHeader = choice>>10&1 == 1
	opts.Dates = [][]string{nil, {"auto"}, {"when"}, {"b=MM/DD/YYYY"}}[choice>>11&3]
	return opts
}

// throughJSON returns what is left of an encoder after writing and reading it.
func throughJSON(t testing.TB, e *dataset.Encoder) *dataset.Encoder {
	t.Helper()
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var back dataset.Encoder
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	return &back
}
