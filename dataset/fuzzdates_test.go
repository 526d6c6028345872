package dataset

import (
	"math"
	"strings"
	"testing"
)

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
