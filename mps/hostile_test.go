package mps

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// Reading must take memory in proportion to the input, whatever its shape.
// Allocation, unlike time, is the same on every machine; joining the pieces of
// a name naively allocated 30,000 times the input.
func TestHostileShapes(t *testing.T) {
	const n = 20000
	for name, line := range map[string]func(i int) string{
		"pieces of a column's name":  func(int) string { return "* octgen name octgen_c1 \"" + strings.Repeat("a", 60) + "\"\n" },
		"pieces of the model's name": func(int) string { return "* octgen name model \"" + strings.Repeat("a", 60) + "\"\n" },
		"names":                      func(i int) string { return fmt.Sprintf("* octgen name octgen_c%d \"a%d\"\n", i, i) },
		"comments":                   func(int) string { return "* nothing\n" },
	} {
		var b strings.Builder
		for i := range n {
			b.WriteString(line(i))
		}
		b.WriteString("ROWS\n N o\nCOLUMNS\n octgen_c1 o 1\nENDATA\n")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := Read(strings.NewReader(b.String()), "t"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		runtime.ReadMemStats(&after)
		if got, limit := after.TotalAlloc-before.TotalAlloc, uint64(40*b.Len()+1<<20); got > limit {
			t.Errorf("%s: %d bytes allocated for %d bytes of input", name, got, b.Len())
		}
	}
}
