package dataset

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestSortedNames(t *testing.T) {
	names := []string{"b10", "b9", "-1", "10", "9", "1e1", "B", "b09", "", "10-14", "5-9", "b"}
	want := []string{"-1", "9", "10", "1e1", "", "5-9", "10-14", "B", "b", "b09", "b9", "b10"}
	sorted, place := sortedNames(names)
	if diff := cmp.Diff(want, sorted); diff != "" {
		t.Error(diff)
	}
	for i, name := range names {
		if sorted[place[i]] != name {
			t.Errorf("place of %q is %d", name, place[i])
		}
	}
}

// TestCompareNames: a total order, as sorting needs.
func TestCompareNames(t *testing.T) {
	name := rapid.StringOfN(rapid.SampledFrom([]rune("019.-+eab/ é")), 0, 5, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := name.Draw(t, "a"), name.Draw(t, "b"), name.Draw(t, "c")
		sign := func(x int) int { return min(max(x, -1), 1) }
		if sign(compareNames(a, b)) != -sign(compareNames(b, a)) || (compareNames(a, b) == 0) != (a == b) {
			t.Fatalf("%q and %q", a, b)
		}
		three := []string{a, b, c}
		slices.SortFunc(three, compareNames)
		if compareNames(three[0], three[2]) > 0 {
			t.Fatalf("not transitive: %q", three)
		}
	})
}

func TestListNames(t *testing.T) {
	many := strings.Split("a b c d e f g h i j k l m", " ")
	if got, want := listNames(many), `"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", ... (13 in all)`; got != want {
		t.Errorf("%s; want %s", got, want)
	}
}

func TestClassify(t *testing.T) {
	for _, c := range []struct {
		s    string
		v    float64
		kind cellKind
	}{
		{"", 0, missing}, {"?", 0, missing}, {"5", 5, number}, {".28", .28, number}, {"5.", 5, number},
		{"+1E3", 1000, number}, {"-1e-3", -.001, number}, {"-1.7936000e-001", -.17936, number},
		{"1e-999", 0, number}, {"1e300", 1e300, number}, {"-1.1e300", 0, outOfRange}, {"1e999", 0, outOfRange},
		{"nan", 0, nonFinite}, {"-NaN", 0, nonFinite}, {"+Inf", 0, nonFinite}, {"INFINITY", 0, nonFinite},
		{".", 0, text}, {"-", 0, text}, {"e5", 0, text}, {"1e", 0, text}, {"1e+", 0, text}, {"1 2", 0, text},
		{"1_000", 0, text}, {"0x1p4", 0, text}, {"1,5", 0, text}, {"--1", 0, text}, {"infinit", 0, text}, {"1.2.3", 0, text},
	} {
		if v, kind := plain.classify(c.s); v != c.v || kind != c.kind {
			t.Errorf("%q: %v, kind %d; want %v, %d", c.s, v, kind, c.v, c.kind)
		}
	}
}

// TestDictionary: texts have the codes of their first appearance, whether there are few or
// many, short or long, and are counted.
func TestDictionary(t *testing.T) {
	for _, texts := range []int{1, fewTexts, fewTexts + 1, 200} {
		rng := rand.New(rand.NewPCG(1, uint64(texts)))
		d, want, count := newDictionary(), map[string]int32{}, map[string]int{}
		for range 4 * manyRead {
			s := strconv.Itoa(rng.IntN(texts))
			code, isNew := d.add(s)
			was, known := want[s]
			if !known {
				was = int32(len(want))
				want[s] = was
			}
			count[s]++
			if code != was || isNew == known {
				t.Fatalf("%d texts: %q has the code %d, new %v; want %d, %v", texts, s, code, isNew, was, !known)
			}
		}
		for s, code := range want {
			got, ok := d.find(s)
			if !ok || got != code || d.names[code] != s || d.count[code] != count[s] {
				t.Errorf("%d texts: %q: code %d, name %q, count %d; want %d, %d", texts, s, got, d.names[code], d.count[code], code, count[s])
			}
		}
		if _, ok := d.find("none"); ok || len(d.names) != len(want) {
			t.Errorf("%d texts: %d names, want %d", texts, len(d.names), len(want))
		}
	}
}

