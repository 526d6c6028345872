package constraint

import (
	"fmt"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/nearest"
	"github.com/octgen/octgen/tree"
)

// Columns are the columns of the source file that features come from; of data made in
// memory each feature is one.
type Columns struct {
	Names []string
	Of    []int // (p) column of each feature
	kind  []dataset.ColumnKind
}

func columnsOf(d *dataset.Dataset) *Columns {
	c := &Columns{}
	if d.Encoder == nil {
		for j, name := range d.Features {
			c.Names, c.Of, c.kind = append(c.Names, name), append(c.Of, j), append(c.kind, dataset.Numeric)
		}
		return c
	}
	for i := range d.Encoder.Columns {
		s := &d.Encoder.Columns[i]
		c.Names, c.kind = append(c.Names, s.Name), append(c.kind, s.Kind)
	}
	c.Of = d.Encoder.Sources()
	return c
}

// find returns the index of a column.
func (c *Columns) find(name string) (int, error) {
	for i, n := range c.Names {
		if n == name {
			return i, nil
		}
	}
	return -1, fmt.Errorf("no feature column %s; %s", quote(name), nearest.Hint(name, c.Names, "the columns are "+strings.Join(c.Names, ", ")))
}

// Used says which columns some split of t uses.
func (c *Columns) Used(t *tree.Tree) []bool {
	used := make([]bool, len(c.Names))
	for _, j := range t.FeaturesUsed() {
		used[c.Of[j]] = true
	}
	return used
}
