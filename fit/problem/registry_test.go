package problem_test

import (
	"context"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/internal/strict"
)

// xor is data that depth 2 separates.
func xor(t testing.TB) *dataset.Dataset {
	t.Helper()
	ds, err := dataset.New(
		[]float64{0, 0, 0, 1, 1, 0, 1, 1, 2, 0, 2, 1},
		[]int{0, 1, 1, 0, 1, 1}, []string{"a", "b"}, []string{"no", "yes"})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// TestRegister: a method that registers itself is known, has its options as flags and
// is run; nothing else has to know of it.
func TestRegister(t *testing.T) {
	if !slices.Contains(problem.Names(), "stumps") {
		t.Fatalf("no stumps in %v", problem.Names())
	}
	if got := problem.With("draws"); !slices.Equal(got, []string{"stumps"}) {
		t.Errorf("--draws is of %v", got)
	}
	m, err := problem.Lookup("stumps")
	if err != nil {
		t.Fatal(err)
	}
	if has, err := problem.Set(m, "draws", reflect.ValueOf(200)); !has || err != nil {
		t.Fatalf("--draws: %v, %v", has, err)
	}
	ds, err := dataset.New([]float64{0, 1, 2, 3, 4}, []int{0, 0, 0, 1, 1}, []string{"a"}, []string{"no", "yes"})
	if err != nil {
		t.Fatal(err)
	}
	res, err := fit.Run(context.Background(), ds, fit.Options{Method: m})
	if err != nil {
		t.Fatal(err)
	}
	if res.Method != "stumps" || res.Engine != "heuristic" || res.Status != "feasible" || res.Prover != nil || res.Train.Errors != 0 || res.Train.Splits != 1 {
		t.Errorf("%+v with %v errors", res, res.Train.Errors)
	}
}

// TestRegistry: what every method has to have.
func TestRegistry(t *testing.T) {
	settings := []string{"solver", "lp", "start", "work-limit", "threads", "cross-check"}
	engines := []problem.Engine{problem.Search, problem.MIO, problem.Heuristic}
	all := problem.All()
	if !slices.IsSortedFunc(all, func(a, b problem.Method) int { return strings.Compare(a.Info().Name, b.Info().Name) }) {
		t.Errorf("not sorted: %v", problem.Names())
	}
	seen := make(map[string]bool)
	for _, m := range all {
		info := m.Info()
		switch {
		case !regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`).MatchString(info.Name):
			t.Errorf("the name %q", info.Name)
		case seen[info.Name]:
			t.Errorf("two methods are called %s", info.Name)
		case info.Doc == "" || strings.Contains(info.Doc, "\n") || strings.HasSuffix(info.Doc, "."):
			t.Errorf("%s: the line %q", info.Name, info.Doc)
		}
		seen[info.Name] = true
		if err := problem.Check(m); err != nil {
			t.Errorf("%s refuses its defaults: %v", info.Name, err)
		}
		for _, s := range info.Settings {
			if !slices.Contains(settings, s) || !info.Has(s) {
				t.Errorf("%s has the setting %q", info.Name, s)
			}
		}
		for _, e := range info.Engines {
			if !slices.Contains(engines, e) {
				t.Errorf("%s has the engine %q", info.Name, e)
			}
		}
		checkKind(t, m, info)
	}
}

// checkKind: a method has the engines, starts and functions of its kind.
func checkKind(t *testing.T, m problem.Method, info problem.Info) {
	ds := xor(t)
	if info.Rewards {
		ds = rewarded(t)
	}
	if info.Numbers {
		var err error
		if ds, err = dataset.NewNumbers([]float64{0, 1, 2, 3}, []float64{0, 1, 0, 1}, []string{"a"}, "y"); err != nil {
			t.Fatal(err)
		}
	}
	p, err := m.On(context.Background(), problem.NewData(ds), 0)
	if err != nil {
		t.Errorf("%s: %v", info.Name, err)
		return
	}
	switch info.Kind {
	case problem.Formulation:
		if p.Build == nil || !info.Solves(problem.MIO) || info.Solves(problem.Search) != (p.Search != nil) || len(info.Needs) == 0 || !info.Proof || !info.Has("solver") {
			t.Errorf("%s: engines %v, search %v, needs %v", info.Name, info.Engines, p.Search != nil, info.Needs)
		}
		if info.Solves(problem.Heuristic) == (len(info.Starts) == 0) {
			t.Errorf("%s: engines %v, starts %v", info.Name, info.Engines, info.Starts)
		}
		for _, s := range info.Starts {
			if _, err := problem.LookupAlgorithm(s.Name); err != nil {
				t.Errorf("%s: the start %v", info.Name, err)
			}
		}
		if info.OnlyMIO != "" || info.OnlySearch != "" || info.NotWritten != nil {
			t.Errorf("%s: a default is of one engine only: %q, %q, %v", info.Name, info.OnlyMIO, info.OnlySearch, info.NotWritten)
		}
	case problem.Tuned:
		if (p.Tuning.Of == nil) != (info.Engines == nil) || p.Grow != nil || !problem.IsTuned(info.Name) {
			t.Errorf("%s: engines %v", info.Name, info.Engines)
		}
	case problem.Algorithm:
		searched := p.Search != nil && !info.Exact
		switch {
		case searched && !(slices.Equal(info.Engines, []problem.Engine{problem.Search, problem.Heuristic}) && info.Proof):
			t.Errorf("%s: a searched algorithm with the engines %v", info.Name, info.Engines)
		case info.Exact != slices.Equal(info.Engines, []problem.Engine{problem.Search}), !info.Exact && !searched && info.Engines != nil, problem.IsTuned(info.Name):
			t.Errorf("%s: an algorithm with the engines %v", info.Name, info.Engines)
		}
	}
	if info.Grows != (p.Grow != nil) {
		t.Errorf("%s: grows %v, but has a function: %v", info.Name, info.Grows, p.Grow != nil)
	}
}

// rewarded is data with rewards of two actions.
func rewarded(t *testing.T) *dataset.Dataset {
	t.Helper()
	ds, err := dataset.NewRewards([]float64{0, 1, 2, 3}, []float64{1, 0, 0, 1, 1, 0, 0, 1}, []string{"a"}, []string{"stay", "go"})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// TestFresh: what is looked up has its defaults, whoever changed another one.
func TestFresh(t *testing.T) {
	m, err := problem.Lookup("oct")
	if err != nil {
		t.Fatal(err)
	}
	o := m.(*problem.OCT)
	if o.MinLeaf != 1 || o.Depth != 0 {
		t.Errorf("least leaf %v, depth %d", o.MinLeaf, o.Depth)
	}
	o.Depth, o.Without = 5, []string{"blocks"}
	again, _ := problem.Lookup("oct")
	if o := again.(*problem.OCT); o.Depth != 0 || o.Without != nil {
		t.Errorf("another oct has depth %d, without %v", o.Depth, o.Without)
	}
	literal := new(problem.OCT)
	if strict.SetDefaults(literal); literal.MinLeaf != 1 {
		t.Errorf("least leaf %v", literal.MinLeaf)
	}
}

// TestLookup: an unknown name is an error that lists the known ones, a problem is no
// start.
func TestLookup(t *testing.T) {
	if _, err := problem.Lookup("magic"); err == nil || !strings.Contains(err.Error(), `no method "magic"; the methods are `+strings.Join(problem.Names(), ", ")) {
		t.Error(err)
	}
	if _, err := problem.LookupAlgorithm("oct"); err == nil || !strings.Contains(err.Error(), "method oct is a problem") {
		t.Error(err)
	}
	if _, err := problem.LookupAlgorithm("magic"); err == nil {
		t.Error("a magic algorithm")
	}
	for _, name := range problem.Starters() {
		if _, err := problem.LookupAlgorithm(name); err != nil {
			t.Error(err)
		}
	}
	if problem.IsTuned("oct") || problem.IsTuned("magic") {
		t.Error("oct and magic are not tuned")
	}
}

// TestFlags: each name is there once, with help, group and the methods that have it;
// its type is theirs.
func TestFlags(t *testing.T) {
	seen := make(map[string]bool)
	for _, f := range problem.Flags() {
		if seen[f.Name] {
			t.Errorf("--%s twice", f.Name)
		}
		seen[f.Name] = true
		if f.Help == "" || f.Tag.Get("group") == "" {
			t.Errorf("--%s: help %q, group %q", f.Name, f.Help, f.Tag.Get("group"))
		}
		var with []string
		for _, m := range problem.All() {
			for _, own := range strict.Flags(m) {
				if own.Name != f.Name {
					continue
				}
				with = append(with, m.Info().Name)
				if own.Struct.Type != f.Type || own.Help != f.Help {
					t.Errorf("--%s of %s: %v %q", f.Name, m.Info().Name, own.Struct.Type, own.Help)
				}
			}
		}
		if !slices.Equal(with, f.Methods) || !slices.Equal(with, problem.With(f.Name)) {
			t.Errorf("--%s is of %v; listed %v", f.Name, with, f.Methods)
		}
	}
	if problem.With("magic") != nil {
		t.Error("--magic is there")
	}
	if got := problem.Listed([]string{"a", "b", "c"}) + problem.Listed([]string{"d"}) + problem.Listed(nil); got != "a, b and cd" {
		t.Error(got)
	}
}
