package oct

import (
	"fmt"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/grid"
)

// warnings is what is worth saying of a model of this size before it is built.
func warnings(o Options, g *grid.Grid, size formulate.Size) []string {
	var all []string
	if FactsOf(o.Encoding).BelowTrees {
		all = append(all, "encoding bigm-published keeps the paper's left-branch row, by which points may go left at a node without a split: its optimum can be below that of any tree")
	}
	if size.Nonzeros > 2e7 {
		all = append(all, fmt.Sprintf("the model will have %d rows, %d columns and %d nonzeros, about %.1f GB here and several times that in a solver", size.Rows, size.Cols, size.Nonzeros, float64(memory(size))/1e9))
	}
	if leaves := 1 << o.Depth; leaves > 2*g.Points.Len() {
		all = append(all, fmt.Sprintf("depth %d has %d leaves for %d different points: a smaller depth has the same trees", o.Depth, leaves, g.Points.Len()))
	}
	return all
}

// memory is the bytes of a built model, without names: 12 per nonzero, three
// float64 and a type per column, two float64 per row; a start offset per column.
func memory(s formulate.Size) int64 { return s.Nonzeros*12 + s.Cols*29 + s.Rows*16 }
