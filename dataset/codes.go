package dataset

import (
	"fmt"
	"slices"
	"strings"
)

// parseCodes reads LoadOptions.Codes: "text=number,...".
func parseCodes(spec string) (map[string]float64, error) {
	if spec == "" {
		return nil, nil
	}
	codes := make(map[string]float64)
	for item := range strings.SplitSeq(spec, ",") {
		eq := strings.LastIndexByte(item, '=') // a text may hold one
		if eq < 0 {
			return nil, fmt.Errorf("code %q: want a list such as \"y=1,n=-1,?=0\"", item)
		}
		name, value := strings.TrimSpace(item[:eq]), strings.TrimSpace(item[eq+1:])
		if name == "" {
			name = missingCategory
		}
		v, kind := plain.classify(value)
		if kind != number {
			return nil, fmt.Errorf("code %q: %q is not a finite number of size at most %g", item, value, MaxAbs)
		}
		if _, twice := codes[name]; twice {
			return nil, fmt.Errorf("code: the value %q is given twice", name)
		}
		codes[name] = v
	}
	return codes, nil
}

// coder puts the numbers of codes in place of the fields that have one.
type coder struct {
	texts    map[string]string // by field, "?" for all missing ones
	used     map[string]bool
	notation *notation
}

func newCoder(codes map[string]float64, n *notation) *coder {
	if len(codes) == 0 {
		return nil
	}
	c := &coder{texts: make(map[string]string, len(codes)), used: make(map[string]bool), notation: n}
	for name, v := range codes {
		c.texts[name] = n.format(v)
	}
	return c
}

// field returns what stands for a trimmed field of a feature column.
func (c *coder) field(s string) string {
	if c == nil {
		return s
	}
	name := s
	text, ok := c.texts[name]
	if !ok && c.notation.isMissing(s) {
		name = missingCategory
		text, ok = c.texts[name]
	}
	if !ok {
		return s
	}
	c.used[name] = true
	return text
}

// unused returns an error for the first code that no field has, which is a typing
// error more often than not.
func (c *coder) unused(file string) error {
	if c == nil {
		return nil
	}
	var names []string
	for name := range c.texts {
		if !c.used[name] {
			names = append(names, name)
		}
	}
	if names == nil {
		return nil
	}
	slices.Sort(names)
	return &Error{File: file, Msg: fmt.Sprintf("no feature field holds %q, which is given a code", names[0])}
}
