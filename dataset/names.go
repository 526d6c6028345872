package dataset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octgen/octgen/internal/nearest"
)

// compareNames orders categories and classes: numbers first, by value, then other texts,
// in which runs of digits compare as numbers ("5-9" before "10-14"). It breaks ties ("1",
// "1.0") by bytes.
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

// compareNatural compares byte by byte, except that it compares runs of digits by value.
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

// firstRepeated returns the first name that equals an earlier one.
func firstRepeated(names []string) (string, bool) {
	seen := make(map[string]struct{}, len(names))
	for _, name := range names {
		if _, ok := seen[name]; ok {
			return name, true
		}
		seen[name] = struct{}{}
	}
	return "", false
}

// suggest returns a hint: the name that was probably meant instead of wanted, or the list
// of names.
func suggest(what, wanted string, names []string) string {
	return nearest.Hint(wanted, names, what+" "+listNames(names))
}

// listNames quotes the names, at most the first dozen.
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

// sortedNames returns the names in the order of compareNames, and the position of each
// given name in that order.
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

// usedNames returns the names that appear among the codes, sorted, and the position of
// each code in that order. Negative codes mean missing.
func usedNames(names []string, codes []int32) ([]string, []int32) {
	used := make([]bool, len(names))
	for _, code := range codes {
		if code >= 0 {
			used[code] = true
		}
	}
	var kept []string
	var from []int32
	for code, ok := range used {
		if ok {
			kept = append(kept, names[code])
			from = append(from, int32(code))
		}
	}
	sorted, place := sortedNames(kept)
	recode := make([]int32, len(names))
	for i, code := range from {
		recode[code] = place[i]
	}
	return sorted, recode
}

// dictionary numbers distinct texts in the order of first appearance. A file may have as
// many columns as bytes, so a dictionary of few texts allocates no tables.
type dictionary struct {
	names []string
	count []int            // appearances of each text
	index map[string]int32 // nil for up to fewTexts texts
	short *[256]int32      // code plus one of each one-byte text, 0 for none; avoids the map; nil until manyRead texts are read
	read  int              // texts read while short is nil
}

const (
	fewTexts = 8   // up to so many texts are compared one by one
	manyRead = 256 // from so many texts on, short pays off
)

func newDictionary() *dictionary { return new(dictionary) }

// find returns the code of s, if it has one.
func (d *dictionary) find(s string) (code int32, ok bool) {
	if d.index != nil {
		code, ok = d.index[s]
		return code, ok
	}
	for code, name := range d.names {
		if name == s {
			return int32(code), true
		}
	}
	return 0, false
}

// add returns the code of s and whether it is new. A new s is copied.
func (d *dictionary) add(s string) (code int32, isNew bool) {
	if d.short != nil && len(s) == 1 && d.short[s[0]] > 0 {
		code = d.short[s[0]] - 1
		d.count[code]++
		return code, false
	}
	code, ok := d.find(s)
	if !ok {
		code = d.append(strings.Clone(s))
	}
	d.count[code]++
	if d.short != nil {
		if len(s) == 1 {
			d.short[s[0]] = code + 1
		}
	} else if d.read++; d.read >= manyRead {
		d.short = new([256]int32)
	}
	return code, !ok
}

// append adds a new text, with a count of 0.
func (d *dictionary) append(s string) int32 {
	code := int32(len(d.names))
	d.names = append(d.names, s)
	d.count = append(d.count, 0)
	switch {
	case d.index != nil:
		d.index[s] = code
	case len(d.names) > fewTexts:
		d.index = make(map[string]int32)
		for code, name := range d.names {
			d.index[name] = int32(code)
		}
	}
	return code
}
