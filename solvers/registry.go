package solvers

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/octgen/octgen/internal/nearest"
)

var registry struct {
	sync.RWMutex
	byName map[string]Solver
}

// Register makes a solver known by its name, behind [Checked]. Adapters call
// it when they are imported. It panics if the name is taken.
func Register(s Solver) {
	registry.Lock()
	defer registry.Unlock()
	if registry.byName == nil {
		registry.byName = make(map[string]Solver)
	}
	if _, taken := registry.byName[s.Name()]; taken {
		panic("solvers: " + s.Name() + " registered twice")
	}
	registry.byName[s.Name()] = Checked(s)
}

// Lookup returns the solver of that name. The solver may be unavailable on
// this machine: its Available method says so.
func Lookup(name string) (Solver, error) {
	registry.RLock()
	s, ok := registry.byName[name]
	registry.RUnlock()
	if !ok {
		known := cmp.Or(strings.Join(Names(), ", "), "none")
		return nil, fmt.Errorf("unknown solver %q; %s", name, nearest.Hint(name, Names(), "this program knows: "+known))
	}
	return s, nil
}

// LookupAt returns the solver of that name with its executable at path instead
// of on PATH; without a path it is Lookup. It is an error where the solver is no
// executable.
func LookupAt(name, path string) (Solver, error) {
	s, err := Lookup(name)
	if err != nil || path == "" {
		return s, err
	}
	movable, ok := s.(checked).Solver.(interface{ At(path string) Solver })
	if !ok {
		return nil, fmt.Errorf("solver %s runs inside this program; a path is for solvers that are executables", name)
	}
	return Checked(movable.At(path)), nil
}

// AvailableWithin is [Solver.Available], given up when ctx ends: asking an
// executable who it is may take long. The error is then ctx's.
func AvailableWithin(ctx context.Context, s Solver) error {
	if c, ok := s.(checked); ok {
		s = c.Solver
	}
	if x, ok := s.(interface{ Probe(context.Context) error }); ok {
		return x.Probe(ctx)
	}
	return s.Available()
}

// Path returns the path of the executable that s runs, "" where it is none or
// not found.
func Path(s Solver) string {
	if c, ok := s.(checked); ok {
		s = c.Solver
	}
	if x, ok := s.(interface{ Path() string }); ok {
		return x.Path()
	}
	return ""
}

// Names returns the names of all registered solvers, sorted.
func Names() []string {
	registry.RLock()
	defer registry.RUnlock()
	names := make([]string, 0, len(registry.byName))
	for name := range registry.byName {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
