package solfile

import (
	"fmt"
	"math"
	"strconv"
)

// parseValue reads a finite decimal. Unlike strconv it knows no infinity, no
// hexadecimals and no underscores.
func parseValue(s []byte) (float64, error) {
	for _, c := range s {
		switch {
		case '0' <= c && c <= '9', c == '+', c == '-', c == '.', c == 'e', c == 'E':
		default:
			return 0, fmt.Errorf("expected a finite number, found %q", clip(s))
		}
	}
	v, err := strconv.ParseFloat(string(s), 64)
	switch {
	case err != nil && math.IsInf(v, 0):
		return 0, fmt.Errorf("number %q is beyond the range of a float64", clip(s))
	case err != nil:
		return 0, fmt.Errorf("expected a finite number, found %q", clip(s))
	}
	return v + 0, nil // -0 becomes 0
}

// parseObjective reads a stated objective, NaN where it is infinite or no number:
// a file without a solution may say anything.
func parseObjective(s []byte) float64 {
	v, err := parseValue(s)
	if err != nil {
		return math.NaN()
	}
	return v
}

// parseCount reads a whole number of at least 0.
func parseCount(s []byte) (int, error) {
	n, err := parseInteger(s)
	if err == nil && n < 0 {
		return 0, fmt.Errorf("expected a whole number of at least 0, found %q", clip(s))
	}
	return n, err
}

// parseInteger reads an integer.
func parseInteger(s []byte) (int, error) {
	n, err := strconv.Atoi(string(s))
	if err != nil {
		return 0, fmt.Errorf("expected an integer, found %q", clip(s))
	}
	return n, nil
}
