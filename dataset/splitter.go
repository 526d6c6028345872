package dataset

import (
	"bytes"
	"fmt"
	"io"
)

// Splitter divides the rows of a training file into training and test parts.
// All that is learned from data (classes, categories, imputations, class weights)
// is learned from the training part only, as it must be for the test to be fair;
// whether a column holds numbers, dates or categories is taken from the whole file.
//
// It keeps the file's bytes and reads them again for each part. A Splitter may be
// used by several goroutines.
type Splitter struct {
	stored []byte
	name   string
	opts   LoadOptions
	all    *Dataset
}

// NewSplitter reads the whole of r as Read does.
func NewSplitter(r io.Reader, name string, opts LoadOptions) (*Splitter, error) {
	stored, err := io.ReadAll(r)
	if err != nil {
		return nil, &Error{File: name, Msg: err.Error(), Err: err}
	}
	all, err := Read(bytes.NewReader(stored), name, opts)
	if err != nil {
		return nil, err
	}
	s := &Splitter{stored: stored, name: name, opts: opts, all: all}
	s.opts.CategoricalColumns, s.opts.Dates = nil, nil
	for _, c := range all.Encoder.Columns {
		switch {
		case c.Date != nil:
			s.opts.Dates = append(s.opts.Dates, c.Name+"="+c.Date.Format)
		case c.Kind != Numeric:
			s.opts.CategoricalColumns = append(s.opts.CategoricalColumns, c.Name)
		}
	}
	return s, nil
}

// All is the dataset of all rows, as Load makes it. Folds and Holdout draw parts
// of it; its features are those of no split, since its encoder saw all rows.
func (s *Splitter) All() *Dataset { return s.all }

// Split returns the datasets of two disjoint sets of rows of All. Train has an
// encoder of its own, with which test is encoded; both have the Source of All.
// Classes that training lacks are an error where test has them, and so are, by
// default, such categories.
func (s *Splitter) Split(trainRows, testRows []int, unknown UnknownPolicy) (train, test *Dataset, err error) {
	train, err = readPart(bytes.NewReader(s.stored), s.name, s.opts, s.lines(trainRows))
	if err != nil {
		return nil, nil, fmt.Errorf("the training part: %w", err)
	}
	e := EncodeOptions{Unknown: unknown, Delimiter: s.opts.Delimiter}
	test, err = train.Encoder.readPart(bytes.NewReader(s.stored), s.name, e, s.lines(testRows))
	if err != nil {
		return nil, nil, fmt.Errorf("the test part, by what the training part has: %w", err)
	}
	if train.N() != len(trainRows) || test.N() != len(testRows) {
		return nil, nil, fmt.Errorf("dataset: the parts have %d and %d rows; want %d and %d different ones", train.N(), test.N(), len(trainRows), len(testRows))
	}
	train.Source, test.Source = s.all.Source, s.all.Source
	return train, test, nil
}

// lines returns the lines where the rows begin.
func (s *Splitter) lines(rows []int) map[int]bool {
	lines := make(map[int]bool, len(rows))
	for _, i := range rows {
		lines[s.all.Line[i]] = true
	}
	return lines
}
