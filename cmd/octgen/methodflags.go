package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/method"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// methodFlags are the flags of the methods' options, each once, made from the
// registry.
type methodFlags struct {
	Options kong.Plugins `embed:""`
}

// newMethodFlags returns the flags of these methods.
func newMethodFlags(of []method.Method) methodFlags {
	return methodFlags{kong.Plugins{method.Union(of)}}
}

// problems are the methods that are formulated as programs.
func problems() []method.Method {
	return slices.DeleteFunc(method.All(), func(m method.Method) bool {
		_, ok := m.(method.Problem)
		return !ok
	})
}

// names lists the names of methods.
func names(of []method.Method) []string {
	var all []string
	for _, m := range of {
		all = append(all, m.Info().Name)
	}
	return all
}

// method returns the method of that name with the options that were given on the
// command line, and the algorithms of its start with theirs.
func (f *methodFlags) method(parsed *kong.Context, name, start string) (method.Method, []method.Algorithm, error) {
	m, err := method.Lookup(name)
	if err != nil {
		return nil, nil, badInput(err)
	}
	starters := method.WithOptionsOf(m, start)
	for _, flag := range f.given(parsed) {
		has, err := method.Take(m, f.Options[0], flag)
		for _, a := range starters {
			also, other := method.Take(a, f.Options[0], flag)
			has, err = has || also, errors.Join(err, other)
		}
		if err != nil {
			return nil, nil, badInput(err)
		}
		if !has {
			return nil, nil, badInput(notOf(flag, m))
		}
	}
	for _, v := range append([]method.Method{m}, asMethods(starters)...) {
		if err := v.Validate(); err != nil {
			return nil, nil, badInput(err)
		}
	}
	return m, starters, nil
}

// given are the options that stand on the command line.
func (f *methodFlags) given(parsed *kong.Context) []string {
	var flags []string
	for _, p := range parsed.Path {
		if p.Flag != nil && method.With(p.Flag.Name) != nil && !slices.Contains(flags, p.Flag.Name) {
			flags = append(flags, p.Flag.Name)
		}
	}
	return flags
}

// notOf says of which methods a flag is an option.
func notOf(flag string, m method.Method) error {
	with := method.With(flag)
	for _, name := range with {
		if _, err := method.LookupAlgorithm(name); err == nil {
			return fmt.Errorf("--%s is for %s, neither the method nor the start here", flag, method.Listed(with))
		}
	}
	return fmt.Errorf("--%s is not a parameter of %s, but of %s", flag, m.Info().Name, strings.Join(with, ", "))
}

func asMethods(all []method.Algorithm) []method.Method {
	var out []method.Method
	for _, a := range all {
		out = append(out, a)
	}
	return out
}

// forData is the method for the classes of ds, its files read.
func (a *app) forData(ctx context.Context, m method.Method, ds *dataset.Dataset) (method.Method, error) {
	s, ok := m.(method.Specific)
	if !ok {
		return m, nil
	}
	m, err := s.For(ctx, ds, method.Files{Tree: a.readTree})
	return m, badInput(err)
}

// alphaOf is the price of splits of a method, 0 where it has none.
func alphaOf(m method.Method) float64 {
	if s, ok := m.(interface{ Grows() method.Shape }); ok {
		return s.Grows().Alpha
	}
	return 0
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

// path is an option that names a file, "" where it names none.
func (f *methodFlags) path(option string) string {
	v := reflect.ValueOf(f.Options[0]).Elem().FieldByName(option)
	if v.IsValid() && strings.HasSuffix(v.String(), ".json") {
		return v.String()
	}
	return ""
}
