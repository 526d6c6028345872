package dataset

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

// FuzzFields: records, places and errors are those of a csv.Reader, whatever the length
// of the buffer.
func FuzzFields(f *testing.F) {
	for i, text := range []string{
		"a,b\n1, 2\n\n3,\"x,y\"\n4,5\n", "a;b\r\n1;2\r\n\r", "\n\n a,\t b ,\n,\n", "a\tb\n\t\t\n 1\t 2", "a,b\n1,x\"y\n",
		"a,b\n\"1\n2\",3\n4,\"5", "\u00a0a,\u2003\u2003b\n\xff,\xa0", strings.Repeat("long,", 20) + "\r\n1", "a\rb,c\n\r\n",
	} {
		f.Add(text, uint8(i))
	}
	f.Fuzz(func(t *testing.T, text string, choice uint8) {
		comma := []rune{',', ';', '\t', '|', '§'}[choice%5]
		want := csv.NewReader(strings.NewReader(text))
		want.Comma, want.FieldsPerRecord, want.TrimLeadingSpace = comma, -1, comma != '\t'
		got := newFieldReader(bufio.NewReaderSize(strings.NewReader(text), 16), comma, comma != '\t')
		for {
			a, errA := want.Read()
			b, errB := got.Read()
			if errA != nil || errB != nil {
				sameError(t, errA, errB)
				return
			}
			if !slices.Equal(a, b) {
				t.Fatalf("%q: a csv.Reader has %q", b, a)
			}
			for i, field := range a {
				if field == "" { // where blanks were trimmed off a line, its end may count as one
					continue
				}
				lineA, columnA := want.FieldPos(i)
				if lineB, columnB := got.FieldPos(i); lineA != lineB || columnA != columnB {
					t.Fatalf("field %d, %q, at %d:%d; a csv.Reader has %d:%d", i, field, lineB, columnB, lineA, columnA)
				}
			}
		}
	})
}

func sameError(t *testing.T, a, b error) {
	t.Helper()
	var want, got *csv.ParseError
	if errors.As(a, &want) && errors.As(b, &got) {
		if *want != *got {
			t.Fatalf("%v; a csv.Reader has %v", got, want)
		}
		return
	}
	if a != io.EOF || b != io.EOF {
		t.Fatalf("%v; a csv.Reader has %v", b, a)
	}
}
