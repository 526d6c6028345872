package formulate

import (
	"fmt"
	"math"
)

// Size is the size of a model, known in closed form before it is built.
type Size struct {
	Rows     int64 `json:"rows"`
	Cols     int64 `json:"columns"`
	Binaries int64 `json:"binaries"`
	Nonzeros int64 `json:"nonzeros"`
}

func (s *Size) add(o Size) {
	s.Rows += o.Rows
	s.Cols += o.Cols
	s.Binaries += o.Binaries
	s.Nonzeros += o.Nonzeros
}

// times returns s n times.
func (s Size) times(n int) Size {
	m := int64(n)
	return Size{m * s.Rows, m * s.Cols, m * s.Binaries, m * s.Nonzeros}
}

// check refuses sizes that mio cannot hold.
func (s Size) check() error {
	if s.Nonzeros > math.MaxInt32 || s.Cols > math.MaxInt32 || s.Rows > math.MaxInt32 {
		return fmt.Errorf("formulate: the model would have %d columns, %d rows and %d nonzeros; at most 2^31-1 of each are supported: use a smaller depth", s.Cols, s.Rows, s.Nonzeros)
	}
	return nil
}
