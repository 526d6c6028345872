// Package spreadsheet keeps programs that open CSV files as tables from running texts
// in them as formulas.
package spreadsheet

import (
	"strconv"
	"strings"
)

// Text is a field of a CSV file that no spreadsheet takes for a formula: a text that
// begins as a formula does (with =, +, -, @, a tab or a line end, also in the wide forms
// of East Asian scripts) gets an apostrophe in front, and so does one that begins with an
// apostrophe. So whoever takes one leading apostrophe off has the text again. Numbers
// such as -1.5, and a sign alone, stay as they are.
func Text(text string) string {
	if strings.IndexAny(text, "=+-@\t\r\n＝＋－＠'") != 0 || isDecimal(text) || text == "+" || text == "-" {
		return text
	}
	return "'" + text
}

// isDecimal reports whether a text is a decimal number.
func isDecimal(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil && strings.Trim(text, "0123456789.eE+-") == "" // no infinity, no hexadecimal
}
