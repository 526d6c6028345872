package dataset

import (
	"math/rand/v2"
	"strconv"
	"testing"
)

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