// TestSmallDictionary: a column of few rows has no tables, since a file of one megabyte may
// have half a million of them.
func TestSmallDictionary(t *testing.T) {
	d := newDictionary()
	for i := range fewTexts {
		d.add(strconv.Itoa(i))
	}
	if d.index != nil || d.short != nil {
		t.Error("a dictionary of few texts has tables")
	}
}

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

// FuzzCodes: codes that parse are finite, and parse to the same ones when they
// are written again.
func FuzzCodes(f *testing.F) {
	for _, text := range []string{"y=1,n=-1,?=0", "a=b=3", "=1", "a=1,a=2", " x = 1e3 ", "", ",", "a=nan", "a=1e400", "NA=1,?=2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		codes, err := parseCodes(text)
		if err != nil || codes == nil {
			return
		}
		var items []string
		for name, v := range codes {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%q: %v", name, v)
			}
			items = append(items, fmt.Sprintf("%s=%v", name, v))
		}
		again, err := parseCodes(strings.Join(items, ","))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(codes, again); d != "" {
			t.Fatalf("%q: %s", text, d)
		}
	})
}

// FuzzClassWeights: factors that parse are positive and finite, one per class.
func FuzzClassWeights(f *testing.F) {
	for _, text := range []string{"balanced", "yes=3,no=1", "a=b=0.5", "=1", "a=1,a=2", "a=0", "a=-1", "a=inf", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := parseClassWeights(text)
		if err != nil || c == nil || c.balanced {
			return
		}
		for k, w := range c.factors {
			if !(w > 0) || math.IsInf(w, 0) || slices.Index(c.names, c.names[k]) != k {
				t.Fatalf("%q: %+v", text, c)
			}
		}
		if len(c.names) != len(c.factors) {
			t.Fatalf("%q: %+v", text, c)
		}
	})
}

// FuzzNames: names have a total order, whatever is in them, and are found again
// where sorting put them.
func FuzzNames(f *testing.F) {
	for _, text := range []string{"b10,b9,b09", "1,1.0,1e0", "5-9,10-14", "-0,0,+0", "é,e,\xff", "1e309,inf,nan", "00,0,000"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		names := strings.Split(text, ",")
		slices.Sort(names)
		names = slices.Compact(names)
		if len(names) > 50 {
			return
		}
		sorted, place := sortedNames(names)
		for i, name := range names {
			if sorted[place[i]] != name {
				t.Fatalf("%q is at %d of %q", name, place[i], sorted)
			}
		}
		for i, a := range sorted {
			for _, b := range sorted[i+1:] {
				if compareNames(a, b) >= 0 || compareNames(b, a) <= 0 {
					t.Fatalf("%q and %q of %q", a, b, sorted)
				}
			}
		}
	})
}

// FuzzDates: texts that have a format are finite dates by it, and the same days by what
// the encoder keeps of it; a second format reads other days.
func FuzzDates(f *testing.F) {
	for _, text := range []string{"2020-01-31,2020-2-1", "1/2/2020,3/4/2020", "31.12.1969 23:59,1.1.1970 0:00", "20200101", "2020-01-01T00:00:00+14:00",
		"0000-01-01,9999-12-31", "0000-01-01T00:00:00+14:00", "9999-12-31T23:00:00-02:00", "may 5 2020,MAY 5 2020", "1-Jan-70,31-Dec-69", "2020-02-30", ",", "1:2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		texts := strings.Split(text, ",")
		format, other := dateFormatOf(texts)
		if format == nil {
			if other != nil {
				t.Fatal("a second format without a first")
			}
			return
		}
		if other != nil && sameDates(format, other, texts) {
			t.Fatalf("%q: %s and %s are the same", texts, format.format, other.format)
		}
		first := math.Inf(1)
		for _, s := range texts {
			v, ok := format.seconds(s)
			if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%q is %v by %s", s, v, format.format)
			}
			first = min(first, v)
		}
		format.first = math.Floor(first/secondsPerDay) * secondsPerDay
		kept, err := format.learned().reader()
		if err != nil {
			t.Fatalf("%q: %v", texts, err)
		}
		for _, s := range texts {
			a, _ := format.seconds(s)
			b, ok := kept.seconds(s)
			if !ok || format.days(a) != kept.days(b) || format.days(a) < 0 {
				t.Fatalf("%q: day %v, by the encoder %v", s, format.days(a), kept.days(b))
			}
		}
	})
}
