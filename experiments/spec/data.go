package spec

import (
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

	Generator generate.Generator // of the first replicate; nil for files

	Load    dataset.LoadOptions
	Unknown dataset.UnknownPolicy // of categories in test parts
	at      node
}

// HasTest says whether the data come with test rows.
func (d *Data) HasTest() bool { return d.TestRows > 0 }

// Mistake is err at the place of the data in the spec, a *SpecError.
func (d *Data) Mistake(err error) error { return d.at.errorf("%w", err) }

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
		if slices.Contains(s.DataNames(), d.Name) {
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
		return d, n.errorf("%s", Plain(err))
	}
	d.Load, d.Unknown = f.LoadOptions(), dataset.UnknownPolicy(f.Unknown)
	d.Args = args(options)
	slices.Sort(d.Args)
	return d, nil
}
