package dataset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octgen/octgen/internal/nearest"
)

// compareNames orders categories and classes: numbers first, by value, then the
// other texts with runs of digits in them compared as numbers ("5-9" before
// "10-14"). Names that this leaves equal ("1", "1.0") are ordered by their bytes.
func compareNames(a, b string) int {
	va, ka := plain.classify(a)
	vb, kb := plain.classify(b)
	c := 0
	switch {
	case ka == number && kb == number:
		switch {
		case va < vb:
			c = -1
		case va > vb:
			c = 1
		}
	case ka == number:
		c = -1
	case kb == number:
		c = 1
	default:
		c = compareNatural(a, b)
	}
	if c == 0 {
		c = strings.Compare(a, b)
	}
	return c
}

// compareNatural compares byte by byte, but runs of digits by their value.
func compareNatural(a, b string) int {
	for len(a) > 0 && len(b) > 0 {
		da, db := skipDigits(a, 0), skipDigits(b, 0)
		if da > 0 && db > 0 {
			if c := compareDigits(a[:da], b[:db]); c != 0 {
				return c
			}
			a, b = a[da:], b[db:]
			continue
		}
		if a[0] != b[0] {
			return int(a[0]) - int(b[0])
		}
		a, b = a[1:], b[1:]
	}
	return len(a) - len(b)
}

func compareDigits(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

// suggest says which of the names was probably meant by one that is not among
// them, or lists them.
func suggest(what, wanted string, names []string) string {
	return nearest.Hint(wanted, names, what+" "+listNames(names))
}

// listNames quotes the names, the first dozen where there are many.
func listNames(names []string) string {
	const most = 12
	quoted := make([]string, 0, most)
	for _, name := range names[:min(len(names), most)] {
		quoted = append(quoted, fmt.Sprintf("%q", name))
	}
	list := strings.Join(quoted, ", ")
	if len(names) > most {
		list += fmt.Sprintf(", ... (%d in all)", len(names))
	}
	return list
}

// sortedNames returns the names in the order of compareNames and, for each given
// index, its place in that order.
func sortedNames(names []string) (sorted []string, place []int32) {
	order := make([]int32, len(names))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return compareNames(names[a], names[b]) })
	sorted = make([]string, len(names))
	place = make([]int32, len(names))
	for to, from := range order {
		sorted[to] = names[from]
		place[from] = int32(to)
	}
	return sorted, place
}
