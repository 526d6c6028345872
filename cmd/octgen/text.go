package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
)

// figure writes a number with six digits, "none" where there is none.
func figure(v float64) string {
	if math.Abs(v) < 1e-9 {
		v = 0 // what is left of rounding
	}
	return asIs(v)
}

// asIs is figure for what may be small in truth, since its unit is the user's: costs and
// rewards.
func asIs(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "none"
	}
	return strconv.FormatFloat(v+0, 'g', 6, 64)
}

func percent(gap float64) string {
	if math.IsNaN(gap) || math.IsInf(gap, 0) {
		return "none"
	}
	return strconv.FormatFloat(math.Round(gap*1e4)/1e2, 'f', -1, 64) + " %"
}

// count writes a number of things.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func errorCount(n float64) string {
	if n == 1 {
		return "1 error"
	}
	return figure(n) + " errors"
}

// label prints a line of a report, none without a text.
func label(w io.Writer, name, text string) {
	if text != "" {
		fmt.Fprintf(w, "%-11s %s\n", name, text)
	}
}

// ended is a status with what stopped the work before a proof, "" for nothing.
func ended(status, limit string) string {
	if limit == "" {
		return status
	}
	return status + ", " + limitNames[limit]
}

// limitNames says what stopped a solve.
var limitNames = map[string]string{
	"time": "stopped by the time limit", "nodes": "stopped by the node limit", "interrupt": "interrupted",
	"iterations": "stopped by the iteration limit", "memory": "out of memory", "cutoff": "stopped by the cutoff", "gap": "stopped at the gap asked for",
}

// exact writes a number with the digits that count in a comparison.
func exact(v float64) string { return strconv.FormatFloat(v, 'g', 12, 64) }

func total(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum
}
