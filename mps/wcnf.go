package mps

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/octgen/octgen/mio"
)

// WriteWCNF writes a linear model of 0/1 variables as weighted partial MaxSAT, in the format of the
// MaxSAT evaluations since 2022. Column j is variable j+1; further variables are auxiliary. The
// demands are those of [WriteOPB]. Soft clauses are the terms of the objective, in whole units.
//
// A row becomes clauses over its literals, with positive coefficients and one right side b: one
// clause if every literal suffices, units if all are needed, else the clauses of a decision diagram
// over what is left of b (Eén & Sörensson 2006), whose size is at most literals times b.
//
// The error is a [*FormatError] if the format cannot hold the model.
func WriteWCNF(w io.Writer, m *mio.Model, opts LPOptions) (*Map, error) {
	comments, err := commentLines(opts.Comments)
	if err == nil {
		err = checkOPB(m)
	}
	var factor float64
	if err == nil {
		factor, err = wholeFactor(m.Costs())
	}
	if err != nil {
		return nil, fmt.Errorf("mps: writing model %q in WCNF format: %w", m.Name(), &FormatError{err})
	}
	mp := countRows(&Map{Sign: 1, Offset: m.Offset(), Cols: m.NumCols(), Rows: m.NumRows()}, m)
	if m.Sense() == mio.Maximize {
		mp.Sign = -1
	}
	o := &opbEncoder{w: bufio.NewWriterSize(w, bufferSize), m: m, factor: factor * mp.Sign, colOf: columnsOf(m)}
	e := &wcnfEncoder{opbEncoder: o, variables: m.NumCols()}
	e.head(comments)
	e.soft()
	o.rows(e.row)
	o.fixed(func(j int, v float64) {
		if v > 0.5 {
			e.hard(j + 1)
		} else {
			e.hard(-j - 1)
		}
	})
	if err := o.w.Flush(); err != nil {
		return nil, fmt.Errorf("mps: writing model %q in WCNF format: %w", m.Name(), err)
	}
	return mp, nil
}

// wcnfEncoder writes clauses; a literal is a variable's number, from 1, negative for its negation.
type wcnfEncoder struct {
	*opbEncoder
	variables int // so far
}

func (e *wcnfEncoder) head(comments []string) {
	fmt.Fprintf(e.w, "c octgen WCNF format, model %s\n", strconv.QuoteToASCII(e.m.Name()))
	for _, s := range comments {
		fmt.Fprintf(e.w, "c %s\n", strconv.QuoteToASCII(s))
	}
	for j := range e.m.NumCols() {
		fmt.Fprintf(e.w, "c %d is %s\n", j+1, strconv.QuoteToASCII(e.m.ColName(j)))
	}
}

// soft writes the objective: a variable of positive cost is to be 0, one of negative cost 1.
func (e *wcnfEncoder) soft() {
	for j, c := range e.m.Costs() {
		switch v := math.Round(c * e.factor); {
		case v > 0:
			fmt.Fprintf(e.w, "%d -%d 0\n", int64(v), j+1)
		case v < 0:
			fmt.Fprintf(e.w, "%d %d 0\n", int64(-v), j+1)
		}
	}
}

func (e *wcnfEncoder) hard(literals ...int) {
	e.buf = append(e.buf[:0], 'h')
	for _, l := range literals {
		e.buf = strconv.AppendInt(append(e.buf, ' '), int64(l), 10)
	}
	e.buf = append(e.buf, " 0\n"...)
	_, _ = e.w.Write(e.buf) // Flush has the error
}

// weighted is a literal with a positive coefficient.
type weighted struct {
	literal int
	a       int64
}

// row writes a row times sign: as >=, and as <=, too, if it is an equation.
func (e *wcnfEncoder) row(i int, sign float64, sense string, rhs float64) {
	e.atLeast(i, sign, rhs)
	if sense == "=" {
		e.atLeast(i, -sign, -rhs)
	}
}

// atLeast writes sign times the row >= rhs.
func (e *wcnfEncoder) atLeast(i int, sign, rhs float64) {
	view := e.m.RowView()
	_, _, value := e.m.Matrix()
	b := int64(rhs)
	var terms []weighted
	for _, p := range view.Pos[view.Start[i]:view.Start[i+1]] {
		switch v := int64(sign * value[p]); {
		case v > 0:
			terms = append(terms, weighted{int(e.colOf[p]) + 1, v})
		case v < 0: // v x = v - v (1 - x)
			terms = append(terms, weighted{-int(e.colOf[p]) - 1, -v})
			b -= v
		}
	}
	slices.SortStableFunc(terms, func(x, y weighted) int { return cmp.Compare(y.a, x.a) })
	d := &diagram{wcnfEncoder: e, terms: terms, sums: make([]int64, len(terms)+1), nodes: make(map[diagramKey]int)}
	for k := len(terms) - 1; k >= 0; k-- {
		d.sums[k] = d.sums[k+1] + terms[k].a
	}
	switch {
	case b <= 0:
	case d.sums[0] < b:
		e.hard() // never
	case len(terms) > 0 && terms[len(terms)-1].a >= b:
		e.hard(d.literals(0)...)
	default:
		e.hard(d.node(0, b))
	}
}

// diagram is the decision diagram of sum a_k l_k >= b, by what the terms from k on still owe.
type diagram struct {
	*wcnfEncoder
	terms []weighted
	sums  []int64 // of the coefficients from k on
	nodes map[diagramKey]int
}

type diagramKey struct {
	k   int
	owe int64
}

func (d *diagram) literals(from int) []int {
	var all []int
	for _, t := range d.terms[from:] {
		all = append(all, t.literal)
	}
	return all
}

// node returns a literal that implies that the terms from k on pay at least owe, which is positive
// and at most their sum. Only that direction is needed: the root is asserted.
func (d *diagram) node(k int, owe int64) int {
	owe = d.rounded(k, owe)
	if k == len(d.terms)-1 {
		return d.terms[k].literal
	}
	key := diagramKey{k, owe}
	if n, known := d.nodes[key]; known {
		return n
	}
	d.variables++
	n := d.variables
	d.nodes[key] = n
	t := d.terms[k]
	if d.sums[k+1] < owe { // without t the rest cannot pay
		d.hard(-n, t.literal)
	} else {
		d.hard(-n, t.literal, d.node(k+1, owe))
	}
	if rest := owe - t.a; rest > 0 {
		d.hard(-n, d.node(k+1, rest))
	}
	return n
}

// rounded is the debt that the same sets of equal coefficients pay: a multiple of theirs.
func (d *diagram) rounded(k int, owe int64) int64 {
	if a := d.terms[k].a; a == d.terms[len(d.terms)-1].a { // descending: all are a
		return (owe + a - 1) / a * a
	}
	return owe
}
