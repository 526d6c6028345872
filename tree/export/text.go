package export

import (
	"strconv"
	"strings"
)

// shortest returns the shortest decimal that reads back to v.
func shortest(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// literal is shortest with a point or an exponent, so that no language takes it for a
// whole number.
func literal(v float64) string {
	s := shortest(v)
	if strings.ContainsAny(s, ".e") {
		return s
	}
	return s + ".0"
}
