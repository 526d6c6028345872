package dataset

import "strings"

// cellKind says what the text of a field is.
type cellKind uint8

const (
	missing    cellKind = iota // one of the texts of missing fields
	number                     // a decimal number of size at most MaxAbs
	outOfRange                 // a decimal number beyond MaxAbs
	nonFinite                  // a spelling of NaN or infinity
	text                       // anything else
)

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
