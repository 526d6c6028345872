package dataset

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Written is how the numbers of a column are written where they are not plain decimals: with signs between thousands,
// with a percent sign or with a currency. The value of 12 % is 12.
type Written struct {
	Decimal  string `json:"decimal"`            // decimal mark, "." or ","
	Currency string `json:"currency,omitempty"` // such as "€", before or after the number; "" for none
	Percent  bool   `json:"percent,omitempty"`  // every number but 0 has a percent sign
}

// value returns the number that s, trimmed, writes.
func (w *Written) value(s string) (v float64, ok bool) {
	v, currency, percent, ok := parseAmount(s, w.Decimal == ",")
	if !ok || currency != "" && currency != w.Currency || percent != w.Percent && v != 0 {
		return 0, false
	}
	return v, true
}

// amount is a field in a column of numbers that is not a plain decimal, read with each decimal mark; NaN if it is no
// number so.
type amount struct {
	row          int
	point, comma float64
}

// amounts collects them, and what the plain numbers beside them tell.
type amounts struct {
	fields   []amount
	currency []string // different ones
	percents int      // fields with a percent sign
	plain    int      // plain numbers but 0
	pointed  bool     // a plain number has a point before something other than three digits
	grouped  []amount // else those with a point before three digits
	first    *cell    // the first field that the marks read differently
}

// add adds a text of the next row, if it is an amount; it reports whether the decimal marks read it differently.
func (a *amounts) add(s string, row int) (differs bool) {
	if !mayBeAmount(s) {
		return false
	}
	p, currency, percent, ok := parseAmount(s, false)
	c, other, share, too := parseAmount(s, true)
	if !ok && !too {
		return false
	}
	differs = ok && too && p != c
	if !ok {
		p, currency, percent = math.NaN(), other, share
	}
	if !too {
		c = math.NaN()
	}
	a.fields = append(a.fields, amount{row, p, c})
	if !slices.Contains(a.currency, currency) {
		a.currency = append(a.currency, currency)
	}
	if percent {
		a.percents++
	}
	return differs
}

// mayBeAmount quickly rejects most texts that are none.
func mayBeAmount(s string) bool {
	switch first := s[0]; { // s is not missing, so it is not empty
	case first >= 0x80, strings.IndexByte("$+-(UEGC", first) >= 0: // a sign or a currency
		return strings.ContainsAny(s, "0123456789")
	default:
		return '0' <= first && first <= '9'
	}
}

// addPlain adds a plain number of the next row; it reports whether the decimal marks read it differently.
func (a *amounts) addPlain(s string, v float64, row int) (differs bool) {
	if v != 0 {
		a.plain++
	}
	if a.pointed || strings.IndexByte(s, '.') < 0 {
		return false
	}
	if a.pointed = !isGroupedByPoints(s); a.pointed {
		a.grouped = nil
		return false
	}
	a.grouped = append(a.grouped, amount{row, v, math.Round(1000 * v)})
	return true
}

// decimalMark returns the decimal mark that is known, or that the numbers of some column tell and those of no other
// contradict; "" for none.
func (raw *table) decimalMark() string {
	if raw.notation.mark != "" {
		return raw.notation.mark
	}
	point, comma := false, false
	for _, c := range raw.columns {
		if c.count[text] != len(c.amounts.fields) {
			continue
		}
		point = point || c.amounts.pointed
		for _, f := range c.amounts.fields {
			point = point || math.IsNaN(f.comma)
			comma = comma || math.IsNaN(f.point)
		}
	}
	switch {
	case point && !comma:
		return "."
	case comma && !point:
		return ","
	}
	return ""
}

// written decides how the numbers are written, nil if not alike. If both marks make numbers of all fields, but
// different ones, it is ambiguous, except for dollars and pounds, whose commas are between thousands; mark is that of the
// file, or "".
func (a *amounts) written(mark string) (w *Written, ambiguous bool) {
	currencies := slices.DeleteFunc(slices.Clone(a.currency), func(s string) bool { return s == "" })
	if len(currencies) > 1 || a.percents > 0 && (a.percents < len(a.fields) || a.plain > 0) {
		return nil, false
	}
	point, comma, differ := true, !a.pointed, a.grouped != nil
	for _, f := range a.fields {
		point = point && !math.IsNaN(f.point)
		comma = comma && !math.IsNaN(f.comma)
		differ = differ || f.point != f.comma
	}
	if !point && !comma || mark == "," && !comma || mark == "." && !point {
		return nil, false
	}
	w = &Written{Decimal: ".", Percent: a.percents > 0}
	if !point || mark == "," {
		w.Decimal = ","
	}
	if len(currencies) == 1 {
		w.Currency = currencies[0]
	}
	ambiguous = point && comma && differ && mark == "" && (a.grouped != nil || !slices.Contains(commaCurrencies, w.Currency))
	return w, ambiguous
}

