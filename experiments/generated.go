package experiments

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/flags"
)

// replicateFlags are those of generated data in a spec, beside the generator's.
type replicateFlags struct {
	Replicates int `default:"1" help:"Datasets, with the seeds seed, seed + 1, and so on."`
}

// readGenerated reads data that have the key generate.
func readGenerated(n node, all []entry) (Data, error) {
	d := Data{at: n}
	kind := all[slices.IndexFunc(all, func(e entry) bool { return e.key == "generate" })].value
	generator, ok := generators()[kind.yaml.Value]
	if !ok {
		return d, kind.errorf("%s; the generators are %q", describe(kind.yaml), GeneratorNames())
	}
	d.Generate = kind.yaml.Value
	ours, theirs := flags.Names(new(replicateFlags)), flags.Names(generator())
	var options, repeats []option
	for _, e := range all {
		into, fresh := &options, func() any { return generator() }
		switch {
		case e.key == "generate":
			continue
		case e.key == "name":
			if err := setName(&d.Name)(e.value); err != nil {
				return d, err
			}
			continue
		case slices.Contains(ours, e.key):
			into, fresh = &repeats, func() any { return new(replicateFlags) }
		}
		o, err := readOption(e, n, slices.Concat([]string{"generate", "name"}, ours, theirs), fresh)
		if err != nil {
			return d, err
		}
		*into = append(*into, o)
	}
	if d.Name == "" {
		return d, n.errorf("generated data need a name")
	}
	if err := d.setReplicates(repeats); err != nil {
		return d, blame(repeats, n, err)
	}
	if err := d.setGenerator(generator(), options); err != nil {
		return d, blame(options, n, err)
	}
	return d, nil
}

func (d *Data) setReplicates(options []option) error {
	var f replicateFlags
	if err := flags.Parse(&f, args(options)); err != nil {
		return err
	}
	return positive("--replicates", &f.Replicates, &d.Replicates)
}

// setGenerator sets the generator, and tries it.
func (d *Data) setGenerator(f GeneratorFlags, options []option) error {
	if err := flags.Parse(f, args(options)); err != nil {
		return err
	}
	g, err := f.Generator()
	if err != nil {
		return err
	}
	if _, _, _, err := g.Data(); err != nil {
		return fmt.Errorf("%s", strings.TrimPrefix(plain(err), "generate: "))
	}
	d.generator, d.TestRows = g, f.testRows()
	return nil
}

// openGenerated lists the parts: a replicate with test rows is one, others are
// divided.
func (s *Spec) openGenerated(d *Data) (*source, error) {
	sum := sha256.Sum256([]byte(fmt.Sprintf("%s %+v", d.Generate, d.generator)))
	src := &source{data: d, sha: hex.EncodeToString(sum[:])}
	for r := range d.Replicates {
		g, of := d.generator.Replicate(r), &truth{data: d.Name, replicate: r + 1}
		if d.hasTest() {
			src.parts = append(src.parts, part{label: fmt.Sprint(r + 1), truth: of, load: func() (train, test *dataset.Dataset, err error) {
				train, test, of.tree, err = g.Data()
				return train, test, err
			}})
			continue
		}
		all, _, tree, err := g.Data()
		if err != nil {
			return nil, d.at.errorf("%w", err)
		}
		of.tree = tree
		prefix := ""
		if d.Replicates > 1 {
			prefix = fmt.Sprintf("%d.", r+1)
		}
		split := func(train, test []int) (*dataset.Dataset, *dataset.Dataset, error) {
			return all.Subset(train), all.Subset(test), nil
		}
		first := len(src.parts)
		if err := s.divide(src, all, prefix, split); err != nil {
			return nil, err
		}
		for i := range src.parts[first:] {
			src.parts[first+i].truth = of
		}
	}
	return src, nil
}
