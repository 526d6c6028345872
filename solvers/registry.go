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

// Place says where a solver is looked for. The zero value means the usual places: for an
// executable PATH and the folder of this program, for a Python package the active virtual
// environment and python3.
type Place struct {
	Executable string // path of the solver's executable
	Python     string // interpreter that has the solver's package
}

// LookupAt returns the solver of that name at a place; with the zero Place it is Lookup. It is an
// error if the solver is not of that kind: one in process has no place, and not every solver has
// both an executable and a package.
func LookupAt(name string, at Place) (Solver, error) {
	s, err := Lookup(name)
	if err != nil || at == (Place{}) {
		return s, err
	}
	if at.Executable != "" && at.Python != "" {
		return nil, fmt.Errorf("solver %s: give the path of an executable (--solver-path) or an interpreter (--python), not both", name)
	}
	movable, ok := s.(checked).Solver.(interface{ At(Place) (Solver, error) })
	if !ok {
		return nil, fmt.Errorf("solver %s runs inside this program; a path is for executables, an interpreter for Python packages", name)
	}
	moved, err := movable.At(at)
	if err != nil {
		return nil, err
	}
	return Checked(moved), nil
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

// Where says where s was found: the path of its executable, or its package and the interpreter. It
// is "" for a solver in process and for one that is not found.
func Where(s Solver) string {
	if c, ok := s.(checked); ok {
		s = c.Solver
	}
	if x, ok := s.(interface{ Where() string }); ok {
		return x.Where()
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
