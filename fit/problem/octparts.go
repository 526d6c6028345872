package problem

import (
	"context"

	"github.com/octgen/octgen/search/parts"
	"github.com/octgen/octgen/search/ranges"
)

// Parts proves by programs of the trees whose root splits in a range, see package
// decompose/ranges. It needs no start. Nil where an option of the program is named, which
// asks for that program alone, and where it is not for these trees or data.
func (m *OCT) Parts(ctx context.Context, d *Data, o PartsOptions) (*parts.Result, error) {
	if m.Program() != "" || o.Whole || d.Dataset.Cost != nil {
		return nil, nil
	}
	l, err := d.Training(ctx)
	if err != nil {
		return nil, err
	}
	form, err := m.Formulation()
	if err != nil {
		return nil, err
	}
	form.Training = l
	return ranges.Prove(ctx, d.Dataset, ranges.Options{
		Form: form, Solve: o.Solve, Incumbent: o.Start, Value: m.Value(d), Progress: o.Progress, Warn: o.Warn,
	})
}
