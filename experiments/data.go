package experiments

import (
	"crypto/sha256"
	"encoding/hex"
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

	GTO        *generate.GTO // nil for files; Seed is that of the first replicate
	Replicates int           // generated datasets, with seeds Seed, Seed+1, ...

	load    dataset.LoadOptions
	unknown dataset.UnknownPolicy
	at      node
}

// hasTest says whether the data come with test rows.
func (d *Data) hasTest() bool { return d.GTO != nil && d.GTO.TestRows > 0 }

// dataFlags are the flags that say how a file is read.
type dataFlags struct {
	flags.Data
	Unknown string `enum:"error,other" default:"error"`
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
		return readGenerated(n)
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

func readGenerated(n node) (Data, error) {
	g := &generate.GTO{Seed: 1}
	d := Data{GTO: g, Replicates: 1, at: n}
	err := n.fields(map[string]func(node) error{
		"name": setName(&d.Name),
		"generate": func(n node) error {
			if s, err := n.text(); err != nil || s != "gto-tree" {
				return n.errorf("%s; the generators are \"gto-tree\"", describe(n.yaml))
			}
			return nil
		},
		"features":   setInt(&g.Features, 1),
		"rows":       setInt(&g.Rows, 2),
		"test_rows":  setInt(&g.TestRows, 0),
		"depth":      setInt(&g.Depth, 1),
		"min_share":  setNumber(&g.MinShare),
		"replicates": setInt(&d.Replicates, 1),
		"seed":       setSeed(&g.Seed),
	})
	switch {
	case err != nil:
		return d, err
	case d.Name == "":
		return d, n.errorf("generated data need a name")
	}
	if _, _, _, err := g.Data(); err != nil {
		return d, n.errorf("%s", strings.TrimPrefix(err.Error(), "generate: "))
	}
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
}

// open reads the data and draws its splits.
func (s *Spec) open(d *Data) (*source, error) {
	if d.GTO == nil {
		return s.openFile(d)
	}
	sum := sha256.Sum256([]byte(fmt.Sprintf("gto-tree %+v", *d.GTO)))
	src := &source{data: d, sha: hex.EncodeToString(sum[:])}
	for r := range d.Replicates {
		g := *d.GTO
		g.Seed += uint64(r)
		if d.hasTest() {
			src.parts = append(src.parts, part{label: fmt.Sprint(r + 1), load: func() (train, test *dataset.Dataset, err error) {
				train, test, _, err = g.Data()
				return train, test, err
			}})
			continue
		}
		all, _, _, err := g.Data()
		if err != nil {
			return nil, d.at.errorf("%w", err)
		}
		prefix := ""
		if d.Replicates > 1 {
			prefix = fmt.Sprintf("%d.", r+1)
		}
		split := func(train, test []int) (*dataset.Dataset, *dataset.Dataset, error) {
			return all.Subset(train), all.Subset(test), nil
		}
		if err := s.divide(src, all, prefix, split); err != nil {
			return nil, err
		}
	}
	return src, nil
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
