package formulate

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/octgen/octgen/mio"
)

// Size is the size of a model, known in closed form before it is built.
type Size struct {
	Rows     int64 `json:"rows"`
	Cols     int64 `json:"columns"`
	Binaries int64 `json:"binaries"`
	Nonzeros int64 `json:"nonzeros"`
}

// Add adds o to s.
func (s *Size) Add(o Size) {
	s.Rows += o.Rows
	s.Cols += o.Cols
	s.Binaries += o.Binaries
	s.Nonzeros += o.Nonzeros
}

// Times returns s n times.
func (s Size) Times(n int) Size {
	m := int64(n)
	return Size{m * s.Rows, m * s.Cols, m * s.Binaries, m * s.Nonzeros}
}

// memory is the bytes of the built model, without names: 12 per nonzero, three
// float64 and a type per column, two float64 per row; a start offset per column.
func (s Size) memory() int64 { return s.Nonzeros*12 + s.Cols*29 + s.Rows*16 }

// check refuses sizes that mio cannot hold.
func (s Size) check() error {
	if s.Nonzeros > math.MaxInt32 || s.Cols > math.MaxInt32 || s.Rows > math.MaxInt32 {
		return fmt.Errorf("formulate: the model would have %d columns, %d rows and %d nonzeros; at most 2^31-1 of each are supported: use a smaller depth", s.Cols, s.Rows, s.Nonzeros)
	}
	return nil
}

// buildRate is the number of nonzeros that are built in a second, at the least: a
// fifth of what was measured (docs/oct.md).
const buildRate = 4e6

// build builds a model of this size, which it reserves. It ends with ctx: a model
// that cannot be built by ctx's deadline is not begun.
func (s Size) build(ctx context.Context, name string, omitNames bool, fill func(*mio.Builder)) (*mio.Model, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if end, ok := ctx.Deadline(); ok {
		if need := time.Duration(float64(s.Nonzeros) / buildRate * float64(time.Second)); time.Until(end) < need {
			return nil, fmt.Errorf("formulate: %w: building %d nonzeros takes up to %v", context.DeadlineExceeded, s.Nonzeros, need.Round(10*time.Millisecond))
		}
	}
	b := mio.NewBuilder(name)
	if omitNames {
		b.OmitNames()
	}
	b.Reserve(int(s.Cols), int(s.Rows), int(s.Nonzeros))
	b.Watch(ctx)
	fill(b)
	return b.Model()
}
