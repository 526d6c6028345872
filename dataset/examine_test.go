package dataset_test

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
)

// TestExamine: a file with many mistakes is described to its end, and read with the flags that come of it.
func TestExamine(t *testing.T) {
	const text = "id,when,amount,size,note,class\n" +
		"1,01/02/2024,\"$1,200\",5,red,yes\n" +
		"2,02/03/2024,$90,x,green,\n" +
		"3,03/04/2024,$70,6\n" +
		"4,04/05/2024,$50,8,red,no\n" +
		"5,05/06/2024,$30,9,,no\n" +
		"6,06/07/2024,$20,9,red,yes\n"
	open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
	e, _, err := dataset.Examine(open, "d.csv", dataset.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"d.csv:4: 4 fields; the header has 6; quote fields that contain the delimiter or a line end",
		`d.csv:3:26: column "class": the class is missing in 1 row (line 3); --drop-unlabelled leaves out such rows`,
		`d.csv: column "when": "01/02/2024" is 2 January 2024 as MM/DD/YYYY or 1 February 2024 as DD/MM/YYYY, and all dates fit both; name the form (--dates "when=MM/DD/YYYY" or "when=DD/MM/YYYY")`,
	} {
		if !slices.Contains(e.Problems, want) {
			t.Errorf("%q lacks %q", e.Problems, want)
		}
	}
	if e.Rows != 5 || len(e.Columns) != 6 || e.Columns[2].Least != "20" || e.Columns[2].Most != "1200" || e.Columns[4].Missing != 1 || e.Columns[1].Use != "cannot be read: see below" {
		t.Errorf("%+v", e)
	}
	mended := strings.Replace(text, "3,03/04/2024,$70,6\n", "", 1)
	open = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(mended)), nil }
	e, _, err = dataset.Examine(open, "d.csv", dataset.LoadOptions{})
	if err != nil || !slices.Equal(e.Flags, []string{"--drop-unlabelled", `--ignore "when"`}) || len(e.Classes) != 2 {
		t.Fatalf("%v, %+v", err, e)
	}
	if d := read(t, mended, dataset.LoadOptions{DropUnlabelled: true, Ignore: []string{"when"}}); d.P() == 0 {
		t.Error(d)
	}
	for _, bad := range []string{"", "PK\x03\x04", "a,b,class\n"} {
		open = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(bad)), nil }
		if e, _, err := dataset.Examine(open, "d.csv", dataset.LoadOptions{}); err == nil && e.Problems == nil {
			t.Errorf("%q: %+v", bad, e)
		}
	}
}
