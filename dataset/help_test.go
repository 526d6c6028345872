package dataset_test

import (
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
