package run

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/experiments/spec"
)

// source is data that was found: it gives the parts of splits.
type source struct {
	data  *spec.Data
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
func open(s *spec.Spec, d *spec.Data) (*source, error) {
	if d.Generate != "" {
		return openGenerated(s, d)
	}
	return openFile(s, d)
}

func openFile(s *spec.Spec, d *spec.Data) (*source, error) {
	path, err := find(s, d.File)
	if err != nil {
		return nil, d.Mistake(err)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, d.Mistake(err)
	}
	defer f.Close() // read-only: closing has nothing to report
	load, err := loadOptions(s, d)
	if err != nil {
		return nil, d.Mistake(err)
	}
	splitter, err := dataset.NewSplitter(f, path, load)
	if err != nil {
		return nil, d.Mistake(err)
	}
	sha, err := hash(splitter.All(), load.CostMatrix)
	if err != nil {
		return nil, d.Mistake(err)
	}
	if err := d.CheckPositive(splitter.All().Classes); err != nil {
		return nil, err
	}
	for i := range s.Methods {
		if err := s.Methods[i].CheckConstraints(d.Name, splitter.All()); err != nil {
			return nil, err
		}
	}
	src := &source{data: d, sha: sha}
	return src, divide(s, src, part{}, splitter.All(), func(train, test []int) (*dataset.Dataset, *dataset.Dataset, error) {
		a, b, err := splitter.Split(train, test, d.Unknown)
		if err == nil {
			a.Source.File, b.Source.File = d.File, d.File // results do not depend on where it was found
		}
		return a, b, err
	})
}

// loadOptions are those of the data, with the file of a cost matrix where it is found: it
// is looked for as data are.
func loadOptions(s *spec.Spec, d *spec.Data) (dataset.LoadOptions, error) {
	load := d.Load
	if !dataset.CostFile(load.CostMatrix) {
		return load, nil
	}
	path, err := find(s, load.CostMatrix)
	if err != nil {
		return load, fmt.Errorf("cost matrix: %w", err)
	}
	load.CostMatrix = path
	return load, nil
}

// hash is that of the data's file, and of the file of their cost matrix where there is
// one, hex.
func hash(ds *dataset.Dataset, costs string) (string, error) {
	if !dataset.CostFile(costs) {
		return ds.Source.SHA256, nil
	}
	text, err := os.ReadFile(costs)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sha256.Sum256(append([]byte(ds.Source.SHA256), text...))), nil
}

// divider makes datasets of the rows of the two parts of a split.
type divider func(train, test []int) (*dataset.Dataset, *dataset.Dataset, error)

// divide adds the splits of all to the source, as parts of whole: with its truth, and
// its label in front of theirs. The rows of a split are drawn when it is loaded, so that a
// plan of many splits has no lists of rows.
func divide(s *spec.Spec, src *source, whole part, all *dataset.Dataset, split divider) error {
	tests, err := draw(&s.Evaluate, all, uint64(s.Evaluate.Seed)) // those of other seeds are as many
	if err != nil {
		return src.data.Mistake(fmt.Errorf("cannot be divided as evaluate says: %w", err))
	}
	folds := len(tests)
	for r := range s.Evaluate.Repeats {
		for f := range folds {
			p := part{label: whole.label + strconv.Itoa(r+1), truth: whole.truth}
			if folds > 1 {
				p.label += "." + strconv.Itoa(f+1)
			}
			p.load = func() (*dataset.Dataset, *dataset.Dataset, error) {
				tests, err := draw(&s.Evaluate, all, uint64(s.Evaluate.Seed)+uint64(r))
				if err != nil {
					return nil, nil, err
				}
				return split(all.Complement(tests[f]), tests[f])
			}
			src.parts = append(src.parts, p)
		}
	}
	return nil
}

// draw returns the test rows of each split of one repeat.
func draw(e *spec.Evaluate, all *dataset.Dataset, seed uint64) ([][]int, error) {
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

// openGenerated lists the parts: a replicate with test rows is one, others are
// divided.
func openGenerated(s *spec.Spec, d *spec.Data) (*source, error) {
	settings := fmt.Appendf(nil, "%s %+v", d.Generate, d.Generator)
	src := &source{data: d, sha: fmt.Sprintf("%x", sha256.Sum256(settings))}
	for r := range d.Replicates {
		g, of := d.Generator.Replicate(r), &truth{data: d.Name, replicate: r + 1}
		if d.HasTest() {
			src.parts = append(src.parts, part{label: fmt.Sprint(r + 1), truth: of, load: func() (train, test *dataset.Dataset, err error) {
				train, test, of.tree, err = g.Data()
				return train, test, err
			}})
			continue
		}
		all, _, tree, err := g.Data()
		if err != nil {
			return nil, d.Mistake(err)
		}
		of.tree = tree
		whole := part{truth: of}
		if d.Replicates > 1 {
			whole.label = fmt.Sprintf("%d.", r+1)
		}
		split := func(train, test []int) (*dataset.Dataset, *dataset.Dataset, error) {
			return all.Subset(train), all.Subset(test), nil
		}
		if err := divide(s, src, whole, all, split); err != nil {
			return nil, err
		}
	}
	return src, nil
}

// Whole returns all rows of a file, or all training points of each replicate of generated
// data. Data that cannot be read are *spec.Error.
func Whole(s *spec.Spec, d *spec.Data) ([]*dataset.Dataset, error) {
	if d.Generate == "" {
		path, err := find(s, d.File)
		if err != nil {
			return nil, d.Mistake(err)
		}
		load, err := loadOptions(s, d)
		if err != nil {
			return nil, d.Mistake(err)
		}
		ds, err := dataset.Load(path, load)
		if err != nil {
			return nil, d.Mistake(err)
		}
		ds.Source.File = d.File // what is made of it does not depend on where it was found
		return []*dataset.Dataset{ds}, nil
	}
	var all []*dataset.Dataset
	for r := range d.Replicates {
		train, _, _, err := d.Generator.Replicate(r).Data()
		if err != nil {
			return nil, d.Mistake(err)
		}
		all = append(all, train)
	}
	return all, nil
}

// find returns the path of a file that a spec names: as it is where that is absolute, else
// beside the spec, in $OCTGEN_DATA, in ../shared/data.
func find(s *spec.Spec, file string) (string, error) {
	if filepath.IsAbs(file) {
		return file, nil
	}
	dirs := []string{filepath.Dir(s.File)}
	if env := os.Getenv("OCTGEN_DATA"); env != "" {
		dirs = append(dirs, env)
	}
	dirs = append(dirs, filepath.Join("..", "shared", "data"))
	for _, dir := range dirs {
		path := filepath.Join(dir, file)
		switch _, err := os.Stat(path); {
		case err == nil:
			return path, nil
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
	}
	return "", fmt.Errorf("no file %s; it was looked for in %q", file, dirs)
}
