package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// delimiter is the character between fields.
type delimiter rune

// UnmarshalText parses one character, "\t" or "tab".
func (d *delimiter) UnmarshalText(text []byte) error {
	switch s := string(text); s {
	case `\t`, "tab":
		*d = '\t'
	default:
		r, size := utf8.DecodeRuneInString(s)
		if size == 0 || size != len(s) {
			return fmt.Errorf("%q; want one character, such as ; or tab", s)
		}
		*d = delimiter(r)
	}
	return nil
}

// dataFlags say how to read training data.
type dataFlags struct {
	Target             string    `placeholder:"COLUMN" group:"Data" help:"Column of the class (default: the last one)."`
	Missing            string    `enum:"drop,mean,category" default:"drop" group:"Data" help:"Missing values: drop the row, put the mean or most frequent category, or make a category of its own (${enum})."`
	Categorical        string    `enum:"onehot,ordinal" default:"onehot" group:"Data" help:"How columns of categories become numbers (${enum})."`
	CategoricalColumns []string  `placeholder:"COLUMN" group:"Data" help:"Columns of categories, whatever they hold."`
	Ignore             []string  `placeholder:"COLUMN" group:"Data" help:"Columns to leave out."`
	Weight             string    `placeholder:"COLUMN" group:"Data" help:"Column of row weights."`
	ClassWeight        string    `placeholder:"balanced|CLASS=W,..." group:"Data" help:"Factors on the weights of the rows of a class."`
	Delimiter          delimiter `placeholder:"CHAR" group:"Data" help:"Character between fields (default: a comma)."`
}

func (f *dataFlags) options() dataset.LoadOptions {
	return dataset.LoadOptions{
		Target: f.Target, Weight: f.Weight, ClassWeight: f.ClassWeight,
		Missing: dataset.MissingPolicy(f.Missing), Categorical: dataset.ColumnKind(f.Categorical),
		CategoricalColumns: f.CategoricalColumns, Ignore: f.Ignore, Delimiter: rune(f.Delimiter),
	}
}

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

// text returns the input unpacked.
func (in *input) text() (text []byte, err error) {
	err = in.read(func(r io.Reader) error {
		text, err = io.ReadAll(r)
		if err != nil || !bytes.HasPrefix(text, []byte{0x1f, 0x8b}) {
			return err
		}
		z, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			return err
		}
		text, err = io.ReadAll(z)
		return err
	})
	return text, err
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
