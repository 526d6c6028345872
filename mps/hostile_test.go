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
		checkAllocation(t, name, b.String())
	}
}

// The same for what comes after the columns.
func TestHostileSections(t *testing.T) {
	const n = 5000
	var head strings.Builder
	head.WriteString("ROWS\n N o\n")
	for i := range n {
		fmt.Fprintf(&head, " L r%d\n", i)
	}
	head.WriteString("COLUMNS\n")
	for i := range n {
		fmt.Fprintf(&head, " c%d o 1\n", i)
	}
	for name, line := range map[string]func(i int) string{
		"quadratic terms": func(i int) string { return fmt.Sprintf(" c%d c%d 1\n", i, i/2) },
		"quadratic rows":  func(i int) string { return fmt.Sprintf("QCMATRIX r%d\n c1 c1 1\n", i) },
		"sets":            func(i int) string { return fmt.Sprintf(" S1 s%d\n c%d 1\n", i, i) },
		"one set":         func(i int) string { return fmt.Sprintf(" c%d %d\n", i, i) },
	} {
		var b strings.Builder
		b.WriteString(head.String())
		b.WriteString(map[string]string{"quadratic terms": "QUADOBJ\n", "sets": "SOS\n S1 all\n", "one set": "SOS\n S1 all\n"}[name])
		if name == "sets" { // after a long one
			for i := range n {
				fmt.Fprintf(&b, " c%d %d\n", i, i)
			}
		}
		for i := range n {
			b.WriteString(line(i))
		}
		b.WriteString("ENDATA\n")
		checkAllocation(t, name, b.String())
	}
}

func checkAllocation(t *testing.T, name, text string) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := Read(strings.NewReader(text), "t"); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	runtime.ReadMemStats(&after)
	if got, limit := after.TotalAlloc-before.TotalAlloc, uint64(40*len(text)+1<<20); got > limit {
		t.Errorf("%s: %d bytes allocated for %d bytes of input", name, got, len(text))
	}
}
