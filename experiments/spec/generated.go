package spec

import (
	"fmt"
	"slices"
	"strings"

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
		return fmt.Errorf("%s", strings.TrimPrefix(Plain(err), "generate: "))
	}
	d.Generator, d.TestRows = g, f.testRows()
	return nil
}
