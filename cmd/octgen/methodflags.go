package main

import (
	"context"
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// methodFlags are the flags of the methods' options, each once, made from the
// registry.
type methodFlags struct {
	Options kong.Plugins `embed:""`
}

// problems are the methods that are formulated as programs.
func problems() []problem.Method {
	return slices.DeleteFunc(problem.All(), func(m problem.Method) bool {
		return m.Info().Kind != problem.Formulation
	})
}

// names lists the names of methods.
func names(of []problem.Method) []string {
	var all []string
	for _, m := range of {
		all = append(all, m.Info().Name)
	}
	return all
}

// nameMethods says in the help of the methods' flags whose they are, where it does
// not.
func nameMethods(command *kong.Node, of []string) {
	for _, f := range command.Flags {
		with := slices.DeleteFunc(slices.Clone(problem.With(f.Name)), func(name string) bool { return !slices.Contains(of, name) })
		named := slices.ContainsFunc(with, func(name string) bool {
			return regexp.MustCompile(`\b` + name + `\b`).MatchString(f.Help)
		})
		if len(with) == 0 || len(with) == len(of) || named {
			continue
		}
		whose := problem.Listed(with)
		if others := slices.DeleteFunc(slices.Clone(of), func(name string) bool { return slices.Contains(with, name) }); len(others) < len(with) {
			whose = "all but " + problem.Listed(others)
		}
		f.Help = strings.TrimSuffix(f.Help, ".") + "; of " + whose + "."
	}
}

// choice is the method of that name and its start, with the options that were given
// on the command line.
func (f *methodFlags) choice(parsed *kong.Context, name, start string) (*problem.Choice, error) {
	m, err := problem.Lookup(name)
	if err != nil {
		return nil, badInput(err)
	}
	c := problem.Choose(m, start)
	for _, p := range parsed.Path { // which has what stands on the command line
		if p.Flag == nil || problem.With(p.Flag.Name) == nil {
			continue
		}
		if err := c.Take(f.Options[0], p.Flag.Name); err != nil {
			return nil, badInput(err)
		}
	}
	return c, badInput(c.Validate())
}

// given reports whether the flag of that name stands on the command line.
func given(parsed *kong.Context, flag string) bool {
	return slices.ContainsFunc(parsed.Path, func(p *kong.Path) bool { return p.Flag != nil && p.Flag.Name == flag })
}

// withGroups adds the columns that the constraints of m compare rows by to those that are
// read as groups.
func withGroups(o dataset.LoadOptions, m problem.Method) dataset.LoadOptions {
	o.Groups = slices.Clone(o.Groups)
	for _, column := range m.Info().Groups {
		if !slices.Contains(o.Groups, column) && !slices.Contains(o.GroupFeatures, column) {
			o.Groups = append(o.Groups, column)
		}
	}
	return o
}

// modelled reads the data of a model, with its method: that of the form or, for numbers if no form was asked for, ort.
func (f *methodFlags) modelled(a *app, parsed *kong.Context, form *string, path string, data *dataFlags) (*problem.Choice, *dataset.Dataset, error) {
	choice, err := f.choice(parsed, *form, "none")
	if err != nil {
		return nil, nil, err
	}
	ds, err := a.input(path).load(withGroups(data.LoadOptions(), choice.Method))
	switch {
	case err != nil:
		return nil, nil, err
	case ds.Kind() == dataset.Rewards:
		return nil, nil, badInput(errors.New("programs are of classes or numbers, not of rewards of actions, which `octgen fit --method policy` takes"))
	case ds.Kind() == dataset.Numbers && !given(parsed, "form"):
		*form = "ort"
		if choice, err = f.choice(parsed, *form, "none"); err != nil {
			return nil, nil, err
		}
	}
	return choice, ds, badInput(choice.Method.Info().NotWritten)
}

// forData is the method for the classes of ds, its files read.
func (a *app) forData(ctx context.Context, m problem.Method, ds *dataset.Dataset) (problem.Method, error) {
	if err := problem.CheckLoss(m, ds); err != nil {
		return m, badInput(err)
	}
	m, err := problem.ReadFiles(problem.Priced(m, ds), problem.Files{Tree: a.readTree})
	if err == nil {
		_, err = m.On(ctx, problem.NewData(ds), 0)
	}
	return m, badInput(err)
}

// alphaOf is the price of splits of a method, 0 where it has none.
func alphaOf(m problem.Method) float64 {
	if s := m.Info().Shape; s != nil {
		return s.Alpha
	}
	return 0
}

// anyLP solves linear programs with HiGHS or else the first solver there is, nil
// for none. The order matters: what decode builds is to be what mps wrote.
func anyLP() mio.SolveFunc {
	for _, name := range append([]string{"highs"}, solvers.Names()...) {
		if s, err := solvers.Lookup(name); err == nil && !s.Capabilities().OnlyDiscrete && s.Available() == nil {
			return solvers.Func(s, solvers.Options{})
		}
	}
	return nil
}

// path is an option that names a file, "" where it names none.
func (f *methodFlags) path(option string) string {
	v := reflect.ValueOf(f.Options[0]).Elem().FieldByName(option)
	if v.IsValid() && strings.HasSuffix(v.String(), ".json") {
		return v.String()
	}
	return ""
}
