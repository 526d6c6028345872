package dataset

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// costMatrix is a parsed LoadOptions.CostMatrix: the cost of predicting one class if
// another class is true.
type costMatrix struct {
	file  string // file name of a table; empty for a list
	pairs []costPair

	// The classes of a table by predicted and by true class. Both must contain all
	// classes of the data.
	predicted, actual []string
}

// costPair is one cost and its position in the input. In a list, pair is
// "true:predicted"; class names may contain colons. In a table, the two names are
// separate.
type costPair struct {
	pair              string
	actual, predicted string
	cost              float64
	place             string // for example `cost matrix "a:b=3": `
}

// CostFile reports whether a LoadOptions.CostMatrix names a file rather than a list.
func CostFile(spec string) bool { return spec != "" && !strings.ContainsRune(spec, '=') }

// parseCostMatrix parses a list of "true:predicted=cost", or reads the CSV file of that
// name.
func parseCostMatrix(spec string) (*costMatrix, error) {
	switch {
	case spec == "":
		return nil, nil
	case CostFile(spec):
		f, err := os.Open(spec)
		if errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("cost matrix %q: no such file, and no list such as \"yes:no=5,no:yes=1\"", spec)
		}
		if err != nil {
			return nil, fmt.Errorf("cost matrix: %w", err)
		}
		defer f.Close()
		return readCostMatrix(f, spec)
	}
	m := &costMatrix{}
	for item := range strings.SplitSeq(spec, ",") {
		place := fmt.Sprintf("cost matrix %q: ", item)
		eq := strings.LastIndexByte(item, '=') // a class name may contain one
		if eq < 0 || !strings.ContainsRune(item[:eq], ':') {
			return nil, errors.New(place + "want a list such as \"yes:no=5,no:yes=1\", the true class first, or a CSV file")
		}
		cost, err := parseCost(item[eq+1:])
		if err != nil {
			return nil, fmt.Errorf("%s%w", place, err)
		}
		m.pairs = append(m.pairs, costPair{pair: strings.TrimSpace(item[:eq]), cost: cost, place: place})
	}
	return m, nil
}

func parseCost(text string) (float64, error) {
	text = strings.TrimSpace(text)
	v, kind := plain.classify(text)
	if kind != number || !(v >= 0) {
		return 0, fmt.Errorf("%q is not a number from 0 to %g", text, MaxAbs)
	}
	return v, nil
}

// readCostMatrix reads a table: the header holds the predicted classes, the first column
// the true classes. The first field of the header is ignored.
func readCostMatrix(r io.Reader, file string) (*costMatrix, error) {
	c := csv.NewReader(r)
	c.TrimLeadingSpace, c.FieldsPerRecord = true, -1
	m := &costMatrix{file: file}
	for first := true; ; first = false {
		record, err := c.Read()
		if err == io.EOF {
			break
		}
		var parse *csv.ParseError
		if errors.As(err, &parse) {
			return nil, &Error{File: file, Line: parse.Line, Msg: parse.Err.Error(), Err: err}
		}
		if err != nil {
			return nil, &Error{File: file, Msg: err.Error(), Err: err}
		}
		line, _ := c.FieldPos(0)
		for i := range record {
			record[i] = strings.TrimSpace(strings.TrimPrefix(record[i], "\ufeff"))
		}
		if first {
			if other := strings.IndexAny(record[0], ";\t|"); len(record) == 1 && other >= 0 {
				return nil, &Error{File: file, Line: line, Msg: fmt.Sprintf("the fields are separated by %q; want commas", record[0][other:other+1])}
			}
			if m.predicted = record[1:]; len(m.predicted) == 0 {
				return nil, &Error{File: file, Line: line, Msg: "want the predicted classes in the first line, after a field for the true class"}
			}
			if name, ok := firstRepeated(m.predicted); ok {
				return nil, &Error{File: file, Line: line, Msg: fmt.Sprintf("the predicted class %q has two columns", name)}
			}
			continue
		}
		if len(record) != len(m.predicted)+1 {
			return nil, &Error{File: file, Line: line, Msg: fmt.Sprintf("%d fields; the first line has %d", len(record), len(m.predicted)+1)}
		}
		if slices.Contains(m.actual, record[0]) {
			return nil, &Error{File: file, Line: line, Msg: fmt.Sprintf("the true class %q has two lines", record[0])}
		}
		m.actual = append(m.actual, record[0])
		for i, text := range record[1:] {
			_, column := c.FieldPos(i + 1)
			cost, err := parseCost(text)
			if err != nil {
				return nil, &Error{File: file, Line: line, Column: column, Name: m.predicted[i], Msg: err.Error()}
			}
			m.pairs = append(m.pairs, costPair{actual: record[0], predicted: m.predicted[i], cost: cost, place: fmt.Sprintf("%s:%d: ", file, line)})
		}
	}
	if m.predicted == nil {
		return nil, &Error{File: file, Msg: "the file is empty; want a table of costs, the predicted classes in its first line, the true ones in its first column"}
	}
	return m, nil
}

