package dataset

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

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
