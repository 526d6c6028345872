package oct

import (
	"math/bits"
	"strconv"
	"strings"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
)

// nodeIndex says of the columns' names which of their indices is the node, by encoding
// and by the name's first part: of b_3_1_2 in flow the first.
var nodeIndex = map[formulate.Encoding]map[string]int{
	Threshold:           {"w": 0, "u": 0},
	Flow:                {"b": 0, "p": 0, "w": 1},
	Cut:                 {"b": 0, "p": 0},
	BinOCT:              {"f": 1, "b": 1, "c": 1},
	formulate.BigM:      {"a": 1, "d": 0, "c": 1},
	formulate.Indicator: {"a": 1, "d": 0, "c": 1},
	BigMPublished:       {"a": 1, "d": 0, "c": 1},
}

// Priorities are branching priorities, one for each column: of the discrete ones that
// belong to a node, the more the nearer it is to the root, which is D + 1, leaves 1;
// 0 for all others. Nil where the columns have no names.
//
// What a node below does matters only for the rows that come there, which the splits
// above decide.
func (f *Formulation) Priorities() []int {
	if f.opts.OmitNames {
		return nil
	}
	of := make([]int, f.model.NumCols())
	index := nodeIndex[f.opts.Encoding]
	for j, t := range f.model.ColTypes() {
		if t == mio.Continuous {
			continue
		}
		parts := strings.Split(f.model.ColName(j), "_")
		at, known := index[parts[0]]
		if !known {
			continue
		}
		if node, err := strconv.Atoi(parts[1+at]); err == nil {
			of[j] = f.opts.Depth + 2 - bits.Len(uint(node))
		}
	}
	return of
}
