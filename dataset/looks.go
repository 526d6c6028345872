package dataset

import (
	"fmt"
	"slices"
	"strings"
)

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

// writtenAs says what numbers the texts of the column look like, none of which is read as
// one, and what can be done; "" where they look like none. Some are written so, the
// others plainly.
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
		return "numbers with commas between their digits", "leave these commas out of the file, or read them as decimal ones (--decimal ,)"
	case !n.comma && written(isDecimalComma, isDecimal):
		return "numbers with decimal commas", "read them as numbers (--decimal ,)"
	case written(isPercentage, isDecimal):
		return "percentages", "leave the percent signs out of the file"
	case written(isMoney, isDecimal):
		return "amounts of money", "leave the signs of currencies out of the file"
	}
	return "", ""
}

// ungroup says what to do about signs between thousands.
func (n *notation) ungroup(signs string) string {
	if n.comma {
		return "take the " + signs + " between thousands out of the file"
	}
	return "take the " + signs + " between thousands out of the file; decimal commas are read with --decimal ,"
}

// naList is a list for --na-values that has s.
func naList(s string) string {
	if s == "NA" {
		return "?,NA"
	}
	return "?,NA," + s
}

// remedy says what can be done about a text in a column that has numbers, too.
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
		return "decimal commas are read with --decimal ,"
	case isPercentage(s):
		return "write numbers without percent signs"
	case isMoney(s):
		return "write numbers without the signs of currencies"
	case dates != nil:
		return fmt.Sprintf("a column of dates is read with --dates %q", c.name)
	case looksMissing(s):
		return fmt.Sprintf("name what stands for a missing value (--na-values %q), correct it,"+
			" or declare the column categorical (--categorical-columns)", naList(s))
	}
	return "correct it, leave the field empty where the value is missing, or declare the column categorical (--categorical-columns)"
}
