package dataset

import (
	"math"
	"strconv"
	"strings"
)

// cellKind says what the text of a field is.
type cellKind uint8

const (
	missing    cellKind = iota // empty or ?
	number                     // a decimal number of size at most MaxAbs
	outOfRange                 // a decimal number beyond MaxAbs
	nonFinite                  // a spelling of NaN or infinity
	text                       // anything else
)

// classify returns the kind of a trimmed field and, for a number, its value;
// negative zero is returned as zero.
func classify(s string) (float64, cellKind) {
	if len(s) == 1 && '0' <= s[0] && s[0] <= '9' { // most fields of many a table
		return float64(s[0] - '0'), number
	}
	if isMissing(s) {
		return 0, missing
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

func isMissing(s string) bool { return s == "" || s == "?" }

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
	case "na", "n/a", "#n/a", "null", "none", "missing", "unknown", "-", ".":
		return true
	}
	return false
}
