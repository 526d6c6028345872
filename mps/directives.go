package mps

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/octgen/octgen/mio"
)

const directivePrefix = "* octgen "

// directives is what comments of octgen's own say beyond MPS.
type directives struct {
	maximize   bool
	lazyRows   int               // the last rows that are lazy; -1: not said
	renamed    map[string][]byte // name in the file -> in the model
	modelNamed bool
	modelText  []byte
	exactRows  map[int32]interval
	exactCols  map[int32]interval
}

type interval struct{ lower, upper float64 }

func newDirectives() directives {
	return directives{lazyRows: -1, renamed: map[string][]byte{}, exactRows: map[int32]interval{}, exactCols: map[int32]interval{}}
}

// isDirective reports whether "* octgen <word>" means something to the reader.
func isDirective(word string) bool {
	switch word {
	case "sense", "name", "range", "bounds", "quadratic", "indicator", "lazy":
		return true
	}
	return false
}

// comment reads a comment line: a directive or nothing.
func (d *decoder) comment(line []byte) error {
	if !bytes.HasPrefix(line, []byte(directivePrefix)) || d.n < 3 || !isDirective(string(d.field[2])) {
		return nil
	}
	var err error
	switch string(d.field[2]) {
	case "sense":
		err = d.senseDirective()
	case "name":
		err = d.nameDirective(line)
	case "range":
		err = d.exactDirective(d.rowNames, d.rowIndex, d.exactRows)
	case "bounds":
		err = d.exactDirective(d.colNames, d.colIndex, d.exactCols)
	case "quadratic":
		err = d.quadraticDirective()
	case "indicator":
		err = d.indicatorDirective()
	case "lazy":
		err = d.lazyDirective()
	}
	if err != nil {
		return fmt.Errorf("comment %q: %w", clip(line), err)
	}
	return nil
}

func (d *decoder) senseDirective() error {
	switch {
	case d.n != 4 || string(d.field[3]) != "max":
		return errors.New("expected \"octgen sense max\"")
	case d.seen["ROWS"] || d.seen["OBJSENSE"] || d.maximize:
		return errors.New("it must come once, before all sections, and without OBJSENSE")
	}
	d.maximize, d.sense, d.sign = true, mio.Maximize, -1
	return nil
}

// lazyDirective reads `lazy N`: the last N rows of the section ROWS, which ends here.
func (d *decoder) lazyDirective() error {
	if d.n != 4 || d.section == nil || d.section.word != "ROWS" || d.lazyRows >= 0 {
		return errors.New("expected the number of lazy rows, once, within the section ROWS before them")
	}
	n, err := strconv.Atoi(string(d.field[3]))
	if err != nil || n < 1 {
		return fmt.Errorf("expected a number of rows, found %q", clip(d.field[3]))
	}
	d.lazyRows = n
	d.b.BeginLazy()
	return nil
}

// nameDirective reads `name SHORT "piece"`; pieces of one name are
// put together, in linear time however many there are.
func (d *decoder) nameDirective(line []byte) error {
	if d.n < 5 || d.seen["ROWS"] {
		return errors.New("expected a name in the file and the model's name in quotes, before all sections")
	}
	_, quoted, ok := strings.Cut(string(line), string(d.field[3])+" ")
	if !ok {
		return errors.New("expected a blank after the name in the file")
	}
	piece, err := strconv.Unquote(strings.TrimSpace(quoted))
	if err != nil {
		return errors.New("expected a name in double quotes")
	}
	if short := string(d.field[3]); short == "model" {
		d.modelNamed = true
		d.modelText = append(d.modelText, piece...)
	} else {
		d.renamed[short] = append(d.renamed[short], piece...)
	}
	return nil
}

// exactDirective reads `range ROW lower upper` or `bounds COLUMN lower upper`.
func (d *decoder) exactDirective(names *symbols, index []int32, exact map[int32]interval) error {
	if d.n != 6 {
		return errors.New("expected a name and two bounds")
	}
	k := names.find(d.field[3])
	if k < 0 || index[k] < 0 {
		return fmt.Errorf("no row or column %q", clip(d.field[3]))
	}
	lower, err := parseBound(d.field[4])
	if err != nil {
		return err
	}
	upper, err := parseBound(d.field[5])
	if err != nil {
		return err
	}
	exact[index[k]] = interval{lower, upper}
	return nil
}
