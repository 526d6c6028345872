package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/octgen/octgen/dataset"
)

// loadHoldout sets a stratified part of the rows aside for testing. All that is
// learned from data (categories, imputations, class weights) is learned from the
// other rows only, as it must be for the test to be fair; whether a column holds
// numbers or categories is taken from the whole file.
//
// The file is read three times: whole, to draw the rows, and then each part with
// the lines of the other one blanked out, which keeps line numbers as they are.
func (in *input) loadHoldout(opts dataset.LoadOptions, fraction float64, seed uint64, unknown dataset.UnknownPolicy) (train, test *dataset.Dataset, err error) {
	all, err := in.load(opts)
	if err != nil {
		return nil, nil, err
	}
	trainRows, testRows, err := all.Holdout(fraction, seed)
	if err != nil {
		return nil, nil, badInput(err)
	}
	text, err := in.text()
	if err != nil {
		return nil, nil, err
	}
	opts.CategoricalColumns = categoricalColumns(all.Encoder)
	name := strings.TrimSuffix(in.path, ".gz") // the text is unpacked
	if train, err = dataset.Read(in.without(text, all, testRows, opts.Delimiter), name, opts); err != nil {
		return nil, nil, badInput(fmt.Errorf("the training part of the holdout: %w", err))
	}
	test, err = train.Encoder.Read(in.without(text, all, trainRows, opts.Delimiter), name,
		dataset.EncodeOptions{Unknown: unknown, Delimiter: opts.Delimiter})
	if err != nil {
		return nil, nil, badInput(fmt.Errorf("the test part of the holdout, by what the training part has: %w (--unknown other admits new categories; another --seed or --holdout divides the rows differently)", err))
	}
	if train.N() != len(trainRows) || test.N() != len(testRows) {
		return nil, nil, fmt.Errorf("the holdout has %d and %d rows, expected %d and %d", train.N(), test.N(), len(trainRows), len(testRows))
	}
	train.Source, test.Source = all.Source, all.Source
	return train, test, nil
}

func categoricalColumns(e *dataset.Encoder) []string {
	var names []string
	for _, c := range e.Columns {
		if c.Kind != dataset.Numeric {
			names = append(names, c.Name)
		}
	}
	return names
}

// without returns the text with the records of the given rows replaced by blank
// lines, as many as they take.
func (in *input) without(text []byte, ds *dataset.Dataset, rows []int, comma rune) io.Reader {
	drop := make(map[int]bool, len(rows))
	for _, i := range rows {
		drop[ds.Line[i]] = true
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	r := csv.NewReader(bytes.NewReader(text)) // with the settings of package dataset
	r.FieldsPerRecord, r.ReuseRecord = -1, true
	if comma != 0 {
		r.Comma = comma
	}
	r.TrimLeadingSpace = r.Comma != '\t' && r.Comma != ' '
	out := make([]byte, 0, len(text))
	for at := int64(0); ; {
		_, err := r.Read()
		if errors.Is(err, io.EOF) {
			return bytes.NewReader(append(out, text[at:]...))
		}
		if err != nil {
			return io.MultiReader(bytes.NewReader(out), failing{err}) // the whole file was read before: cannot be
		}
		end := r.InputOffset()
		if line, _ := r.FieldPos(0); !drop[line] {
			out = append(out, text[at:end]...)
		} else {
			for range bytes.Count(text[at:end], []byte("\n")) {
				out = append(out, '\n')
			}
		}
		at = end
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
