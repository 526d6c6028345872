package export

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// identifiers turns names into identifiers that differ from each other: join makes one
// of the words of a name (runs of ASCII letters and digits), and where that is taken, or
// among reserved, a number is added.
func identifiers(names []string, join func(words []string) string, reserved []string) []string {
	taken := make(map[string]bool)
	for _, name := range reserved {
		taken[name] = true
	}
	last := make(map[string]int) // number by identifier
	ids := make([]string, len(names))
	for i, name := range names {
		words := strings.FieldsFunc(name, func(r rune) bool {
			return r >= utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r)
		})
		id := join(words)
		if taken[id] {
			k := max(2, last[id])
			for ; taken[fmt.Sprintf("%s_%d", id, k)]; k++ {
			}
			last[id] = k
			id = fmt.Sprintf("%s_%d", id, k)
		}
		taken[id] = true
		ids[i] = id
	}
	return ids
}

// isIdentifier reports whether name is an ASCII identifier that is not reserved.
func isIdentifier(name string, reserved []string) bool {
	for i := range len(name) {
		c := name[i]
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != "" && !slices.Contains(reserved, name)
}

// inputNames returns the names of the inputs.
func (p *plan) inputNames() []string {
	names := make([]string, len(p.inputs))
	for i := range p.inputs {
		names[i] = p.inputs[i].name
	}
	return names
}

// firstWith returns the first name of a column or class, or text of a category, in which
// bad finds something, as words of an error.
func (p *plan) firstWith(bad func(s string) bool) (string, bool) {
	for k := range p.classes {
		if bad(p.classes[k]) {
			return fmt.Sprintf("the class %q", p.classes[k]), true
		}
	}
	for i := range p.inputs {
		in := &p.inputs[i]
		if bad(in.name) {
			return fmt.Sprintf("the column name %q", in.name), true
		}
		for _, l := range in.lookups() {
			if bad(l.text) {
				return fmt.Sprintf("the text %q of column %q", l.text, in.name), true
			}
		}
		for _, c := range in.codes {
			if bad(c.text) {
				return fmt.Sprintf("the text %q of column %q", c.text, in.name), true
			}
		}
	}
	return "", false
}

// onlyNumbers refuses, for targets whose numbers are no texts, columns of numbers that
// are written as something else.
func (p *plan) onlyNumbers() error {
	for i := range p.inputs {
		switch in := &p.inputs[i]; {
		case in.text:
		case in.date != nil:
			return in.noNumber("holds dates (--dates)")
		case len(in.codes) > 0:
			return in.noNumber(fmt.Sprintf("has the text %q that stands for a number (--code)", in.codes[0].text))
		}
	}
	return nil
}

func (in *input) noNumber(why string) error {
	return fmt.Errorf("takes numbers only, and the column %q %s; other targets can read it", in.name, why)
}

// noDates refuses columns of dates.
func (p *plan) noDates() error {
	for i := range p.inputs {
		if in := &p.inputs[i]; in.date != nil {
			return fmt.Errorf("does not read dates, which the column %q holds (--dates)", in.name)
		}
	}
	return nil
}
