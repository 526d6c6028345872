package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
)

// form is a formulation that mps can write.
type form struct {
	name      string
	encodings []formulate.Encoding // the default first

	// build formulates ds; the lines say in the file's comments what it is.
	build func(ctx context.Context, f *modelFlags, ds *dataset.Dataset, omitNames bool) (formulate.Formulation, []string, error)
}

// forms lists the formulations. The enum of mps --form names them.
func forms() []form {
	return []form{
		{"oct", formulate.OCTEncodings(), buildOCT},
		{"oct-h", formulate.OCTHEncodings(), buildOCTH},
	}
}

func formNamed(name string) (form, error) {
	var names []string
	for _, f := range forms() {
		if f.name == name {
			return f, nil
		}
		names = append(names, f.name)
	}
	return form{}, badInput(fmt.Errorf("no formulation %q; they are %s", name, strings.Join(names, ", ")))
}

func buildOCT(ctx context.Context, c *modelFlags, ds *dataset.Dataset, omitNames bool) (formulate.Formulation, []string, error) {
	o, err := c.oct()
	if err != nil {
		return nil, nil, err
	}
	o.OmitNames = omitNames
	f, err := o.Build(ctx, ds)
	if err != nil {
		return nil, nil, err
	}
	o = f.Options()
	lines := []string{
		fmt.Sprintf("form oct, depth %d, alpha %v, min-leaf %v, max-splits %d", o.Depth, o.Alpha, o.MinLeaf, o.MaxSplits),
		"encoding " + string(o.Encoding),
	}
	if o.Encoding != formulate.Threshold {
		lines = append(lines, "scale "+string(o.Scale))
	}
	for _, name := range c.Without {
		lines = append(lines, "without "+name)
	}
	return f, lines, nil
}

func buildOCTH(ctx context.Context, c *modelFlags, ds *dataset.Dataset, omitNames bool) (formulate.Formulation, []string, error) {
	if err := c.octOnly("oct-h"); err != nil {
		return nil, nil, err
	}
	f, err := formulate.OCTHOptions{
		Depth: c.Depth, Alpha: c.Alpha, MinLeaf: c.MinLeaf, MaxSplits: c.MaxSplits, Mu: c.Mu,
		Encoding: formulate.Encoding(c.Encoding), OmitNames: omitNames,
	}.Build(ctx, ds)
	if err != nil {
		return nil, nil, err
	}
	o := f.Options()
	return f, []string{
		fmt.Sprintf("form oct-h, depth %d, alpha %v, min-leaf %v, max-splits %d, mu %v", o.Depth, o.Alpha, o.MinLeaf, o.MaxSplits, o.Mu),
		"encoding " + string(o.Encoding),
	}, nil
}
