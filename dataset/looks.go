package dataset

import (
	"fmt"
	"strings"
)

// isDecimalComma reports whether s is a number with a decimal comma.
func isDecimalComma(s string) bool {
	return strings.Count(s, ",") == 1 && !strings.Contains(s, ".") && isDecimal(strings.Replace(s, ",", ".", 1))
}

// isGrouped reports whether s is a number whose digits are grouped by commas, as in
// 1,234,567.8.
func isGrouped(s string) bool {
	s = s[skipSign(s, 0):]
	whole, _, _ := strings.Cut(s, ".")
	groups := strings.Split(whole, ",")
	for i, g := range groups {
		if skipDigits(g, 0) != len(g) || i > 0 && len(g) != 3 || len(g) < 1 || len(g) > 3 {
			return false
		}
	}
	return len(groups) > 1 && isDecimal(strings.ReplaceAll(s, ",", ""))
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

// isAmount reports whether s is a number, with or without commas in it.
func isAmount(s string) bool {
	s = strings.TrimSpace(s)
	return isDecimal(s) || isDecimalComma(s) || isGrouped(s)
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
