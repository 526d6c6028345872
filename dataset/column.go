package dataset

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxMixedNumbers is the number of different numbers that a categorical column
// may hold beside texts.
const maxMixedNumbers = 20

// maxCategories is the number of categories beyond which a column that is not
// named as categorical is taken for an identifier.
const maxCategories = 1000

// dictionary numbers different texts in the order of first appearance. A file may have as
// many columns as it has bytes, so a dictionary of few texts has no tables.
type dictionary struct {
	names []string
	count []int            // appearances
	index map[string]int32 // nil for up to fewTexts texts
	short *[256]int32      // one more than the code of each text of one byte, 0 for none: spares the map; nil for few texts read
	read  int              // texts read until there is short
}

const (
	fewTexts = 8   // that are compared one by one
	manyRead = 256 // from which on short pays
)

func newDictionary() *dictionary { return new(dictionary) }

// find returns the code of s.
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

// append adds a text that is not there, without an appearance.
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

// cell is a field that an error may have to name once the whole file is read.
type cell struct {
	line, column int
	value        string
}

// column gathers one feature column of a training file. It keeps the texts of
// the fields, as codes, as long as the column may turn out categorical: from the
// 21st different number on, a column that is not forced cannot.
type column struct {
	name   string
	source int         // index in the record
	forced bool        // categorical whatever it holds
	dates  bool        // named as a column of dates
	format *dateReader // of the dates, where it is named, too

	texts     *dictionary // nil once the column is known not to be categorical
	codes     []int32     // per row, -1 for missing; nil with texts
	mixed     int         // different numbers in texts
	count     [text + 1]int
	firstText *cell // the first marker of a missing value, else the first text
	marker    bool  // firstText is a usual spelling of a missing value
	firstBad  *cell // first NaN, infinity or number out of range

	missingWord string // a text of letters that stands for a missing value here, such as NA
}

func newColumn(name string, source int) *column {
	return &column{name: name, source: source, texts: newDictionary()}
}

// keepsTexts reports whether the texts are needed whatever the column holds.
func (c *column) keepsTexts() bool { return c.forced || c.dates }

// add takes the next row's field, trimmed, and returns its value if it is a number.
func (c *column) add(s string, t *records) (float64, cellKind, error) {
	v, kind := t.notation.classify(s)
	c.count[kind]++
	if kind == missing {
		if c.texts != nil {
			c.codes = append(c.codes, -1)
		}
		if c.missingWord == "" && s != "" && isLetter(s[0]) {
			c.missingWord = strings.Clone(s)
		}
		return 0, kind, nil
	}
	isNew := c.texts == nil
	if c.texts != nil {
		var code int32
		code, isNew = c.texts.add(s)
		c.codes = append(c.codes, code)
	}
	if isNew && !c.keepsTexts() && kind != number {
		c.remember(s, kind, t)
	}
	if isNew && kind != number && !utf8.ValidString(s) {
		return 0, kind, t.cellError(c.source, "%q %s", s, notUTF8)
	}
	if isNew && kind == number && c.texts != nil && !c.keepsTexts() {
		if c.mixed++; c.mixed > maxMixedNumbers {
			c.texts, c.codes = nil, nil
		}
	}
	return v, kind, nil
}

func isLetter(b byte) bool { return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' }

// remember keeps the first cells that an error would name.
func (c *column) remember(s string, kind cellKind, t *records) {
	here := func() *cell {
		line, col := t.csv.FieldPos(c.source)
		return &cell{line, col, strings.Clone(s)}
	}
	switch {
	case kind != text:
		if c.firstBad == nil {
			c.firstBad = here()
		}
	case !c.marker && looksMissing(s):
		c.firstText, c.marker = here(), true
	case c.firstText == nil:
		c.firstText = here()
	}
}

// isNumeric decides what the column is, by the rule of LoadOptions; the error
// names the field that keeps the column from being numeric.
func (c *column) isNumeric(file string, n *notation) (bool, *Error) {
	numbers, texts := c.count[number], c.count[text]
	values := numbers + texts + c.count[nonFinite] + c.count[outOfRange]
	switch {
	case values == 0:
		return false, c.allMissing(file)
	case c.forced:
		return false, nil
	case c.count[outOfRange] > 0 || c.count[nonFinite] > 0 && (numbers > 0 || texts == 0):
		return false, c.blame(file, c.firstBad, fmt.Sprintf("is not a finite number of size at most %g; %s", MaxAbs, c.remedy(c.firstBad.value, n)))
	case texts == 0:
		return true, nil
	case numbers > 0 && !c.looksCategorical(numbers, values, n):
		return false, c.blame(file, c.firstText, fmt.Sprintf("is not a number, as %d of the column's %d values are; %s", numbers, values, c.remedy(c.firstText.value, n)))
	case len(c.texts.names) > maxCategories:
		if what, mend := c.writtenAs(n); what != "" {
			return false, &Error{File: file, Name: c.name, Msg: fmt.Sprintf("the texts look like %s; %s", what, mend)}
		}
		return false, &Error{File: file, Name: c.name, Msg: fmt.Sprintf("%d different texts look like an identifier;"+
			" leave the column out (--ignore) or declare it categorical (--categorical-columns)", len(c.texts.names))}
	}
	return false, nil
}

func (c *column) allMissing(file string) *Error {
	return &Error{File: file, Name: c.name, Msg: "every field is missing; leave the column out (--ignore)"}
}

// looksCategorical reports whether a mixture of numbers and texts may be one of
// categories.
func (c *column) looksCategorical(numbers, values int, n *notation) bool {
	if c.texts == nil || c.marker {
		return false
	}
	if 2*numbers < values {
		return true
	}
	if 10*numbers > 9*values {
		return false
	}
	for code, name := range c.texts.names {
		if _, kind := n.classify(name); kind == text && c.texts.count[code] == 1 {
			return false
		}
	}
	return true
}

func (c *column) blame(file string, at *cell, msg string) *Error {
	return &Error{File: file, Line: at.line, Column: at.column, Name: c.name, Msg: fmt.Sprintf("%q %s", at.value, msg)}
}
