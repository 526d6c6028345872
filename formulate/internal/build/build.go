// Package build builds models whose size is known in closed form beforehand.
package build

import (
	"context"
	"fmt"
	"time"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
)

// rate is the minimum number of nonzeros built per second: a fifth of the measured rate
// (docs/encodings.md).
const rate = 4e6

// Model returns the model of this size, with memory reserved, that fill builds. It ends with ctx
// and does not begin a model that cannot be built by ctx's deadline.
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

// mostMemory is the maximum memory of a model, in bytes.
const mostMemory = 6 << 30

// check returns an error for models that would not fit into memory. A nonzero takes 24 bytes while
// the model is built, a constraint or variable with its name about 64.
func check(s formulate.Size) error {
	if need := 24*float64(s.Nonzeros) + 64*(float64(s.Rows)+float64(s.Cols)); need > mostMemory {
		return fmt.Errorf("formulate: the model would have %d variables, %d constraints and %d nonzeros, %.3g GiB; the maximum is %d GiB: use a smaller depth, or fewer rows or classes",
			s.Cols, s.Rows, s.Nonzeros, need/(1<<30), mostMemory>>30)
	}
	return nil
}

// AtMost adds the constraint  sum of cols <= rhs.
func AtMost(b *mio.Builder, rhs float64, cols []mio.Col, name string) {
	r := b.AddRow(-mio.Inf, rhs, name)
	for _, c := range cols {
		b.Add(r, c, 1)
	}
}
