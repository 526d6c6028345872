package mps

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/octgen/octgen/mio"
)

// Lines that are read the fast way and lines of the same meaning that are not,
// because of a comment at their end, give the same model; so do other blanks.
func TestColumnsFast(t *testing.T) {
	m := sparseModel(t)
	text := string(written(t, m))
	for name, change := range map[string]func(string) string{
		"as written":        func(s string) string { return s },
		"comments":          func(s string) string { return strings.ReplaceAll(s, "\n", " $ 1 2\n") },
		"carriage returns":  func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		"two blanks":        func(s string) string { return strings.ReplaceAll(s, " ", "  ") },
		"tabs":              func(s string) string { return strings.ReplaceAll(s, " ", "\t") },
		"Fortran":           func(s string) string { return strings.ReplaceAll(s, ".5\n", ".5D0\n") },
		"no last line feed": func(s string) string { return strings.TrimSuffix(s, "\n") },
	} {
		before, after, _ := strings.Cut(text, "COLUMNS\n")
		got, err := Read(strings.NewReader(before+"COLUMNS\n"+change(after)), "m.mps")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d := diff(m, got); d != "" {
			t.Fatalf("%s: %s", name, d)
		}
	}
}

// sparseModel has rows that follow each other in ever other orders, and names
// shorter and longer than a key holds.
func sparseModel(tb testing.TB) *mio.Model {
	rng := rand.New(rand.NewPCG(13, 14))
	b := mio.NewBuilder("sparse")
	const rows, cols = 300, 2000
	for i := range rows {
		b.AddRow(0, math.Inf(1), []string{"r", "seven", "row_and_more", "more_than_fifteen_characters"}[rng.IntN(4)], i)
	}
	for j := range cols {
		c := b.AddCol(0, 0, math.Inf(1), mio.Continuous, []string{"c", "column_of_many_characters"}[rng.IntN(2)], j)
		for range rng.IntN(8) {
			b.Add(mio.Row(rng.IntN(rows)), c, float64(rng.IntN(9999))/4)
		}
	}
	return frozen(tb, b)
}

// A mistake in a line of the usual kind is found where it stands.
func TestColumnsFastErrors(t *testing.T) {
	const head = "ROWS\n N o\n L r1\n L r2\nCOLUMNS\n x o 1\n"
	for line, want := range map[string]string{
		" x r1 1 r1 2":       "m.mps:7: section COLUMNS: column x has two entries in row r1",
		" x r1 1 r3 2":       "m.mps:7: section COLUMNS: row \"r3\" is not in the ROWS section",
		" x r1 1 r2":         "m.mps:7: section COLUMNS: expected a column and one or two pairs",
		" x r1 1 r2 2 3":     "m.mps:7: section COLUMNS: expected a column and one or two pairs",
		" x r1 1 r2 2 r3 3":  "m.mps:7: section COLUMNS: expected a column and one or two pairs",
		" x r1 1e":           "m.mps:7: section COLUMNS: column x, row r1: expected a number, found \"1e\"",
		" x r1 1x":           "m.mps:7: section COLUMNS: column x, row r1: expected a number, found \"1x\"",
		" x r1 1e999":        "m.mps:7: section COLUMNS: column x, row r1: number \"1e999\" is beyond the range",
		" x r1":              "m.mps:7: section COLUMNS: expected a column and one or two pairs",
		" x":                 "m.mps:7: section COLUMNS: expected a column and one or two pairs",
		" x o 2":             "m.mps:7: section COLUMNS: column x has two entries in row o",
		" x 'MARKER' 5":      "m.mps:7: section COLUMNS: expected a marker",
		" x r1 1 $\n x r1 1": "m.mps:8: section COLUMNS: column x has two entries in row r1",
	} {
		_, err := Read(bytes.NewReader([]byte(head+line+"\nENDATA\n")), "m.mps")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", line, err, want)
		}
	}
}
