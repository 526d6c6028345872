package tree

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Format says how a tree is written for people (Conditions, WriteText, WriteDOT,
// WriteSVG). The zero value is the default.
type Format struct {
	// Decimals is the number of decimals of thresholds, coefficients and fractional
	// weights; negative: none. 0: thresholds and weights as many as it takes for 12
	// significant digits, which hides the rounding of midpoints (0.795, not
	// 0.7949999999999999), hyperplanes three significant digits. tree.json keeps
	// every bit.
	Decimals int
}

func (f Format) number(v float64) string {
	if v == 0 {
		v = 0 // not -0
	}
	if f.Decimals == 0 {
		return strconv.FormatFloat(significant(v, 12), 'g', -1, 64)
	}
	s := strconv.FormatFloat(v, 'f', max(0, f.Decimals), 64)
	if strings.Trim(s, "-0.") == "" {
		return strings.TrimPrefix(s, "-") // rounded to zero
	}
	return s
}

// Rough writes a number of a hyperplane, which nobody can compute in the head: three
// significant digits unless decimals are asked for.
func (f Format) Rough(v float64) string {
	if f.Decimals != 0 {
		return f.number(v)
	}
	v = significant(v, 3)
	if a := math.Abs(v); a != 0 && (a < 1e-4 || a >= 1e9) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// significant rounds v to a number of significant digits.
func significant(v float64, digits int) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	if err != nil { // rounded beyond the largest float64
		return v
	}
	return rounded
}

// amount writes a count or weight: integers always without decimals.
func (f Format) amount(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return f.number(v)
}

func (f Format) amounts(v []float64) string {
	s := make([]string, len(v))
	for i := range v {
		s[i] = f.amount(v[i])
	}
	return "[" + strings.Join(s, ", ") + "]"
}

// OneLine quotes a name that would break a line or a terminal.
func OneLine(name string) string {
	if !utf8.ValidString(name) {
		return strconv.Quote(name)
	}
	for _, r := range name {
		if !unicode.IsPrint(r) {
			return strconv.Quote(name)
		}
	}
	return name
}
