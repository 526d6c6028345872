package mio

import (
	"fmt"
	"math"
	"strings"
)

// CoefRange is the spread of the absolute values of a model's matrix: what
// decides how far a solver's tolerances can be trusted.
type CoefRange struct {
	Min, Max       float64 // 0 for a matrix without nonzeros
	MinRow, MaxRow string  // the blocks of rows that hold them: names without indices
}

// Ratio returns Max/Min, 1 for a matrix without nonzeros.
func (r CoefRange) Ratio() float64 {
	if r.Max == 0 {
		return 1
	}
	return r.Max / r.Min
}

// MaxCoefRatio is the ratio beyond which Warning warns.
const MaxCoefRatio = 1e8

// Warning names the blocks where the ratio passes MaxCoefRatio, else "".
func (r CoefRange) Warning() string {
	if r.Ratio() <= MaxCoefRatio {
		return ""
	}
	return fmt.Sprintf("coefficients from %.3g (rows %s) to %.3g (rows %s): a ratio of %.1g is more than solvers' tolerances bear", r.Min, r.MinRow, r.Max, r.MaxRow, r.Ratio())
}

// CoefRange measures the matrix.
func (m *Model) CoefRange() CoefRange {
	if len(m.value) == 0 {
		return CoefRange{}
	}
	r := CoefRange{Min: math.Inf(1)}
	minAt, maxAt := 0, 0
	for k, v := range m.value {
		v = math.Abs(v)
		if v < r.Min {
			r.Min, minAt = v, k
		}
		if v > r.Max {
			r.Max, maxAt = v, k
		}
	}
	r.MinRow, r.MaxRow = block(m.RowName(int(m.index[minAt]))), block(m.RowName(int(m.index[maxAt])))
	return r
}

// block is a row's name without its indices: "left" for "left_3_5_1".
func block(name string) string {
	return strings.TrimRight(name, "_0123456789")
}
