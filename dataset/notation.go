package dataset

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// missingCategory is the category of missing fields under MissingCategory.
const missingCategory = "?"

// DefaultNAValues returns the default texts of missing fields in LoadOptions, including
// the empty one. They are case-sensitive: "Nan" may be a name.
func DefaultNAValues() []string {
	return []string{"", missingCategory, "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null"}
}

// legacyNAValues are the texts of missing fields of encoders that list none: those of
// trees of schema_version 1.
var legacyNAValues = []string{"", missingCategory}

// notation describes how the fields of a file are written.
type notation struct {
	missing map[string]bool  // texts of missing fields
	starts  [256]bool        // their first bytes: this decides most fields
	numbers map[float64]bool // those that are numbers, which are missing in any spelling; nil for none
	comma   bool             // the decimal mark is a comma
	mark    string           // the decimal mark if it is known, not assumed
	cells   bool             // plain numbers are those of cells, which have points
}

// plain is the notation of numbers that do not come from a file.
var plain = newNotation(legacyNAValues, "")

func newNotation(naValues []string, decimal string) *notation {
	n := &notation{missing: make(map[string]bool), comma: decimal == ",", mark: decimal}
	for _, s := range naValues {
		n.missing[s] = true
		if s != "" {
			n.starts[s[0]] = true
		}
	}
	var numbers map[float64]bool
	for _, s := range naValues {
		if v, kind := n.valueOf(s); kind == number && s != "" {
			if numbers == nil {
				numbers = make(map[float64]bool)
			}
			numbers[v] = true
		}
	}
	n.numbers = numbers
	return n
}

// isMissing reports whether a trimmed field is missing. An empty field always is.
func (n *notation) isMissing(s string) bool {
	return s == "" || n.starts[s[0]] && n.missing[s]
}

// classify returns the kind of a trimmed field and, for a number, its value; negative
// zero becomes zero.
func (n *notation) classify(s string) (float64, cellKind) {
	if n.isMissing(s) {
		return 0, missing
	}
	v, kind := n.valueOf(s)
	if n.numbers != nil && kind == number && n.numbers[v] {
		return 0, missing
	}
	return v, kind
}

// valueOf is classify of a field that is not missing.
func (n *notation) valueOf(s string) (float64, cellKind) {
	if len(s) == 1 && '0' <= s[0] && s[0] <= '9' { // a fast path: many tables have only such fields
		return float64(s[0] - '0'), number
	}
	if n.comma {
		if strings.IndexByte(s, '.') >= 0 {
			return 0, text // the point usually separates thousands
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
	if err != nil || math.Abs(v) > MaxAbs { // for a decimal, the only possible error is overflow
		return 0, outOfRange
	}
	return v + 0, number // -0 + 0 = +0
}

// format writes a number in the notation of the file.
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

// cellKind is the kind of a field's text.
type cellKind uint8

const (
	missing    cellKind = iota // one of the texts of missing fields
	number                     // a decimal number, at most MaxAbs in absolute value
	outOfRange                 // a decimal number above MaxAbs in absolute value
	nonFinite                  // a spelling of NaN or infinity
	text                       // anything else
)

// MaxAbs is the largest absolute value in X and the largest sum of weights.
const MaxAbs = 1e300

// isDecimal reports whether s is [+-] digits [. digits] [e [+-] digits] with a digit on
// at least one side of the point. It rejects hexadecimal numbers and underscores, which
// strconv accepts.
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

// isNonFinite reports whether s spells NaN or an infinity, in upper or lower case, with
// or without a sign.
func isNonFinite(s string) bool {
	s = s[skipSign(s, 0):]
	return strings.EqualFold(s, "nan") || strings.EqualFold(s, "inf") || strings.EqualFold(s, "infinity")
}

// looksMissing reports whether s is a common text for a missing value. In a column with
// numbers such a text is an error; among texts it is an ordinary category.
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

// isGrouped reports whether s is a number with commas between thousands, as in
// 1,234,567.8.
func isGrouped(s string) bool { return isGroupedBy(s, ",", ".") }

// isGroupedByPoints reports whether s may be a number with points between thousands, as
// in 1.234.567,8 or 1.234.
func isGroupedByPoints(s string) bool {
	return isGroupedBy(s, ".", ",") && s[skipSign(s, 0)] != '0'
}

// isGroupedByBlanks reports whether s is a number with blanks between thousands, as in 1
// 234,5 or 1 234.5.
func isGroupedByBlanks(s string) bool {
	s = strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(s) // nonbreaking spaces
	return isGroupedBy(s, " ", ".") || isGroupedBy(s, " ", ",")
}

// isGroupedBy reports whether s is a number with groups of three digits, separated by
// between, before an optional decimal mark.
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

// isMoney reports whether s is a number with a currency sign.
func isMoney(s string) bool {
	number := strings.Trim(s, "$€£¥ ")
	return strings.ContainsAny(s, "$€£¥") && isAmount(number)
}

// isAmount reports whether s is a number in any notation.
func isAmount(s string) bool {
	s = strings.TrimSpace(s)
	return isDecimal(s) || isDecimalComma(s) || isGrouped(s) || isGroupedByPoints(s) || isGroupedByBlanks(s)
}