// put writes the numbers of column j into the table, which then has no texts.
func (a *amounts) put(raw *table, j int, w *Written) {
	p, comma := len(raw.columns), w.Decimal == ","
	for _, f := range append(a.fields, a.grouped...) {
		v := f.point
		if comma {
			v = f.comma
		}
		raw.values[f.row*p+j] = v
	}
	c := raw.columns[j]
	c.texts, c.codes = nil, nil
}

// String describes how the numbers are written.
func (w *Written) String() string {
	what := "numbers with signs between thousands"
	switch comma := w.Decimal == ","; {
	case w.Currency != "" && comma:
		what = "amounts in " + w.Currency + " with decimal commas"
	case w.Currency != "":
		what = "amounts in " + w.Currency
	case w.Percent && comma:
		what = "percentages with decimal commas (12% is 12)"
	case w.Percent:
		what = "percentages (12% is 12)"
	case comma:
		what = "numbers with decimal commas"
	}
	return what
}

// commaCurrencies are the currencies of countries that write commas between thousands.
var commaCurrencies = []string{"US$", "USD", "$", "£", "GBP"}

// currencySigns are those that are recognised, the longest first.
var currencySigns = []string{"US$", "USD", "EUR", "GBP", "CHF", "$", "€", "£", "¥"}

// parseAmount reads a number with signs between thousands, with a currency before or after it, a percent sign, or in
// parentheses if negative. comma: the decimal mark is a comma.
func parseAmount(s string, comma bool) (v float64, currency string, percent, ok bool) {
	s = blanks.Replace(s)
	negative := false
	if strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") {
		s, negative = strings.TrimSpace(s[1:len(s)-1]), true
	}
	sign := func() bool {
		if s == "" || s[0] != '-' && s[0] != '+' {
			return true
		}
		once := !negative
		negative, s = s[0] == '-', strings.TrimSpace(s[1:])
		return once
	}
	if !sign() {
		return 0, "", false, false
	}
	for _, c := range currencySigns {
		if before, found := strings.CutPrefix(s, c); found {
			s, currency = strings.TrimSpace(before), c
			break
		}
		if after, found := strings.CutSuffix(s, c); found {
			s, currency = strings.TrimSpace(after), c
			break
		}
	}
	if currency != "" && !sign() {
		return 0, "", false, false
	}
	if before, found := strings.CutSuffix(s, "%"); found && currency == "" {
		s, percent = strings.TrimSpace(before), true
	}
	if v, ok = ungroup(s, comma); negative {
		v = -v
	}
	return v + 0, currency, percent, ok
}

// blanks makes those that do not break a line, and the minus sign of typesetters, ordinary.
var blanks = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2212", "-", "\u2019", "'")

// ungroup reads digits, perhaps in groups of three, and an optional fraction.
func ungroup(s string, comma bool) (float64, bool) {
	mark, between := byte('.'), byte(',')
	if comma {
		mark, between = ',', '.'
	}
	whole, fraction := s, ""
	if i := strings.IndexByte(s, mark); i >= 0 {
		whole, fraction = s[:i], s[i+1:]
	}
	if skipDigits(fraction, 0) != len(fraction) || whole == "" {
		return 0, false
	}
	if i := strings.IndexAny(whole, " '"); i >= 0 {
		between = whole[i]
	}
	groups := strings.Split(whole, string(between))
	for i, g := range groups {
		switch {
		case g == "" || skipDigits(g, 0) != len(g):
			return 0, false
		case len(groups) > 1 && (i > 0 && len(g) != 3 || len(g) > 3 || i == 0 && g[0] == '0'):
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(strings.Join(groups, "")+"."+fraction, 64)
	return v, err == nil && v <= MaxAbs
}

// twoReadings is the error of a column that each decimal mark reads in another way.
func (c *column) twoReadings(file string) *Error {
	at := c.amounts.first
	p, _, _, _ := parseAmount(at.value, false)
	q, _, _, _ := parseAmount(at.value, true)
	return &Error{File: file, Line: at.line, Column: at.column, Name: c.name,
		Msg: fmt.Sprintf("%q is %v with a decimal point or %v with a decimal comma, and no value of the column tells which; name the mark (--decimal . or --decimal ,)", at.value, p, q)}
}
