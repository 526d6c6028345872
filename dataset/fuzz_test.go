package dataset_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/octgen/octgen/dataset"
)

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
		Missing:     []dataset.MissingPolicy{"", dataset.MissingMean, dataset.MissingCategory, dataset.DropMissing}[choice&3],
		Categorical: []dataset.ColumnKind{"", dataset.Ordinal}[choice>>2&1],
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
