package main

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/internal/dataflags"
	"github.com/octgen/octgen/tree"
)

// The flags of data and of values.
type (
	dataFlags = dataflags.Data
	delimiter = dataflags.Delimiter
	duration  = fit.Duration
)

// input is a data file that may be read more than once; standard input is kept
// in memory for that.
type input struct {
	path string
	kept []byte    // of standard input, once read
	from io.Reader // nil where - is the name of a file
}

func (a *app) input(path string) *input { return &input{path: path, from: a.stdin} }

// open returns the bytes of the input.
func (in *input) open() (io.ReadCloser, error) {
	if in.path != "-" || in.from == nil {
		return os.Open(in.path)
	}
	if in.kept == nil {
		b, err := io.ReadAll(in.from)
		if err != nil {
			return nil, fmt.Errorf("standard input: %w", err)
		}
		in.kept = b
	}
	return io.NopCloser(bytes.NewReader(in.kept)), nil
}

// readInput returns what read makes of an input. All errors are the user's.
func readInput[T any](in *input, read func(r io.Reader) (T, error)) (v T, err error) {
	r, err := in.open()
	if err != nil {
		return v, badInput(err)
	}
	defer r.Close() // read-only: closing has nothing to report
	v, err = read(r)
	return v, badInput(err)
}

// load reads training data.
func (in *input) load(opts dataset.LoadOptions) (*dataset.Dataset, error) {
	return readInput(in, func(r io.Reader) (*dataset.Dataset, error) { return dataset.Read(r, in.path, opts) })
}

// loadHoldout sets a stratified part of the rows aside for testing; see
// dataset.Splitter for what is learned from which rows.
func (in *input) loadHoldout(opts dataset.LoadOptions, fraction float64, seed uint64, unknown dataset.UnknownPolicy) (train, test *dataset.Dataset, err error) {
	s, err := readInput(in, func(r io.Reader) (*dataset.Splitter, error) { return dataset.NewSplitter(r, in.path, opts) })
	if err != nil {
		return nil, nil, err
	}
	trainRows, testRows, err := s.All().Holdout(fraction, seed)
	if err != nil {
		return nil, nil, badInput(err)
	}
	train, test, err = s.Split(trainRows, testRows, unknown)
	if err != nil {
		return nil, nil, badInput(fmt.Errorf("--holdout: %w (--unknown other admits new categories; another --seed or --holdout divides the rows differently)", err))
	}
	train.Reading = s.All().Reading
	return train, test, nil
}

// encode reads labelled data with the encoder of a tree.
func (in *input) encode(e *dataset.Encoder, opts dataset.EncodeOptions) (*dataset.Dataset, error) {
	return readInput(in, func(r io.Reader) (*dataset.Dataset, error) { return e.Read(r, in.path, opts) })
}

// rows reads data to predict.
func (in *input) rows(e *dataset.Encoder, opts dataset.EncodeOptions) (*dataset.Rows, error) {
	return readInput(in, func(r io.Reader) (*dataset.Rows, error) { return e.ReadRows(r, in.path, opts) })
}

// readOwn reads what octgen wrote; errors name the file.
func readOwn[T any](in *input, read func(r io.Reader) (T, error)) (T, error) {
	return readInput(in, func(r io.Reader) (T, error) {
		v, err := read(r)
		if err != nil && in.path != "-" {
			err = fmt.Errorf("%s: %s", in.path, message(err))
		}
		return v, err
	})
}

// readTree reads a tree.json; "-" is standard input.
func (a *app) readTree(path string) (*tree.Tree, error) { return readOwn(a.input(path), tree.ReadJSON) }

// readTreeForData is readTree for trees that must know how to read raw data.
func (a *app) readTreeForData(path string) (*tree.Tree, error) {
	t, err := a.readTree(path)
	if err == nil && t.Encoder == nil {
		err = noEncoder(path)
	}
	return t, err
}

func noEncoder(path string) error {
	return badInput(fmt.Errorf("%s: the tree has no encoder, so it cannot read raw data", path))
}

// oneStdin refuses two inputs from standard input.
func oneStdin(what, path, other, otherPath string) error {
	if path == "-" && otherPath == "-" {
		return badInput(fmt.Errorf("only one of the %s and the %s can come from standard input", what, other))
	}
	return nil
}
