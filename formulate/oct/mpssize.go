package oct

import (
	"strconv"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/grid"
)

// mpsSize adds up the expected size of a model's MPS file in free format from groups of
// constraints, entries and variables with names of similar length: the format writes " L row", "
// RHS row value", " column row value row value" (two entries per line), " BV BND column" or " LO
// BND column 0" and " UP BND column 1". Lengths are averages.
type mpsSize float64

const shortValue = 1.5 // length of "1" or "-1"

// rows adds constraints and their entries.
func (s *mpsSize) rows(rows, entries int64, name, value float64) {
	*s += mpsSize(float64(rows)*(4+name) + float64(entries)*(2+name+value))
}

// rhs adds nonzero right-hand sides.
func (s *mpsSize) rhs(rows int64, name, value float64) {
	*s += mpsSize(float64(rows) * (7 + name + value))
}

// cols adds variables with all their entries, whose constraints are added elsewhere.
func (s *mpsSize) cols(cols, entries int64, name float64, binary bool) {
	bounds := 2 * (11 + name)
	if binary {
		bounds = 9 + name
	}
	lines := float64(entries)/2 + float64(cols)/4 // half of the variables end with half a line
	*s += mpsSize(lines*(2+name) + float64(cols)*bounds)
}

// costs adds entries in the objective.
func (s *mpsSize) costs(cols int64, value float64) { s.rows(0, cols, 3, value) }

// digits returns the average number of decimal digits of 1..n.
func digits(n int) float64 {
	if n < 1 {
		return 1
	}
	sum := 0
	for low, d := 1, 1; low <= n; low, d = 10*low, d+1 {
		sum += d * (min(n, 10*low-1) - low + 1)
	}
	return float64(sum) / float64(n)
}

// costLen returns the length of a cost of a model in which rows are counted.
func costLen(g *grid.Grid) float64 { return valueLen(g.Answer(0, int(g.Y[0])) / g.Lhat) }

func valueLen(v float64) float64 { return float64(len(strconv.FormatFloat(v, 'g', -1, 64))) }

// fileSize accumulates the size of a model's file.
type fileSize struct {
	mpsSize
	left    formulate.Size // constraints with their entries, and variables, not yet added
	entries int64          // of these variables
	cost    float64        // length of a cost
	choice  float64        // length of the name of a variable that chooses a split
}

// take adds constraints with short values and their entries.
func (f *fileSize) take(rows, entries int64, name float64) {
	f.rows(rows, entries, name, shortValue)
	f.left.Rows -= rows
	f.left.Nonzeros -= entries
}

// columns adds variables with entries in constraints and, if priced, one cost each.
func (f *fileSize) columns(cols, entries int64, priced bool, name float64) {
	costs := int64(0)
	if priced {
		costs = cols
		f.costs(cols, f.cost)
	}
	f.cols(cols, entries+costs, name, false)
	f.left.Cols -= cols
	f.entries -= entries
}

// priced adds a cost to each remaining variable.
func (f *fileSize) priced() {
	f.costs(f.left.Cols, f.cost)
	f.entries += f.left.Cols
}
