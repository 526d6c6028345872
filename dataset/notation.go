package dataset

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// missingCategory is the category of missing fields under MissingCategory.
const missingCategory = "?"

// DefaultNAValues are the texts of missing fields that LoadOptions has by default, the
// empty one included. Upper and lower case are told apart: a list of names may have a
// "Nan" in it.
func DefaultNAValues() []string {
	return []string{"", missingCategory, "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null"}
}

// legacyNAValues are those of encoders that name none: trees of schema_version 1.
var legacyNAValues = []string{"", missingCategory}

// notation says how the fields of a file are written.
type notation struct {
	missing map[string]bool // texts of missing fields
	starts  [256]bool       // their first bytes: most fields are told by theirs
	comma   bool            // the decimal mark
}

// plain is the notation of numbers that are not from a file.
var plain = newNotation(legacyNAValues, "")

func newNotation(naValues []string, decimal string) *notation {
	n := &notation{missing: make(map[string]bool), comma: decimal == ","}
	for _, s := range naValues {
		n.missing[s] = true
		if s != "" {
			n.starts[s[0]] = true
		}
	}
	return n
}

// isMissing reports whether a trimmed field has no value. An empty one never has.
func (n *notation) isMissing(s string) bool {
	return s == "" || n.starts[s[0]] && n.missing[s]
}

// classify returns the kind of a trimmed field and, for a number, its value;
// negative zero is returned as zero.
func (n *notation) classify(s string) (float64, cellKind) {
	if n.isMissing(s) {
		return 0, missing
	}
	if len(s) == 1 && '0' <= s[0] && s[0] <= '9' { // all fields of many a table
		return float64(s[0] - '0'), number
	}
	if n.comma {
		if strings.IndexByte(s, '.') >= 0 {
			return 0, text // a thousands separator more often than not
		}
		s = strings.Replace(s, ",", ".", 1)
	}
	if !isDecimal(s) {
		if isNonFinite(s) {
			return 0, nonFinite
		}
		return 0, text
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.Abs(v) > MaxAbs { // a decimal can fail by its size only
		return 0, outOfRange
	}
	return v + 0, number // -0 + 0 = +0
}

// format writes a number as a field of the file would have it.
func (n *notation) format(v float64) string {
	s := strconv.FormatFloat(v, 'g', -1, 64)
	if n.comma {
		s = strings.Replace(s, ".", ",", 1)
	}
	return s
}

func checkDecimal(decimal string) error {
	switch decimal {
	case "", ".", ",":
		return nil
	}
	return fmt.Errorf("decimal mark %q; want a point or a comma", decimal)
}

// cellKind says what the text of a field is.
type cellKind uint8

const (
	missing    cellKind = iota // one of the texts of missing fields
	number                     // a decimal number of size at most MaxAbs
	outOfRange                 // a decimal number beyond MaxAbs
	nonFinite                  // a spelling of NaN or infinity
	text                       // anything else
)

// MaxAbs is the largest size of a value in X and the largest sum of weights.
const MaxAbs = 1e300

// isDecimal reports whether s is [+-] digits [. digits] [e [+-] digits] with a
// digit on at least one side of the point. Hexadecimal numbers and underscores,
// which strconv would take, are left to be text.
func isDecimal(s string) bool {
	i := skipSign(s, 0)
	whole := skipDigits(s, i)
	digits := whole - i
	i = whole
	if i < len(s) && s[i] == '.' {
		end := skipDigits(s, i+1)
		digits += end - i - 1
		i = end
	}
	if digits == 0 {
		return false
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		start := skipSign(s, i+1)
		i = skipDigits(s, start)
		if i == start {
			return false
		}
	}
	return i == len(s)
}

func skipSign(s string, i int) int {
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	return i
}

func skipDigits(s string, i int) int {
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	return i
}

// isNonFinite reports whether s spells NaN or an infinity, in any case and with
// or without a sign.
func isNonFinite(s string) bool {
	s = s[skipSign(s, 0):]
	return strings.EqualFold(s, "nan") || strings.EqualFold(s, "inf") || strings.EqualFold(s, "infinity")
}

// looksMissing reports whether s is a usual way to write a missing value. Beside
// numbers such a text is a mistake; among texts it is a category like others.
func looksMissing(s string) bool {
	switch strings.ToLower(s) {
	case "na", "n/a", "#n/a", "nan", "null", "none", "missing", "unknown", "-", ".":
		return true
	}
	return false
}

// isDecimalComma reports whether s is a number with a decimal comma.
func isDecimalComma(s string) bool {
	return strings.Count(s, ",") == 1 && !strings.Contains(s, ".") && isDecimal(strings.Replace(s, ",", ".", 1))
}

// isGrouped reports whether s is a number whose digits are grouped by commas, as in
// 1,234,567.8.
func isGrouped(s string) bool { return isGroupedBy(s, ",", ".") }

// isGroupedByPoints reports whether s is a number with points between thousands, as in
// 1.234.567,8; so 1.234 may be, too.
func isGroupedByPoints(s string) bool {
	return isGroupedBy(s, ".", ",") && s[skipSign(s, 0)] != '0'
}

// isGroupedByBlanks reports whether s is a number with blanks between thousands, as in
// 1 234,5 or 1 234.5.
func isGroupedByBlanks(s string) bool {
	s = strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(s) // those that do not break a line
	return isGroupedBy(s, " ", ".") || isGroupedBy(s, " ", ",")
}

// isGroupedBy reports whether s is a number with the given decimal mark, if any, whose
// digits before it are in groups of three.
func isGroupedBy(s, between, mark string) bool {
	s = s[skipSign(s, 0):]
	whole, _, _ := strings.Cut(s, mark)
	groups := strings.Split(whole, between)
	for i, g := range groups {
		if skipDigits(g, 0) != len(g) || i > 0 && len(g) != 3 || len(g) < 1 || len(g) > 3 {
			return false
		}
	}
	return len(groups) > 1 && isDecimal(strings.Replace(strings.ReplaceAll(s, between, ""), mark, ".", 1))
}

// isPercentage reports whether s is a number with a percent sign.
func isPercentage(s string) bool {
	number, found := strings.CutSuffix(s, "%")
	return found && isAmount(number)
}

// isMoney reports whether s is a number with the sign of a currency.
func isMoney(s string) bool {
	number := strings.Trim(s, "$€£¥ ")
	return strings.ContainsAny(s, "$€£¥") && isAmount(number)
}

// isAmount reports whether s is a number in any notation.
func isAmount(s string) bool {
	s = strings.TrimSpace(s)
	return isDecimal(s) || isDecimalComma(s) || isGrouped(s) || isGroupedByPoints(s) || isGroupedByBlanks(s)
}
