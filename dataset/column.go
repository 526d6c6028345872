package dataset

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxMixedNumbers is the number of distinct numbers that a categorical column may hold in
// addition to texts.
const maxMixedNumbers = 20

// maxCategories is the number of categories above which a column that is not declared
// categorical is taken for an identifier.
const maxCategories = 1000

// cell is a field that an error may name after the whole file is read.
type cell struct {
	line, column int
	value        string
}

// column collects one feature column of a training file. It keeps the texts of the
// fields, as codes, while the column may still be categorical: a column that is not
// forced cannot be after its 21st distinct number.
type column struct {
	name   string
	source int         // index in the record
	forced bool        // declared categorical
	kept   bool        // declared to be kept
	dates  bool        // declared as dates
	format *dateReader // the declared format of dates; nil: inferred

	texts     *dictionary // nil once the column cannot be categorical
	codes     []int32     // per row, -1 for missing; nil if texts is nil
	mixed     int         // distinct numbers in texts
	count     [text + 1]int
	firstText *cell // the first text that looks missing, else the first text
	marker    bool  // firstText is a common text for a missing value
	firstBad  *cell // the first NaN, infinity or number out of range

	missingWord string // a text of letters that means missing in this column, such as NA

	amounts amounts
	written *Written // how the numbers are written, if not as plain decimals
	isKnown bool     // the column has numbers, unless it is forced, and written is how
	without string   // why the column is left out; "" if it is not
}

func newColumn(name string, source int) *column {
	return &column{name: name, source: source, texts: newDictionary()}
}

// keepsTexts reports whether the texts are needed regardless of the values.
func (c *column) keepsTexts() bool { return c.forced || c.dates }

// add reads the field of the next row, trimmed, and returns its value if it is a number.
func (c *column) add(s string, row int, t *records) (float64, cellKind, error) {
	v, kind := t.notation.classify(s)
	c.count[kind]++
	switch {
	case c.keepsTexts():
	case kind == number && t.notation.cells:
	case kind == number && c.amounts.addPlain(s, v, row) || kind == text && c.amounts.add(s, row):
		if c.amounts.first == nil {
			line, at := t.csv.FieldPos(c.source)
			c.amounts.first = &cell{line, at, strings.Clone(s)}
		}
	}
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

// isNumeric decides the kind of the column by the rules of LoadOptions; the error names
// the field that violates them. mark is the decimal mark of the file, "" if nothing tells.
func (c *column) isNumeric(file, mark string, n *notation) (bool, *Error) {
	numbers, texts := c.count[number], c.count[text]
	values := numbers + texts + c.count[nonFinite] + c.count[outOfRange]
	switch {
	case values == 0:
		return false, c.allMissing(file)
	case c.forced:
		return false, nil
	case c.count[outOfRange] > 0 || c.count[nonFinite] > 0 && (numbers > 0 || texts == 0):
		return false, c.blame(file, c.firstBad, fmt.Sprintf("is not a finite number of size at most %g; %s", MaxAbs, c.remedy(c.firstBad.value, n)))
	case c.isKnown:
		return true, nil
	case texts == 0 && (c.amounts.grouped == nil || c.amounts.pointed || mark == "."):
		return true, nil
	case texts == len(c.amounts.fields):
		w, ambiguous := c.amounts.written(mark)
		if ambiguous {
			return false, c.twoReadings(file)
		}
		if c.written = w; w != nil {
			return true, nil
		}
	}
	switch {
	case numbers > 0 && !c.looksCategorical(numbers, values, n):
		return false, c.blame(file, c.firstText, fmt.Sprintf("is not a number, as %d of the column's %d values are; %s", numbers, values, c.remedy(c.firstText.value, n)))
	case len(c.texts.names) > maxCategories:
		if what, mend := c.writtenAs(n); what != "" {
			return false, &Error{File: file, Name: c.name, Msg: fmt.Sprintf("the texts look like %s; %s", what, mend)}
		}
	}
	switch different := len(c.texts.names); {
	case c.kept:
	case different > maxCategories:
		c.without = fmt.Sprintf("%d different texts", different)
	case numbers == 0 && different == texts && texts >= fewRows:
		c.without = "a different text in every row"
	}
	return false, nil
}

func (c *column) allMissing(file string) *Error {
	return &Error{File: file, Name: c.name, Msg: "every field is missing; leave the column out (--ignore)"}
}

// looksCategorical reports whether a mixture of numbers and texts looks like a list of
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

// writtenAs describes numbers in another notation among the texts of the column, and the
// remedy; "" if there are none. Every text must be in that notation or a plain number.
func (c *column) writtenAs(n *notation) (what, mend string) {
	written := func(looks, plain func(string) bool) bool {
		return slices.ContainsFunc(c.texts.names, looks) &&
			!slices.ContainsFunc(c.texts.names, func(s string) bool { return !looks(s) && !plain(s) })
	}
	thousands := func(looks func(string) bool) bool { // 1.234 alone is a number, or a text with --decimal ,
		isText := func(s string) bool { _, kind := n.classify(s); return kind == text && looks(s) }
		return slices.ContainsFunc(c.texts.names, isText) && written(looks, func(s string) bool {
			return isDecimalComma(s) || isDecimal(s) && (looks(s) || !strings.Contains(s, "."))
		})
	}
	switch {
	case thousands(isGroupedByPoints):
		return "numbers with points between thousands", n.ungroup("points")
	case thousands(isGroupedByBlanks):
		return "numbers with blanks between thousands", n.ungroup("blanks")
	case !n.comma && written(isGrouped, isDecimal):
		return "numbers with commas between their digits", "remove these commas from the file, or read them as decimal commas (--decimal ,)"
	case !n.comma && written(isDecimalComma, isDecimal):
		return "numbers with decimal commas", "read them as numbers (--decimal ,)"
	case written(isPercentage, isDecimal):
		return "percentages", "remove the percent signs from the file"
	case written(isMoney, isDecimal):
		return "amounts of money", "remove the currency signs from the file"
	}
	return "", ""
}

// ungroup returns the remedy for thousands separators.
func (n *notation) ungroup(signs string) string {
	if n.comma {
		return "remove the " + signs + " between thousands from the file"
	}
	return "remove the " + signs + " between thousands from the file; for decimal commas use --decimal ,"
}

// naList returns a list for --na-values that includes s.
func naList(s string) string {
	if s == "NA" {
		return "?,NA"
	}
	return "?,NA," + s
}

// remedy returns the remedy for a text in a column that also has numbers.
func (c *column) remedy(s string, n *notation) string {
	_, kind := plain.classify(s)
	dates, _ := dateFormatOf([]string{s})
	switch {
	case isGroupedByPoints(s):
		return n.ungroup("points")
	case isGroupedByBlanks(s):
		return n.ungroup("blanks")
	case n.comma && kind == number:
		return "with --decimal , a number has no point"
	case !n.comma && isGrouped(s):
		return "write numbers without commas between their digits, or with a decimal comma (--decimal ,)"
	case !n.comma && isDecimalComma(s):
		return "for decimal commas use --decimal ,"
	case isPercentage(s):
		return "write numbers without percent signs"
	case isMoney(s):
		return "write numbers without currency signs"
	case dates != nil:
		return fmt.Sprintf("for a column of dates use --dates %q", c.name)
	case looksMissing(s):
		return fmt.Sprintf("name what stands for a missing value (--na-values %q), correct it,"+
			" or declare the column categorical (--categorical-columns)", naList(s))
	}
	return "correct it, leave the field empty where the value is missing, or declare the column categorical (--categorical-columns)"
}
