package constraint

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// special are the characters that a text in double quotes only may have.
const special = `:@,<>="`

// quote is s as a constraint's text has it.
func quote(s string) string {
	if s == "" || strings.ContainsAny(s, special) || strings.TrimSpace(s) != s {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

func quoted(names []string) string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = quote(name)
	}
	return strings.Join(all, ",")
}

// firstOf is quoted for messages: the first of many.
func firstOf(names []string) string {
	const most = 12
	if len(names) <= most {
		return quoted(names)
	}
	return fmt.Sprintf("%s,... (%d in all)", quoted(names[:most]), len(names))
}

// number is a limit as a constraint's text has it.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// outside calls do with every byte of s that is in no quotes, and says whether the
// quotes are closed.
func outside(s string, do func(i int)) bool {
	in := false
	for i := range len(s) {
		if s[i] == '"' {
			in = !in
		} else if !in {
			do(i)
		}
	}
	return !in
}

// divide splits s at every character sep in no quotes.
func divide(s string, sep byte) []string {
	var parts []string
	from := 0
	outside(s, func(i int) {
		if s[i] == sep {
			parts = append(parts, s[from:i])
			from = i + 1
		}
	})
	return append(parts, s[from:])
}

// name reads a text of the grammar: in double quotes, or without special characters.
func name(s string) (string, error) {
	s = strings.TrimSpace(s)
	switch {
	case s == "":
		return "", fmt.Errorf("a name is missing")
	case s[0] == '"':
		if len(s) < 2 || s[len(s)-1] != '"' || strings.Contains(strings.ReplaceAll(s[1:len(s)-1], `""`, ""), `"`) {
			return "", fmt.Errorf("%s: the double quotes are not closed (a quote within is written twice)", s)
		}
		return strings.ReplaceAll(s[1:len(s)-1], `""`, `"`), nil
	case strings.ContainsAny(s, special):
		return "", fmt.Errorf("%s has one of %s; write it in double quotes: %s", s, special, quote(s))
	}
	return s, nil
}

// names reads texts between commas.
func names(s string) ([]string, error) {
	var all []string
	for _, part := range divide(s, ',') {
		n, err := name(part)
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, nil
}

// compare splits s at its last comparison outside quotes, which must be op, before a
// number within low..high.
func compare(s, op string, low, high float64) (left string, limit float64, err error) {
	at := -1
	if !outside(s, func(i int) {
		if s[i] == '<' || s[i] == '>' || s[i] == '=' && (i == 0 || s[i-1] != '<' && s[i-1] != '>') {
			at = i
		}
	}) {
		return "", 0, fmt.Errorf("the double quotes are not closed")
	}
	if at < 0 {
		return "", 0, fmt.Errorf("it has no %s", op)
	}
	if !strings.HasPrefix(s[at:], op) {
		return "", 0, fmt.Errorf("it has %q where %s belongs", s[at:], op)
	}
	limit, err = limitOf(s[at+len(op):], low, high)
	return s[:at], limit, err
}

// limitOf reads a number within low..high.
func limitOf(s string, low, high float64) (float64, error) {
	s = strings.TrimSpace(s)
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) {
		return 0, fmt.Errorf("%q is no number", s)
	}
	if v < low || v > high {
		if high == MostPrice {
			return 0, fmt.Errorf("%s is not a number from %s to %s", s, number(low), number(high))
		}
		return 0, fmt.Errorf("the limit %s is not within %s and %s", s, number(low), number(high))
	}
	return v, nil
}

// assignments reads COLUMN=VALUE,... in the texts of a list.
func assignments(texts []string, each func(column, value string) error) error {
	for _, text := range texts {
		for _, part := range divide(text, ',') {
			at := -1
			outside(part, func(i int) {
				if part[i] == '=' {
					at = i
				}
			})
			if at < 0 {
				return fmt.Errorf("%q is no COLUMN=VALUE", part)
			}
			column, err := name(part[:at])
			if err != nil {
				return err
			}
			if err := each(column, strings.TrimSpace(part[at+1:])); err != nil {
				return err
			}
		}
	}
	return nil
}

// MostPrice is the largest price of a column or a split: those of a tree add up.
const MostPrice = 1e300

// mostNamed is how many things a note names.
const mostNamed = 3

// few names the first of several things.
func few(all []string) string {
	if len(all) > mostNamed {
		return fmt.Sprintf("%s and %d more", strings.Join(all[:mostNamed], ", "), len(all)-mostNamed)
	}
	if last := len(all) - 1; last > 0 {
		return strings.Join(all[:last], ", ") + " and " + all[last]
	}
	return all[0]
}

// verb is what is said of one thing, or of several.
func verb(all []string, one, many string) string {
	if len(all) == 1 {
		return one
	}
	return many
}
