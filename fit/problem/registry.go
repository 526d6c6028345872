package problem

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/octgen/octgen/internal/nearest"
	"github.com/octgen/octgen/internal/strict"
)

var registry []func() Method

// register makes a method known; files call it when they are loaded.
func register(fresh func() Method) { registry = append(registry, fresh) }

// All returns every method with its default options, sorted by name.
func All() []Method {
	all := make([]Method, len(registry))
	for i, fresh := range registry {
		all[i] = fresh()
		strict.SetDefaults(all[i])
	}
	slices.SortFunc(all, func(a, b Method) int { return strings.Compare(a.Info().Name, b.Info().Name) })
	return all
}

// Names lists the methods.
func Names() []string { return slices.Clone(names()) }

var names = sync.OnceValue(func() []string {
	var names []string
	for _, m := range All() {
		names = append(names, m.Info().Name)
	}
	return names
})

// byName has what makes each method, by its name.
var byName = sync.OnceValue(func() map[string]func() Method {
	of := make(map[string]func() Method, len(registry))
	for _, fresh := range registry {
		of[fresh().Info().Name] = fresh
	}
	return of
})

// Lookup returns the method of that name with its default options.
func Lookup(name string) (Method, error) {
	fresh, ok := byName()[name]
	if !ok {
		return nil, fmt.Errorf("no method %q; %s", name, nearest.Hint(name, Names(), "the methods are "+strings.Join(Names(), ", ")))
	}
	m := fresh()
	strict.SetDefaults(m)
	return m, nil
}

// Starters lists the algorithms that some program takes as starts.
func Starters() []string { return slices.Clone(starters()) }

var starters = sync.OnceValue(func() []string {
	var names []string
	for _, m := range All() {
		for _, s := range m.Info().Starts {
			names = append(names, s.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
})

// LookupAlgorithm returns the algorithm of that name.
func LookupAlgorithm(name string) (Algorithm, error) {
	m, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	a, ok := m.(Algorithm)
	if !ok {
		return nil, fmt.Errorf("method %s is a problem, not an algorithm that makes starts", name)
	}
	return a, nil
}
