package gto

import "github.com/octgen/octgen/mio"

// columns finds the columns of a model. Row i's columns of a kind are
// consecutive from the entry i on; -1 where a row has none.
type columns struct {
	w     mio.Col   // (D, p)
	gamma mio.Col   // (D)
	y     []mio.Col // (n) decision errors, in the order of class.slots
	q     []mio.Col // (n) choice among class.leaves
	e     []mio.Col // (n) the row is an error
	t     []mio.Col // (n) leaf errors for p = 2, in the order of class.leaves
	v     []mio.Col // (n) products of the first two, three, ... leaf errors
}

// at is the column of that position in a row's columns of a kind.
func at(first mio.Col, pos int) mio.Col { return first + mio.Col(pos) }
