package oct

import (
	"fmt"

	"github.com/octgen/octgen/formulate"
)

// warnings is what is worth saying of a model of this size before it is built.
func (f *Formulation) warnings(size formulate.Size) []string {
	var all []string
	if f.facts.Warning != "" {
		all = append(all, f.facts.Warning)
	}
	if size.Nonzeros > 2e7 {
		all = append(all, fmt.Sprintf("the model will have %d rows, %d columns and %d nonzeros, about %.1f GB here and several times that in a solver", size.Rows, size.Cols, size.Nonzeros, float64(memory(size))/1e9))
	}
	if leaves := 1 << f.opts.Depth; leaves > 2*f.g.Points.Len() {
		all = append(all, fmt.Sprintf("depth %d has %d leaves for %d different points: a smaller depth has the same trees", f.opts.Depth, leaves, f.g.Points.Len()))
	}
	return all
}

// memory is the bytes of a built model, without names: 12 per nonzero, three
// float64 and a type per column, two float64 per row; a start offset per column.
func memory(s formulate.Size) int64 { return s.Nonzeros*12 + s.Cols*29 + s.Rows*16 }
