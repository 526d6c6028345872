package dataset

import (
	"slices"
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
