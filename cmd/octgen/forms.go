package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// form is a formulation that mps can write.
type form struct {
	name  string
	needs []formulate.EncodingNeeds // of its encodings, the default first

	// build formulates ds; the lines say in the file's comments what it is.
	build func(ctx context.Context, a *app, f *modelFlags, ds *dataset.Dataset, omitNames bool) (formulate.Formulation, []string, error)
}

// forms lists the formulations. The enum of mps --form names them.
func forms() []form {
	var gto []formulate.EncodingNeeds
	for _, o := range formulate.GTOObjectives() {
		for _, n := range formulate.GTOEncodings(o) {
			n.Form += " " + string(o)
			gto = append(gto, n)
		}
	}
	all := append(formulate.OCTNeeds(), formulate.LinearSplitEncodings()...)
	of := func(name string) (needs []formulate.EncodingNeeds) {
		for _, n := range all {
			if n.Form == name {
				needs = append(needs, n)
			}
		}
		return needs
	}
	return []form{
		{"oct", of("oct"), buildOCT},
		{"oct-h", of("oct-h"), buildOCTH},
		{"rlp", of("rlp"), buildRLP},
		{"rlp-p", of("rlp-p"), buildRLPP},
		{"fm", of("fm"), buildFM},
		{"lfm", of("lfm"), buildLFM},
		{"gto", gto, buildGTO},
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

func buildOCT(ctx context.Context, _ *app, c *modelFlags, ds *dataset.Dataset, omitNames bool) (formulate.Formulation, []string, error) {
	o, err := c.OCT()
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
		fmt.Sprintf("form oct, depth %d, alpha %v, min-leaf %v, max-splits %v", o.Depth, o.Alpha, o.MinLeaf, c.MaxSplits),
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

func buildOCTH(ctx context.Context, _ *app, c *modelFlags, ds *dataset.Dataset, omitNames bool) (formulate.Formulation, []string, error) {
	if err := c.OCTOnly("oct-h"); err != nil {
		return nil, nil, err
	}
	f, err := formulate.OCTHOptions{
		Depth: c.Depth, Alpha: c.Alpha, MinLeaf: c.MinLeaf, MaxSplits: int(c.MaxSplits), Mu: c.Mu,
		Encoding: formulate.Encoding(c.Encoding), OmitNames: omitNames, LP: anyLP(), // of starts
	}.Build(ctx, ds)
	if err != nil {
		return nil, nil, err
	}
	o := f.Options()
	return f, []string{
		fmt.Sprintf("form oct-h, depth %d, alpha %v, min-leaf %v, max-splits %v, mu %v", o.Depth, o.Alpha, o.MinLeaf, c.MaxSplits, o.Mu),
		"encoding " + string(o.Encoding),
	}, nil
}

func buildRLP(ctx context.Context, _ *app, c *modelFlags, ds *dataset.Dataset, omitNames bool) (formulate.Formulation, []string, error) {
	return buildSplit(ctx, c, ds, "rlp", omitNames)
}

func buildRLPP(ctx context.Context, _ *app, c *modelFlags, ds *dataset.Dataset, omitNames bool) (formulate.Formulation, []string, error) {
	return buildSplit(ctx, c, ds, "rlp-p", omitNames)
}

func buildSplit(ctx context.Context, c *modelFlags, ds *dataset.Dataset, form string, omitNames bool) (formulate.Formulation, []string, error) {
	if err := c.NotTrees(form); err != nil {
		return nil, nil, err
	}
	o := c.RLP(form == "rlp-p")
	o.OmitNames = omitNames
	f, err := o.Build(ctx, ds)
	if err != nil {
		return nil, nil, err
	}
	return f, []string{fmt.Sprintf("form %s, eps %v", form, f.Options().Eps)}, nil
}

func buildFM(ctx context.Context, _ *app, c *modelFlags, ds *dataset.Dataset, omitNames bool) (formulate.Formulation, []string, error) {
	if err := c.NotTrees("fm"); err != nil {
		return nil, nil, err
	}
	o := c.FM()
	o.LP, o.OmitNames = anyLP(), omitNames
	f, err := o.Build(ctx, ds)
	if err != nil {
		return nil, nil, err
	}
	o = f.Options()
	return f, []string{
		fmt.Sprintf("form fm, perturbed %v, eps %v, nu %d, delta %v, box %v", o.Perturbed, o.Eps, o.Nu, f.Delta(), o.Box),
		"encoding " + string(o.Encoding), f.Scope(),
	}, nil
}

func buildLFM(ctx context.Context, _ *app, c *modelFlags, ds *dataset.Dataset, omitNames bool) (formulate.Formulation, []string, error) {
	if err := c.NotTrees("lfm"); err != nil {
		return nil, nil, err
	}
	o := c.LFM()
	o.LP, o.OmitNames = anyLP(), omitNames
	f, err := o.Build(ctx, ds)
	if err != nil {
		return nil, nil, err
	}
	o = f.Options()
	return f, []string{
		fmt.Sprintf("form lfm, perturbed %v, eps %v, nu %d, lambda %v, box %v", o.Perturbed, o.Eps, o.Nu, f.Lambda(), o.Box),
		"encoding " + string(o.Encoding), f.Scope(),
	}, nil
}

func buildGTO(ctx context.Context, a *app, c *modelFlags, ds *dataset.Dataset, omitNames bool) (formulate.Formulation, []string, error) {
	if err := c.NotTrees("gto"); err != nil {
		return nil, nil, err
	}
	o, err := c.GTO(a.ctx, a.readTree, ds)
	if err != nil {
		return nil, nil, err
	}
	o.OmitNames = omitNames
	f, err := o.Build(ctx, ds)
	if err != nil {
		return nil, nil, err
	}
	o = f.Options()
	return f, []string{
		fmt.Sprintf("form gto, objective %s, norm %d, box %v", o.Objective, o.Norm, o.Box),
		"encoding " + string(o.Encoding), "structure " + o.Structure.Text(ds.Classes),
	}, nil
}

// anyLP solves linear programs with HiGHS or else the first solver there is, nil
// for none. The order matters: what decode builds is to be what mps wrote.
func anyLP() mio.SolveFunc {
	for _, name := range append([]string{"highs"}, solvers.Names()...) {
		if s, err := solvers.Lookup(name); err == nil && s.Available() == nil {
			return solvers.Func(s, solvers.Options{})
		}
	}
	return nil
}
