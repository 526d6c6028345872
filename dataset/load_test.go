package dataset_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
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
			opts: dataset.LoadOptions{CategoricalColumns: []string{"n"}, Categorical: dataset.Ordinal},
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
		{texts: 50, want: dataset.OneHot},
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

// TestScoring reads other files with an encoder: columns in another order, extra
// columns, unknown categories, gaps.
func TestScoring(t *testing.T) {
	const train = "size,color,ok,class\n1,red,no,a\n2,green,yes,b\n6,blue,yes,b\n"
	for _, c := range []struct {
		name string
		fit  dataset.LoadOptions
		text string
		opts dataset.EncodeOptions
		want dataset.Rows
	}{
		{
			name: "columns by name, others ignored, no target",
			text: "more,ok,color,size\n?,no,blue,4\n",
			want: dataset.Rows{X: []float64{4, 1, 0, 0, 0}, Line: []int{2}},
		},
		{
			name: "target known, missing and unknown",
			text: "class,size,color,ok\nb,1,red,no\n,1,red,no\nz,1,red,no\n",
			want: dataset.Rows{X: []float64{1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0}, Y: []int{1, -1, -1}, Line: []int{2, 3, 4}},
		},
		{
			name: "unknown categories as other",
			text: "size,color,ok\n1,pink,maybe\n",
			opts: dataset.EncodeOptions{Unknown: dataset.UnknownOther},
			want: dataset.Rows{X: []float64{1, 0, 0, 0, 0}, Line: []int{2}},
		},
		{
			name: "unknown categories as other, ordinal",
			fit:  dataset.LoadOptions{Categorical: dataset.Ordinal},
			text: "size,color,ok\n1,?,maybe\n",
			opts: dataset.EncodeOptions{Unknown: dataset.UnknownOther},
			want: dataset.Rows{X: []float64{1, -1, -1}, Line: []int{2}},
		},
		{
			name: "gaps filled as training says, though it had none",
			fit:  dataset.LoadOptions{Missing: dataset.MissingMean},
			text: "size,color,ok\n,,\n",
			want: dataset.Rows{X: []float64{3, 1, 0, 0, 1}, Line: []int{2}},
		},
		{
			name: "gaps passed over",
			text: "size,color,ok\n1,red,no\n,red,no\n\n2,red,no\n",
			opts: dataset.EncodeOptions{SkipIncomplete: true},
			want: dataset.Rows{X: []float64{1, 0, 0, 1, 0, 2, 0, 0, 1, 0}, Line: []int{2, 5}},
		},
		{
			name: "gaps kept",
			text: "size,color,ok,class\n1,red,no,a\n,red,no,b\n\n2,?,no,c\n2,red,no,a\n",
			opts: dataset.EncodeOptions{KeepIncomplete: true},
			want: dataset.Rows{
				X: []float64{1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 1, 0}, Y: []int{0, 1, -1, 0}, Line: []int{2, 3, 5, 6},
				Incomplete: []bool{false, true, true, false},
			},
		},
		{
			name: "gaps passed over, though they might be kept",
			text: "size,color,ok\n1,red,no\n,red,no\n",
			opts: dataset.EncodeOptions{KeepIncomplete: true, SkipIncomplete: true},
			want: dataset.Rows{X: []float64{1, 0, 0, 1, 0}, Line: []int{2}, Incomplete: []bool{false}},
		},
		{
			name: "columns kept as texts",
			text: "id,size,color,ok,note\n a 1 ,1,red,no,\"x, \"\"y\"\"\"\n7,2,red,no,?\n",
			opts: dataset.EncodeOptions{KeepColumns: []string{"note", "id", "size"}},
			want: dataset.Rows{
				X: []float64{1, 0, 0, 1, 0, 2, 0, 0, 1, 0}, Line: []int{2, 3},
				Kept: [][]string{{`x, "y"`, "a 1", "1"}, {"?", "7", "2"}},
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := read(t, train, c.fit).Encoder
			rows, err := e.ReadRows(strings.NewReader(c.text), "new.csv", c.opts)
			if err != nil {
				t.Fatal(err)
			}
			c.want.Features = e.Features()
			got := dataset.Rows{X: rows.X, Y: rows.Y, Line: rows.Line, Features: rows.Features, Incomplete: rows.Incomplete, Kept: rows.Kept}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if rows.N() != len(c.want.Line) || !slices.Equal(rows.Row(0), c.want.X[:len(rows.Features)]) {
				t.Error("N or Row disagrees with X")
			}
		})
	}
}

