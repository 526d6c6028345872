package dataset_test

import (
	"encoding/csv"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
)

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
		{map[string]string{"size": "", "color": "red"}, "", `column "size": the value is missing, and the training data had no missing values here to learn from`},
		{map[string]string{"size": "1", "color": "gren"}, "", `column "color": unknown category "gren"; did you mean "green"? (--unknown other takes it as none of them)`},
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
