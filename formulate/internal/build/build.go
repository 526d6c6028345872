// Package build makes models whose size is known in closed form before.
package build

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
)

// rate is the number of nonzeros that are built in a second, at the least: a fifth
// of what was measured (docs/encodings.md).
const rate = 4e6

// Model returns the model of this size, which is reserved, that fill makes. It ends
// with ctx: a model that cannot be built by ctx's deadline is not begun.
func Model(ctx context.Context, size formulate.Size, name string, omitNames bool, fill func(*mio.Builder)) (*mio.Model, error) {
	if err := check(size); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if end, ok := ctx.Deadline(); ok {
		if need := time.Duration(float64(size.Nonzeros) / rate * float64(time.Second)); time.Until(end) < need {
			return nil, fmt.Errorf("formulate: %w: building %d nonzeros takes up to %v", context.DeadlineExceeded, size.Nonzeros, need.Round(10*time.Millisecond))
		}
	}
	b := mio.NewBuilder(name)
	if omitNames {
		b.OmitNames()
	}
	b.Reserve(int(size.Cols), int(size.Rows), int(size.Nonzeros))
	b.Watch(ctx)
	fill(b)
	return b.Model()
}

// check refuses sizes that mio cannot hold.
func check(s formulate.Size) error {
	if s.Nonzeros > math.MaxInt32 || s.Cols > math.MaxInt32 || s.Rows > math.MaxInt32 {
		return fmt.Errorf("formulate: the model would have %d columns, %d rows and %d nonzeros; at most 2^31-1 of each are supported: use a smaller depth", s.Cols, s.Rows, s.Nonzeros)
	}
	return nil
}

// AtMost adds the row  sum of cols <= rhs.
func AtMost(b *mio.Builder, rhs float64, cols []mio.Col, name string) {
	r := b.AddRow(-mio.Inf, rhs, name)
	for _, c := range cols {
		b.Add(r, c, 1)
	}
}
