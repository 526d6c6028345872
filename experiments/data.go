package experiments

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/experiments/generate"
	"github.com/octgen/octgen/fit/flags"
)

// Data is a column block of the table: a file, or a generator.
type Data struct {
	Name string

	File string   // as the spec names it; empty for generated data
	Args []string // how it is read, as the flags of `octgen fit`, sorted

	Generate   string // generator, such as gto-tree; empty for files
	Replicates int    // generated datasets, with seeds Seed, Seed+1, ...
	TestRows   int    // of each; 0: the rows are divided as Evaluate says

	generator generate.Generator // of the first replicate

	load    dataset.LoadOptions
	unknown dataset.UnknownPolicy
	at      node
}

// hasTest says whether the data come with test rows.
func (d *Data) hasTest() bool { return d.TestRows > 0 }

// dataFlags are the flags that say how a file is read.
type dataFlags struct {
	flags.Data
	Unknown string `enum:"error,other" default:"error" help:"Categories in test parts that training did not have: an error, or no category (${enum})."`
}

func freshData() any { return new(dataFlags) }

func (s *Spec) readData(n node) error {
	items, err := n.items()
	if err != nil {
		return err
	}
	for _, item := range items {
		d, err := readDatum(item)
		if err != nil {
			return err
		}
		if slices.Contains(s.dataNames(), d.Name) {
			return item.errorf("two data are named %q", d.Name)
		}
		s.Data = append(s.Data, d)
	}
	return nil
}

func readDatum(n node) (Data, error) {
	all, err := n.entries()
	if err != nil {
		return Data{}, err
	}
	has := func(key string) bool {
		return slices.ContainsFunc(all, func(e entry) bool { return e.key == key })
	}
	if has("file") == has("generate") {
		return Data{}, n.errorf("want one of file and generate")
	}
	if has("generate") {
		return readGenerated(n, all)
	}
	return readFile(n, all)
}

func readFile(n node, all []entry) (Data, error) {
	d := Data{at: n}
	names := flags.Names(freshData())
	var options []option
	for _, e := range all {
		switch e.key {
		case "name":
			if err := setName(&d.Name)(e.value); err != nil {
				return d, err
			}
		case "file":
			if err := setText(&d.File)(e.value); err != nil {
				return d, err
			}
			d.at = e.value
		default:
			o, err := readOption(e, n, append([]string{"name", "file"}, names...), freshData)
			if err != nil {
				return d, err
			}
			options = append(options, o)
		}
	}
	if d.Name == "" {
		d.Name = strings.TrimSuffix(strings.TrimSuffix(filepath.Base(d.File), ".gz"), ".csv")
		if strings.ContainsFunc(d.Name, isControl) {
			return d, d.at.errorf("%q has control characters, so the data need a key \"name\"", d.File)
		}
	}
	var f dataFlags
	if err := flags.Parse(&f, args(options)); err != nil {
		return d, n.errorf("%s", plain(err))
	}
	d.load, d.unknown = f.LoadOptions(), dataset.UnknownPolicy(f.Unknown)
	d.Args = args(options)
	slices.Sort(d.Args)
	return d, nil
}

// source is data that was found: it gives the parts of splits.
type source struct {
	data  *Data
	sha   string // of the file's bytes, or of the generator's settings, hex
	parts []part
}

// part is a split of a source.
type part struct {
	label string // such as 2.3: repeat 2, fold 3
	load  func() (train, test *dataset.Dataset, err error)
	truth *truth // of generated data; nil for files
}

// open reads the data and draws its splits.
func (s *Spec) open(d *Data) (*source, error) {
	if d.Generate != "" {
		return s.openGenerated(d)
	}
	return s.openFile(d)
}

func (s *Spec) openFile(d *Data) (*source, error) {
	path, err := s.find(d.File)
	if err != nil {
		return nil, d.at.errorf("%w", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, d.at.errorf("%w", err)
	}
	defer f.Close() // read-only: closing has nothing to report
	splitter, err := dataset.NewSplitter(f, path, d.load)
	if err != nil {
		return nil, d.at.errorf("%w", err)
	}
	src := &source{data: d, sha: splitter.All().Source.SHA256}
	return src, s.divide(src, splitter.All(), "", func(train, test []int) (*dataset.Dataset, *dataset.Dataset, error) {
		a, b, err := splitter.Split(train, test, d.unknown)
		if err == nil {
			a.Source.File, b.Source.File = d.File, d.File // results do not depend on where it was found
		}
		return a, b, err
	})
}

// divide adds the splits of all to the source.
func (s *Spec) divide(src *source, all *dataset.Dataset, prefix string, split func(train, test []int) (*dataset.Dataset, *dataset.Dataset, error)) error {
	add := func(label string, train, test []int) {
		src.parts = append(src.parts, part{
			label: prefix + label,
			load:  func() (*dataset.Dataset, *dataset.Dataset, error) { return split(train, test) },
		})
	}
	for r := range s.Evaluate.Repeats {
		tests, err := s.Evaluate.draw(all, s.Evaluate.Seed+uint64(r))
		if err != nil {
			return src.data.at.errorf("cannot be divided as evaluate says: %w", err)
		}
		for f, test := range tests {
			label := fmt.Sprint(r + 1)
			if len(tests) > 1 {
				label = fmt.Sprintf("%d.%d", r+1, f+1)
			}
			add(label, all.Complement(test), test)
		}
	}
	return nil
}

// draw returns the test rows of each split of one repeat.
func (e *Evaluate) draw(all *dataset.Dataset, seed uint64) ([][]int, error) {
	if !e.Stratified {
		all = oneClass(all)
	}
	if e.Folds > 0 {
		return all.Folds(e.Folds, seed)
	}
	_, test, err := all.Holdout(e.Holdout, seed)
	return [][]int{test}, err
}

// oneClass is a dataset of as many rows, all of one class, whose stratified
// divisions are plain ones.
func oneClass(ds *dataset.Dataset) *dataset.Dataset {
	return &dataset.Dataset{Y: make([]int, ds.N()), Classes: []string{""}}
}
