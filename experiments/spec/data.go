package spec

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/experiments/generate"
	"github.com/octgen/octgen/internal/dataflags"
	"github.com/octgen/octgen/internal/nearest"
	"github.com/octgen/octgen/internal/strict"
)

// Data is a data source on which methods are compared, a row of the tables: a file, or a generator.
type Data struct {
	Name string

	File string   // name in the spec; empty for generated data
	Args []string // options for reading it, as sorted flags of `octgen fit`

	Generate   string // generator, such as gto-tree; empty for files
	Replicates int    // generated datasets, with seeds Seed, Seed+1, ...
	TestRows   int    // of each dataset; 0: Evaluate divides the rows

	Generator generate.Generator // of the first replicate; nil for files

	Load     dataset.LoadOptions
	Positive string                // class whose rates are compared between groups, if a method names none
	Unknown  dataset.UnknownPolicy // for categories in test sets

	at, positiveAt, replicatesAt strict.Node
}

// HasTest reports whether the data have their own test rows.
func (d *Data) HasTest() bool { return d.TestRows > 0 }

// CheckPositive returns an *Error for a positive class that is not among the classes.
func (d *Data) CheckPositive(classes []string) error {
	if d.Positive == "" || slices.Contains(classes, d.Positive) {
		return nil
	}
	return noSuch(d.positiveAt, "class", d.Positive, classes)
}

// Mistake returns err as an *Error at the position of the data in the spec.
func (d *Data) Mistake(err error) error { return d.at.Errorf("%w", err) }

// fileKeys are the keys of data from a file.
type fileKeys struct {
	Name string `help:"Name in tables and task names (default: that of the file)."`
	File string `required:"" help:"CSV file, in the folder of the spec, in $OCTGEN_DATA or in ../shared/data."`
	dataflags.Data
	Positive string `help:"Positive class, whose rates are compared between groups, unless a method sets one (default: the second of two classes, each in turn of more)."`
	Unknown  string `enum:"error,other" default:"error" help:"Categories of the test set that are missing in the training set: an error, or no category (${enum})."`
}

// generatedKeys are the keys of generated data, in addition to the generator's.
type generatedKeys struct {
	Name       string `required:"" help:"Name in tables and task names."`
	Generate   string `required:"" help:"Generator of the data."`
	Replicates int    `default:"1" min:"1" help:"Number of datasets, with the seeds seed, seed + 1, and so on."`
}

// readData reads one data source.
func readData(n strict.Node) (Data, error) {
	entries, err := n.Entries()
	if err != nil {
		return Data{}, err
	}
	switch file, kind := n.Find("file"), n.Find("generate"); {
	case !file.IsSet() && !kind.IsSet():
		return Data{}, noKind(n, entries)
	case file.IsSet() && kind.IsSet():
		return Data{}, n.Errorf("want either file or generate")
	case file.IsSet():
		return readFile(n, entries)
	default:
		return readGenerated(n, kind)
	}
}

// noKind returns the error for data without a file and a generator, whose key may be misspelt.
func noKind(n strict.Node, entries []strict.Entry) error {
	kinds := []string{"file", "generate"}
	for _, e := range entries {
		if nearest.Name(e.Key, kinds) != "" {
			return e.Unknown(kinds)
		}
	}
	return n.Errorf("want either file or generate")
}

func readFile(n strict.Node, entries []strict.Entry) (Data, error) {
	var k fileKeys
	keys, err := strict.Decode(n, &k)
	if err != nil {
		return Data{}, err
	}
	d := Data{Name: k.Name, File: k.File, Load: k.LoadOptions(), Positive: k.Positive, Unknown: dataset.UnknownPolicy(k.Unknown), at: keys.At("file")}
	if d.Name == "" {
		d.Name = strings.TrimSuffix(strings.TrimSuffix(filepath.Base(d.File), ".gz"), ".csv")
		if strings.ContainsFunc(d.Name, isControl) {
			return d, d.at.Errorf("%q has control characters, so the data need a key \"name\"", d.File)
		}
	} else if err := checkName(keys.At("name"), d.Name); err != nil {
		return d, err
	}
	d.positiveAt = keys.At("positive")
	if d.Positive != "" && len(d.Load.Groups)+len(d.Load.GroupFeatures) == 0 {
		return d, keys.At("positive").Errorf("it needs groups; name them, as in group: race")
	}
	d.Args, err = sortedArgs(entries, "name", "file")
	return d, err
}

func readGenerated(n, kind strict.Node) (Data, error) {
	name, err := kind.Text()
	if err != nil {
		return Data{}, err
	}
	f := generate.NewFlags(name)
	if f == nil {
		return Data{}, noSuch(kind, "generator", name, generate.Names())
	}
	var k generatedKeys
	keys, err := strict.Decode(n, &k, f)
	if err != nil {
		return Data{}, err
	}
	if err := checkName(keys.At("name"), k.Name); err != nil {
		return Data{}, err
	}
	d := Data{Name: k.Name, Generate: k.Generate, Replicates: k.Replicates, TestRows: f.TestPoints(), at: n, replicatesAt: keys.At("replicates")}
	if d.Generator, err = f.Generator(); err == nil {
		_, _, _, err = d.Generator.Data() // validates the settings
	}
	if err != nil {
		return d, n.Errorf("%w", errors.New(strings.TrimPrefix(Plain(err), "generate: ")))
	}
	return d, nil
}

// Evaluate describes how the rows of a file are divided into training and test sets: by Folds, by
// Holdout, or, with Whole, not at all. For generated data with test rows only Validation applies.
type Evaluate struct {
	Folds      int     `min:"2" help:"Number of folds of a cross-validation."`                             // 0: none
	Holdout    float64 `above:"0" below:"1" help:"Fraction of the rows in the test set, between 0 and 1."` // 0: none
	Whole      bool    `json:",omitempty" help:"Train on all rows, without a test set: for proofs and times."`
	Repeats    int     `default:"1" min:"1" help:"Number of divisions, with the seeds seed, seed + 1, and so on."`
	Seed       int64   `default:"1" min:"0" help:"Seed of the first division."`
	Stratified bool    `default:"true" help:"Stratify by class."`

	// Validation is the fraction of all rows that tuned methods use to choose alpha, unless they
	// set their own; 0: their default. Other methods train on these rows. For generated data with
	// test rows it is a fraction of the training rows.
	Validation float64 `above:"0" below:"1" json:",omitempty" help:"Fraction of all rows of a split used by tuned methods to choose alpha, taken from the training set."`
}

// Divides reports whether rows are divided into training and test sets.
func (e *Evaluate) Divides() bool { return e.Folds != 0 || e.Holdout != 0 }

// ValidationPart returns Validation as a fraction of the training rows.
func (e *Evaluate) ValidationPart() float64 {
	test := e.Holdout
	if e.Folds > 0 {
		test = 1 / float64(e.Folds)
	}
	return e.Validation / (1 - test)
}

// check returns an error for divisions that exclude each other.
func (e *Evaluate) check(at strict.Node) error {
	switch {
	case e.Folds != 0 && e.Holdout != 0:
		return at.Errorf("want either folds or holdout")
	case e.Whole && (e.Divides() || e.Repeats > 1):
		return at.Errorf("with whole there is no test set; want no folds, holdout or repeats")
	case e.ValidationPart() >= 1:
		return at.Errorf("validation is %v of all rows, but the test set leaves no more than that; want less", e.Validation)
	}
	return nil
}
