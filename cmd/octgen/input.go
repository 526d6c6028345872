package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

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
	kept []byte // of standard input, once read
	from io.Reader
}

func (a *app) input(path string) *input { return &input{path: path, from: a.stdin} }

// read calls do with the bytes of the input. All errors are the user's.
func (in *input) read(do func(r io.Reader) error) error {
	if in.path != "-" {
		f, err := os.Open(in.path)
		if err != nil {
			return badInput(err)
		}
		defer f.Close() // read-only: closing has nothing to report
		return badInput(do(f))
	}
	if in.kept == nil {
		b, err := io.ReadAll(in.from)
		if err != nil {
			return badInput(fmt.Errorf("standard input: %w", err))
		}
		in.kept = b
	}
	return badInput(do(bytes.NewReader(in.kept)))
}

// load reads training data.
func (in *input) load(opts dataset.LoadOptions) (ds *dataset.Dataset, err error) {
	err = in.read(func(r io.Reader) error {
		ds, err = dataset.Read(r, in.path, opts)
		return err
	})
	return ds, err
}

// encode reads labelled data with the encoder of a tree.
func (in *input) encode(e *dataset.Encoder, opts dataset.EncodeOptions) (ds *dataset.Dataset, err error) {
	err = in.read(func(r io.Reader) error {
		ds, err = e.Read(r, in.path, opts)
		return err
	})
	return ds, err
}

// rows reads data to predict.
func (in *input) rows(e *dataset.Encoder, opts dataset.EncodeOptions) (rows *dataset.Rows, err error) {
	err = in.read(func(r io.Reader) error {
		rows, err = e.ReadRows(r, in.path, opts)
		return err
	})
	return rows, err
}

// readTree reads a tree.json; "-" is standard input.
func (a *app) readTree(path string) (*tree.Tree, error) {
	if path == "-" {
		t, err := tree.ReadJSON(a.stdin)
		return t, badInput(err)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, badInput(err)
	}
	defer f.Close() // read-only: closing has nothing to report
	t, err := tree.ReadJSON(f)
	if err != nil {
		return nil, badInput(fmt.Errorf("%s: %s", path, strings.TrimPrefix(err.Error(), "tree: ")))
	}
	return t, nil
}

// readTreeForData is readTree for trees that must know how to read raw data.
func (a *app) readTreeForData(path string) (*tree.Tree, error) {
	t, err := a.readTree(path)
	if err == nil && t.Encoder == nil {
		err = badInput(fmt.Errorf("%s: the tree has no encoder, so it cannot read raw data", path))
	}
	return t, err
}

// bothStdin refuses two inputs from standard input.
func bothStdin(treePath, dataPath string) error {
	if treePath == "-" && dataPath == "-" {
		return badInput(errors.New("only one of the tree and the data can come from standard input"))
	}
	return nil
}
