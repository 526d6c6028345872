package mps

import (
	"fmt"

	"github.com/octgen/octgen/mio"
)

// notes tells o.Notes where the file left room and what it was taken to mean.
func (d *decoder) notes(tell func(string)) {
	if tell == nil {
		return
	}
	if d.sense == mio.Maximize && !d.maximize {
		tell("OBJSENSE says to maximize: CBC minimizes all the same, GLPK does not read it")
	}
	if !d.hasObjective() {
		tell("no row has type N: the objective is constant")
	}
	if d.objRHS && d.offset != 0 {
		tell(fmt.Sprintf("the right-hand side of the objective is the negative of its constant, %v, as in HiGHS and CBC; GLPK takes it with the other sign", d.sign*d.offset))
	}
	free := first{}
	for i := range d.rows {
		if d.rows[i].kind == 'N' {
			free.add(i)
		}
	}
	free.tell(tell, "row %s has type N, but is not the first such: it has no bounds", "%d rows, %s the first, have type N, but are not the first such: they have no bounds", d.rowName)
	unbounded, negative := first{}, first{}
	for j := range d.cols {
		c := &d.cols[j]
		switch {
		case d.group01(c):
			unbounded.add(j)
		case c.negativeUp && !c.hasLower:
			negative.add(j)
		}
	}
	unbounded.tell(tell, "integer column %s has no bounds: [0, 1] is taken, as by HiGHS, CBC and GLPK; others take [0, inf)",
		"%d integer columns, %s the first, have no bounds: [0, 1] is taken, as by HiGHS, CBC and GLPK; others take [0, inf)", d.colName)
	negative.tell(tell, "column %s has a negative upper bound and no lower one: it has none, as in CBC, GLPK, Gurobi and CPLEX; HiGHS takes 0 and finds no solution",
		"%d columns, %s the first, have a negative upper bound and no lower one: they have none, as in CBC, GLPK, Gurobi and CPLEX; HiGHS takes 0 and finds no solution", d.colName)
}

// group01 reports whether c is an integer column of which BOUNDS says nothing.
// Columns between octgen's own markers of binaries are no matter of taste.
func (d *decoder) group01(c *colData) bool {
	return c.kind == mio.Integer && !c.hasLower && !c.hasUpper
}

// first counts things and keeps the first of them.
type first struct{ n, index int }

func (f *first) add(i int) {
	if f.n == 0 {
		f.index = i
	}
	f.n++
}

// tell says one of two texts, of one thing or of many; name gives the first's.
func (f *first) tell(tell func(string), one, many string, name func(int) []byte) {
	switch {
	case f.n == 1:
		tell(fmt.Sprintf(one, clip(name(f.index))))
	case f.n > 1:
		tell(fmt.Sprintf(many, f.n, clip(name(f.index))))
	}
}
