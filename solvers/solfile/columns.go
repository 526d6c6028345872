package solfile

import (
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
)

// offsetIndex stands for the column of the objective's constant.
const offsetIndex = -1

// columns finds the model's columns by their names in the file. Files name them
// in order, mostly, so that the table of all names is made only when one is not
// where it is expected.
type columns struct {
	m     *mio.Model
	mp    *mps.Map
	next  int // column expected now
	buf   []byte
	index map[string]int
}

// find returns the column of this name, or offsetIndex.
func (c *columns) find(name []byte) (int, error) {
	if c.next < c.mp.Cols {
		if c.buf = c.mp.AppendColName(c.buf[:0], c.m, c.next); string(c.buf) == string(name) {
			c.next++
			return c.next - 1, nil
		}
	}
	if c.index == nil {
		c.index = c.mp.ColIndex(c.m)
	}
	j, ok := c.index[string(name)]
	if !ok {
		return 0, otherModel("the model has no column %q", clip(name))
	}
	c.next = j + 1
	return j, nil
}

// name returns the name of column j in the file.
func (c *columns) name(j int) string { return string(c.mp.AppendColName(nil, c.m, j)) }
