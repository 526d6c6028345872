package export

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/octgen/octgen/dataset"
)

// input is a source column as a target reads it. A row without a class is one that
// octgen predict refuses: a field is missing and nothing stands for it, a number is
// none, or a category is unknown and not admitted.
type input struct {
	name    string
	text    bool     // a category's text; otherwise a number
	missing []string // texts of a missing field, beside the empty one

	coded bool          // a code stands for missing fields, which are missing no more
	fill  *float64      // of numbers: what stands for a missing field; nil: no class
	codes []code        // of numbers: texts that stand for numbers, by text
	gaps  []float64     // of numbers: those that are texts of a missing field
	route bool          // of numbers: fill is below all of them, and tests may take missing fields as above
	comma bool          // of numbers: texts have a decimal comma
	date  *dataset.Date // of numbers: the field is a date, the number its days

	categories   []string
	labels       []label // the texts of the categories
	fillCategory int     // the category of a missing field; noCategory, or unfilled: no class
	admits       bool    // an unknown text is noCategory; otherwise: no class
}

const (
	noCategory = -1 // none of the categories
	unfilled   = -2
)

// code is a text that stands for a number.
type code struct {
	text  string
	value float64
}

// label is a text of a category.
type label struct {
	text     string
	category int
}

// texts returns the texts of the categories in set, ascending.
func (in *input) texts(set []int) []string {
	var texts []string
	for _, l := range in.labels {
		if slices.Contains(set, l.category) {
			texts = append(texts, l.text)
		}
	}
	return texts
}

// known returns the texts of all categories.
func (in *input) known() []string {
	texts := make([]string, len(in.labels))
	for i, l := range in.labels {
		texts[i] = l.text
	}
	return texts
}

// fills reports whether something stands for a missing field.
func (in *input) fills() bool {
	if in.text {
		return in.fillCategory != unfilled
	}
	return in.fill != nil
}

// columnInput returns how the encoder's column c is read. Codes come first, as they do
// where octgen reads a file: the field holds the number, as text, in place of the code.
func columnInput(e *dataset.Encoder, c *dataset.SourceColumn, unknown dataset.UnknownPolicy) input {
	in := input{name: c.Name, text: c.Kind != dataset.Numeric, fillCategory: unfilled, comma: e.Decimal == ","}
	_, in.coded = e.Codes[missingText]
	in.missing = missingTexts(e)
	if in.text {
		in.readCategories(e, c, unknown)
	} else {
		in.readNumbers(e, c)
	}
	return in
}

// missingTexts are the texts of a missing field, beside the empty one, that have no code
// of their own.
func missingTexts(e *dataset.Encoder) []string {
	all := e.NAValues
	if all == nil {
		all = []string{missingText}
	}
	var texts []string
	for _, text := range all {
		_, coded := e.Codes[text]
		if text != "" && (!coded || text == missingText) {
			texts = append(texts, text)
		}
	}
	return texts
}

func (in *input) readNumbers(e *dataset.Encoder, c *dataset.SourceColumn) {
	in.fill, in.codes, in.date, in.route = c.Impute, sortedCodes(e.Codes), c.Date, c.Route
	if in.coded {
		fill := e.Codes[missingText]
		in.fill = &fill
	}
	if in.date != nil { // a code is no date, and so is a number
		in.codes = nil
		if in.coded {
			in.fill = nil
		}
		return
	}
	for _, text := range in.missing {
		v, err := strconv.ParseFloat(in.withPoint(text), 64)
		if err == nil && math.Abs(v) <= dataset.MaxAbs && !slices.Contains(in.gaps, v) { // no NaN
			in.gaps = append(in.gaps, v)
		}
	}
}

// withPoint is the text of a number with a decimal point.
func (in *input) withPoint(text string) string {
	if in.comma {
		return strings.Replace(text, ",", ".", 1)
	}
	return text
}

// coding is the text that stands in a field for the number of a code.
func (in *input) coding(v float64) string {
	if in.comma {
		return strings.Replace(shortest(v), ".", ",", 1)
	}
	return shortest(v)
}

func (in *input) readCategories(e *dataset.Encoder, c *dataset.SourceColumn, unknown dataset.UnknownPolicy) {
	in.categories, in.admits = c.Categories, unknown == dataset.UnknownOther
	category := func(text string) int { return slices.Index(c.Categories, text) } // noCategory where it is none
	for k, text := range c.Categories {
		if _, replaced := e.Codes[text]; !replaced && !slices.Contains(in.missing, text) {
			in.labels = append(in.labels, label{text, k})
		}
	}
	for _, code := range sortedCodes(e.Codes) {
		if k := category(in.coding(code.value)); k != noCategory {
			in.labels = append(in.labels, label{code.text, k})
		}
	}
	in.fillCategory = noCategory
	switch {
	case in.coded:
		in.fillCategory = category(in.coding(e.Codes[missingText]))
	case c.ImputeCategory != nil:
		in.fillCategory = category(*c.ImputeCategory)
	case slices.Contains(in.missing, missingText):
		in.fillCategory = category(missingText)
	}
	// An unknown text is none of the categories where that is admitted; a missing field
	// is no text, unless it has a code.
	if in.fillCategory == noCategory && !(in.coded && in.admits) {
		in.fillCategory = unfilled
	}
}

// missingText is the text of a missing field, and the name of the category of such
// fields.
const missingText = "?"

// sortedCodes returns the codes of texts, without that of missing fields.
func sortedCodes(codes map[string]float64) []code {
	var sorted []code
	for text, v := range codes {
		if text != missingText {
			sorted = append(sorted, code{text, v})
		}
	}
	slices.SortFunc(sorted, func(a, b code) int { return strings.Compare(a.text, b.text) })
	return sorted
}

// shortest returns the shortest decimal that reads back to v.
func shortest(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// literal is shortest with a point or an exponent, so that no language takes it for a
// whole number.
func literal(v float64) string {
	s := shortest(v)
	if strings.ContainsAny(s, ".e") {
		return s
	}
	return s + ".0"
}
