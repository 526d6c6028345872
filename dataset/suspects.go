package dataset

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Properties of columns that are pointed out, never changed: columns that are the same, that give the class away,
// and numbers that may stand for missing values.

// sameColumns returns a warning about columns with the same values in all rows, "" for none.
func (raw *table) sameColumns(d *Dataset, constant []string) string {
	if d.N() < fewRows {
		return ""
	}
	var first string
	var repeated []string
	seen := map[string][]int{} // earlier columns, by their first values
	for j, c := range raw.columns {
		if slices.Contains(constant, c.name) {
			continue
		}
		head := ""
		for i := range fewRows {
			head += raw.textOf(j, i) + "\n"
		}
		at := slices.IndexFunc(seen[head], func(k int) bool {
			for i := range d.N() {
				if !raw.sameValue(j, k, i) {
					return false
				}
			}
			return true
		})
		if at < 0 {
			seen[head] = append(seen[head], j)
			continue
		}
		if repeated = append(repeated, c.name); len(repeated) == 1 {
			first = raw.columns[seen[head][at]].name
		}
	}
	switch len(repeated) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("the columns %q and %q are the same in all rows; leave one out (--ignore %[2]q)", first, repeated[0])
	}
	return "columns that are the same as others in all rows: " + listNames(repeated) + "; leave them out (--ignore)"
}

// sameValue reports whether columns j and k have the same value, or none, in row i.
func (raw *table) sameValue(j, k, i int) bool {
	if raw.columns[j].codes != nil || raw.columns[k].codes != nil {
		return raw.textOf(j, i) == raw.textOf(k, i)
	}
	a, b := raw.values[i*len(raw.columns)+j], raw.values[i*len(raw.columns)+k]
	return a == b || math.IsNaN(a) && math.IsNaN(b)
}

// textOf returns the value of column j in row i as text, different for different values.
func (raw *table) textOf(j, i int) string {
	c := raw.columns[j]
	v := raw.values[i*len(raw.columns)+j]
	switch {
	case c.codes == nil:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case c.codes[i] >= 0:
		return c.texts.names[c.codes[i]]
	}
	return ""
}

// tellsClass reports whether the values of column j and the classes belong together one to one.
func (raw *table) tellsClass(j int, d *Dataset) bool {
	if d.N() < fewRows || d.K() < 2 || d.Kind() == Rewards {
		return false
	}
	classOf, taken := map[string]int{}, make([]bool, d.K())
	for i, y := range d.Y {
		v := raw.textOf(j, i)
		if k, ok := classOf[v]; ok {
			if k != y {
				return false
			}
			continue
		}
		if taken[y] {
			return false
		}
		classOf[v], taken[y] = y, true
	}
	return true
}

// codesForMissing are numbers that programs write for missing values.
var codesForMissing = []float64{-99999, -9999, -999, -99, 999, 9999, 99999, 0}

const (
	fewDistinct = 10 // fewer different numbers are codes
	farCode     = 1. // distance of a code from the other values, in their range
	farZero     = .5
)

// codeForMissing returns a number of column j that may stand for missing values, with its rows and the least and
// greatest of the other values: the least or greatest value, in at least two rows, far from all others.
func (raw *table) codeForMissing(j, n int) (code float64, rows int, low, high float64) {
	if n < fewRows {
		return 0, 0, 0, 0
	}
	p, least, most := len(raw.columns), math.Inf(1), math.Inf(-1)
	for i := range n {
		if v := raw.values[i*p+j]; !math.IsNaN(v) {
			least, most = min(least, v), max(most, v)
		}
	}
	for _, code := range codesForMissing {
		if code != least && code != most {
			continue
		}
		rows, low, high, distinct := 0, math.Inf(1), math.Inf(-1), map[float64]bool{}
		for i := range n {
			v := raw.values[i*p+j]
			switch {
			case v == code:
				rows++
			case !math.IsNaN(v):
				if low, high = min(low, v), max(high, v); len(distinct) < fewDistinct {
					distinct[v] = true
				}
			}
		}
		far := farCode
		if code == 0 {
			far = farZero
		}
		if rows > 1 && len(distinct) == fewDistinct && max(low-code, code-high) > far*(high-low) {
			return code, rows, low, high
		}
	}
	return 0, 0, 0, 0
}