// resolve returns the costs (K, K), true by predicted class. Missing pairs cost 0 if
// correct and 1 otherwise. With part, the data are a subset that may lack classes, so
// unknown names are ignored.
func (m *costMatrix) resolve(classes []string, part bool) ([][]float64, error) {
	if m.file != "" {
		for _, name := range classes {
			switch {
			case !slices.Contains(m.actual, name):
				return nil, &Error{File: m.file, Msg: fmt.Sprintf("no line for the true class %q; the classes are %s", name, listNames(classes))}
			case !slices.Contains(m.predicted, name):
				return nil, &Error{File: m.file, Line: 1, Msg: fmt.Sprintf("no column for the predicted class %q; the classes are %s", name, listNames(classes))}
			}
		}
	}
	costs, named := make([][]float64, len(classes)), make(map[[2]int]bool)
	for i := range costs {
		costs[i] = slices.Repeat([]float64{1}, len(classes))
		costs[i][i] = 0
	}
	for i := range m.pairs {
		p := &m.pairs[i]
		at, unknown := p.classes(classes)
		switch {
		case unknown != "" && part:
			continue
		case unknown != "":
			return nil, fmt.Errorf("%sno class %q; %s", p.place, unknown, suggest("the classes are", unknown, classes))
		case named[at]:
			return nil, fmt.Errorf("%sthe cost of predicting %q where %q is true is given twice", p.place, classes[at[1]], classes[at[0]])
		}
		named[at] = true
		costs[at[0]][at[1]] = p.cost
	}
	return costs, nil
}

// classes returns the indices of the true and the predicted class of the pair, or the
// name that is not a class.
func (p *costPair) classes(classes []string) (at [2]int, unknown string) {
	find := func(actual, predicted string) string {
		actual, predicted = strings.TrimSpace(actual), strings.TrimSpace(predicted)
		at = [2]int{slices.Index(classes, actual), slices.Index(classes, predicted)}
		switch {
		case at[0] < 0:
			return actual
		case at[1] < 0:
			return predicted
		}
		return ""
	}
	if p.pair == "" {
		return at, find(p.actual, p.predicted)
	}
	for i, r := range p.pair { // the first colon that separates two classes
		if r != ':' {
			continue
		}
		u := find(p.pair[:i], p.pair[i+1:])
		if u == "" {
			return at, ""
		}
		if unknown == "" {
			unknown = u
		}
	}
	return at, unknown
}

// MostCosts is the largest supported number of costs: one for each row and class, and one
// for each pair of classes.
const MostCosts = 1 << 25

// checkSize returns an error if the cost table would be too large.
func (d *Dataset) checkSize() error {
	n, k := d.N(), d.K()
	if max(n, k)*k <= MostCosts {
		return nil
	}
	return &Error{File: d.Source.File, Msg: fmt.Sprintf("a cost matrix of %d classes for %d rows makes %d costs, more than the maximum of %d; use fewer classes or rows, or no cost matrix",
		k, n, max(n, k)*k, MostCosts)}
}

// learnCosts stores the cost matrix in the encoder and applies it.
func (d *Dataset) learnCosts(m *costMatrix, part bool) error {
	if err := d.checkSize(); err != nil {
		return err
	}
	costs, err := m.resolve(d.Classes, part)
	if err != nil {
		return err
	}
	d.Encoder.CostMatrix = costs
	return d.applyCosts(costs)
}

// applyCosts sets the costs of every row: the row of its class in matrix times its
// weight. A nil matrix is a no-op.
func (d *Dataset) applyCosts(matrix [][]float64) error {
	if matrix == nil {
		return nil
	}
	if err := d.checkSize(); err != nil {
		return err
	}
	d.Cost = make([]float64, 0, d.N()*d.K())
	excess := make([]float64, 0, d.N()*d.K())
	for i, y := range d.Y {
		least := slices.Min(matrix[y])
		for _, c := range matrix[y] {
			d.Cost = append(d.Cost, c*d.Weight[i])
			excess = append(excess, (c-least)*d.Weight[i])
		}
	}
	d.keepExcess(excess)
	if err := d.validateCosts(); err != nil {
		return &Error{File: d.Source.File, Msg: "the costs times the weights are too large to be added up; scale them", Err: err}
	}
	return nil
}