// TestKeptColumns: what cannot be kept is refused.
func TestKeptColumns(t *testing.T) {
	e := read(t, "size,class\n1,a\n2,b\n", dataset.LoadOptions{}).Encoder
	for _, c := range []struct {
		keep []string
		want string
	}{
		{[]string{"nmae"}, `new.csv: no column "nmae"; did you mean "name"?`},
		{[]string{"name", "size", "name"}, `new.csv: the column "name" is asked for twice`},
	} {
		_, err := e.ReadRows(strings.NewReader("name,size\nx,1\n"), "new.csv", dataset.EncodeOptions{KeepColumns: c.keep})
		if err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestScoringPart: labelled rows without their weights, and with gaps that training had
// not.
func TestScoringPart(t *testing.T) {
	e := read(t, "a,w,class\n1,2,x\n2,3,y\n", dataset.LoadOptions{Weight: "w", Missing: dataset.MissingCategory}).Encoder
	e.Missing, e.Columns[0].Impute = dataset.MissingMean, nil
	d, err := e.Read(strings.NewReader("a,class\n1,x\n,y\n3,y\n"), "test.csv", dataset.EncodeOptions{Unweighted: true, SkipIncomplete: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]float64{1, 1}, d.Weight); diff != "" || d.N() != 2 || d.Line[1] != 4 {
		t.Errorf("%s, %+v", diff, d)
	}
}

// TestScoringKeepsClassWeights: factors are training's, not those of the file at
// hand.
func TestScoringKeepsClassWeights(t *testing.T) {
	e := read(t, "a,class\n1,x\n2,y\n3,y\n4,y\n", dataset.LoadOptions{ClassWeight: "balanced"}).Encoder
	d, err := e.Read(strings.NewReader("class,a\nx,1\nx,2\ny,9\n"), "test.csv", dataset.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]float64{2, 2, 2. / 3}, d.Weight); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int{0, 0, 1}, d.Y); diff != "" {
		t.Error(diff)
	}
}

func TestEncoderValidate(t *testing.T) {
	one, word := 1.0, "no"
	good := func() *dataset.Encoder {
		return &dataset.Encoder{Target: "class", Weight: "w", Classes: []string{"a", "b"}, Columns: []dataset.SourceColumn{
			{Name: "n", Kind: dataset.Numeric},
			{Name: "c", Kind: dataset.OneHot, Categories: []string{"x", "y", "z"}},
		}}
	}
	if err := good().Validate(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		spoil func(e *dataset.Encoder)
		want  string
	}{
		{func(e *dataset.Encoder) { e.Classes = nil }, `encoder: no classes`},
		{func(e *dataset.Encoder) { e.Classes[1] = "a" }, `encoder: two classes are named "a"`},
		{func(e *dataset.Encoder) { e.ClassWeight = []float64{1} }, `encoder: 1 class weights for 2 classes`},
		{func(e *dataset.Encoder) { e.ClassWeight = []float64{1, -1} }, `encoder: class weight -1 of "b"; want a positive finite number`},
		{func(e *dataset.Encoder) { e.Missing = "x" }, `encoder: missing values "x"; want drop, mean or category`},
		{func(e *dataset.Encoder) { e.Target = "" }, `encoder: a column or the target has no name`},
		{func(e *dataset.Encoder) { e.Columns[0].Name = "w" }, `encoder: two columns are named "w"`},
		{func(e *dataset.Encoder) { e.Columns[0].Name = "c=x" }, `encoder: two features are named "c=x"`},
		{func(e *dataset.Encoder) { e.Columns[0].Kind = "text" }, `encoder: column "n": unknown kind "text"; want numeric, onehot or ordinal`},
		{func(e *dataset.Encoder) { e.Columns[0].Indicator = true }, `encoder: column "n": an indicator needs an impute value`},
		{func(e *dataset.Encoder) { e.Columns[0].ImputeCategory = &word }, `encoder: column "n": a numeric column has no categories`},
		{func(e *dataset.Encoder) { e.Columns[1].Impute = &one }, `encoder: column "c": impute, indicator and date belong to numeric columns`},
		{func(e *dataset.Encoder) { e.Columns[1].ImputeCategory = &word }, `encoder: column "c": impute category "no" is not one of its categories`},
		{func(e *dataset.Encoder) { e.Columns[1].Categories[1] = "x" }, `encoder: column "c" has the category "x" twice`},
		{func(e *dataset.Encoder) { e.Columns[1].Categories = nil }, `encoder: column "c" has no categories`},
	} {
		e := good()
		c.spoil(e)
		if diff := cmp.Diff(c.want, errorText(e.Validate())); diff != "" {
			t.Error(diff)
		}
	}
}
