package dataset_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/octgen/octgen/dataset"
)

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
		{func(e *dataset.Encoder) { e.Missing = "x" }, `encoder: missing values "x"; want drop, mean, category or route`},
		{func(e *dataset.Encoder) { e.Target = "" }, `encoder: a column or the target has no name`},
		{func(e *dataset.Encoder) { e.Columns[0].Name = "w" }, `encoder: two columns are named "w"`},
		{func(e *dataset.Encoder) { e.Columns[0].Name = "c=x" }, `encoder: two features are named "c=x"`},
		{func(e *dataset.Encoder) { e.Columns[0].Kind = "text" }, `encoder: column "n": unknown kind "text"; want numeric, onehot, ordinal or subsets`},
		{func(e *dataset.Encoder) { e.Columns[0].Indicator = true }, `encoder: column "n": an indicator needs an impute value`},
		{func(e *dataset.Encoder) { e.Columns[0].ImputeCategory = &word }, `encoder: column "n": a numeric column has no categories`},
		{func(e *dataset.Encoder) { e.Columns[1].Impute = &one }, `encoder: column "c": impute, indicator, route, date and written belong to numeric columns`},
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

// New data are read as those of the training were: columns by name, texts as the same
// columns of 0 and 1. For prediction the class need not be there.
func ExampleEncoder() {
	const training = "length,color,class\n1.5,red,a\n2.5,blue,b\n3.5,blue,b\n"
	d, err := dataset.Read(strings.NewReader(training), "flowers.csv", dataset.LoadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	dir, err := os.MkdirTemp("", "octgen")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "new.csv")
	if err := os.WriteFile(file, []byte("color,length\nred,9.5\n"), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	rows, err := d.Encoder.LoadRows(file, dataset.EncodeOptions{})
	fmt.Println(rows.Features, rows.X, err)

	_, err = d.Encoder.Load(file, dataset.EncodeOptions{}) // which wants the class too
	fmt.Println(strings.ReplaceAll(err.Error(), file, "new.csv"))
	// Output:
	// [length color=red] [9.5 1] <nil>
	// new.csv: no column "class", which is a target column of the training data; the columns are "color", "length"
}

func TestLoadRows(t *testing.T) {
	e := read(t, "a,class\n1,x\n2,y\n", dataset.LoadOptions{}).Encoder
	path := filepath.Join(t.TempDir(), "new.csv")
	if err := os.WriteFile(path, []byte("a,b\n5,6\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	rows, err := e.LoadRows(path, dataset.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if rows.N() != 1 || rows.X[0] != 5 || rows.Y != nil || rows.Source.File != path {
		t.Errorf("%+v", rows)
	}
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
		{[]string{"name", "size", "name"}, `new.csv: the column "name" is listed twice`},
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

// TestEncodeRecord: a record is read as a line of a file is.
func TestEncodeRecord(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		opts dataset.LoadOptions
	}{
		"numbers and texts": {"size,color,class\n 1 ,red,a\n2,green,b\n6,blue,b\n1e3,?,a\n", dataset.LoadOptions{Missing: dataset.MissingCategory}},
		"filled":            {"size,color,class\n1,red,a\n,green,b\n6,,b\n2,green,b\n", dataset.LoadOptions{Missing: dataset.MissingMean}},
		"ordinal":           {"size,color,class\n1,red,a\n2,green,b\n6,blue,b\n", dataset.LoadOptions{Categorical: dataset.Ordinal}},
		"decimal commas":    {"size;class\n1,5;a\n2,25;b\n", dataset.LoadOptions{Decimal: ",", Delimiter: ';'}},
		"dates":             {"day,class\n2024-02-28,a\n2024-03-01,b\n", dataset.LoadOptions{Dates: []string{"day"}}},
		"other missing":     {"size,class\n1,a\n-,b\n3,b\n", dataset.LoadOptions{NAValues: []string{"-"}, Missing: dataset.MissingMean}},
	} {
		t.Run(name, func(t *testing.T) {
			ds := read(t, c.text, c.opts)
			r := csv.NewReader(strings.NewReader(c.text))
			if c.opts.Delimiter != 0 {
				r.Comma = c.opts.Delimiter
			}
			lines, err := r.ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range lines[1:] {
				record := map[string]string{"another": "column"}
				for j, name := range lines[0] {
					record[name] = line[j]
				}
				got, err := ds.Encoder.EncodeRecord(record, "")
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(ds.Row(i), got); diff != "" {
					t.Errorf("line %v: %s", line, diff)
				}
			}
		})
	}
}

// TestEncodeRecordRefuses: what cannot be read is an error that names the column.
func TestEncodeRecordRefuses(t *testing.T) {
	e := read(t, "size,color,class\n1,red,a\n2,green,b\n6,blue,b\n", dataset.LoadOptions{}).Encoder
	for _, c := range []struct {
		record  map[string]string
		unknown dataset.UnknownPolicy
		want    string
	}{
		{map[string]string{"siez": "1", "color": "red"}, "", `no column "size", which is a feature column of the training data; did you mean "siez"?`},
		{nil, "", "the record is empty"},
		{map[string]string{"size": "big", "color": "red"}, "", `column "size": "big" is not a finite number of size at most 1e+300, as the column's values were in training`},
		{map[string]string{"size": "", "color": "red"}, "", `column "size": the value is missing, but the training data had no missing values in this column`},
		{map[string]string{"size": "1", "color": "gren"}, "", `column "color": unknown category "gren"; did you mean "green"? (--unknown other encodes it as no category)`},
		{map[string]string{"size": "1", "color": "red"}, "some", `unknown categories "some"; want error or other`},
	} {
		_, err := e.EncodeRecord(c.record, c.unknown)
		if err == nil || err.Error() != c.want {
			t.Errorf("%v: %v, want %s", c.record, err, c.want)
		}
		if data := (*dataset.Error)(nil); c.unknown == "" && !errors.As(err, &data) {
			t.Errorf("%T", err)
		}
	}
	x, err := e.EncodeRecord(map[string]string{"size": "4", "color": "pink"}, dataset.UnknownOther)
	if diff := cmp.Diff([]float64{4, 0, 0, 0}, x); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if _, err := new(dataset.Encoder).EncodeRecord(nil, ""); err == nil {
		t.Error("an encoder without classes")
	}
}
