package solvers_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// fake is a solver that remembers what it was asked.
type fake struct {
	name        string
	caps        solvers.Capabilities
	unavailable error
	asked       []solvers.Options
}

func (f *fake) Name() string                       { return f.name }
func (f *fake) Version() string                    { return "1" }
func (f *fake) Available() error                   { return f.unavailable }
func (f *fake) Capabilities() solvers.Capabilities { return f.caps }
func (f *fake) Solve(_ context.Context, _ *mio.Model, opt solvers.Options) (*mio.Solution, error) {
	f.asked = append(f.asked, opt)
	return &mio.Solution{Status: mio.Optimal}, nil
}

func model(t *testing.T, kind mio.VarType) *mio.Model {
	b := mio.NewBuilder("")
	x := b.AddCol(1, 0, 1, kind, "x")
	b.Add(b.AddRow(0.5, mio.Inf, "cover"), x, 1)
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestIncapable: a solver without capabilities refuses every option by name.
func TestIncapable(t *testing.T) {
	cutoff := 1.0
	f := &fake{name: "incapable"}
	s := solvers.Checked(f)
	for name, opt := range map[string]solvers.Options{
		"TimeLimit": {TimeLimit: time.Second},
		"NodeLimit": {NodeLimit: 1},
		"IterLimit": {IterLimit: 1},
		"RelGap":    {RelGap: 0.1},
		"AbsGap":    {AbsGap: 0.1},
		"Threads":   {Threads: 1},
		"Seed":      {Seed: 1},
		"Start":     {Start: []float64{1}},
		"Cutoff":    {Cutoff: &cutoff},
		"Progress":  {Progress: func(solvers.Event) {}},
		"Log":       {Log: new(bytes.Buffer)},
		"Raw":       {Raw: map[string]string{"a": "b"}},
	} {
		_, err := s.Solve(context.Background(), model(t, mio.Continuous), opt)
		var optErr *solvers.OptionError
		if !errors.As(err, &optErr) || optErr.Option != name || optErr.Solver != "incapable" {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := s.Solve(context.Background(), model(t, mio.Binary), solvers.Options{}); err == nil || !strings.Contains(err.Error(), "1 discrete columns") {
		t.Errorf("discrete model: error %v", err)
	}
	if len(f.asked) != 0 {
		t.Errorf("the solver was asked %d times", len(f.asked))
	}
	if _, err := s.Solve(context.Background(), model(t, mio.Continuous), solvers.Options{}); err != nil {
		t.Error(err)
	}
	if len(f.asked) != 1 || f.asked[0].Grace != solvers.DefaultGrace {
		t.Errorf("asked %+v", f.asked)
	}
}

func TestStart(t *testing.T) {
	f := &fake{name: "start", caps: solvers.Capabilities{Discrete: true, Start: true}}
	m := model(t, mio.Binary)
	for _, c := range []struct {
		start []float64
		want  string // of the error
	}{
		{nil, ""},
		{[]float64{1}, ""},
		{[]float64{1 - 1e-7}, ""},
		{[]float64{}, "has 0 values; the model has 1 columns"},
		{[]float64{1, 1}, "has 2 values; the model has 1 columns"},
		{[]float64{math.NaN()}, "column x is NaN"},
		{[]float64{math.Inf(1)}, "column x is +Inf"},
		{[]float64{0}, "row of cover is violated by 0.5"},
		{[]float64{0.7}, "integrality of x is violated by 0.3"},
		{[]float64{2}, "bound of x is violated by 1"},
	} {
		err := solvers.Validate(f, m, &solvers.Options{Start: c.start})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("start %v: error %v, want %q", c.start, err, c.want)
		}
	}
}

func TestUnavailable(t *testing.T) {
	why := &solvers.UnavailableError{Solver: "absent", Reason: "not installed"}
	f := &fake{name: "absent", unavailable: why}
	_, err := solvers.Func(solvers.Checked(f), solvers.Options{})(context.Background(), model(t, mio.Continuous))
	if !errors.Is(err, why) || !strings.Contains(err.Error(), "absent is not available: not installed") {
		t.Errorf("error %v", err)
	}
	if len(f.asked) != 0 {
		t.Error("an unavailable solver was asked")
	}
}

func TestRegistry(t *testing.T) {
	solvers.Register(&fake{name: "zeta"})
	solvers.Register(&fake{name: "alpha"})
	got := slices.DeleteFunc(solvers.Names(), func(name string) bool { return name == "highs" }) // the example's
	if !slices.Equal(got, []string{"alpha", "zeta"}) {
		t.Errorf("names %v", got)
	}
	s, err := solvers.Lookup("zeta")
	if err != nil || s.Name() != "zeta" {
		t.Errorf("%v, %v", s, err)
	}
	if _, err := s.Solve(context.Background(), model(t, mio.Continuous), solvers.Options{Seed: 1}); err == nil {
		t.Error("a solver of the registry does not validate")
	}
	if _, err := solvers.Lookup("magic"); err == nil || !strings.Contains(err.Error(), `"magic"`) || !strings.Contains(err.Error(), "alpha, ") || !strings.Contains(err.Error(), "zeta") {
		t.Errorf("unknown solver: error %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("registered twice without a panic")
		}
	}()
	solvers.Register(&fake{name: "zeta"})
}

// TestThreads: a number of threads that no machine has is refused.
func TestThreads(t *testing.T) {
	f := &fake{name: "threads", caps: solvers.Capabilities{Threads: true}}
	for _, c := range []struct {
		threads int
		want    string
	}{
		{-1, "between 0 and 1024"}, {0, ""}, {solvers.MostThreads, ""}, {100000, "between 0 and 1024"},
	} {
		err := solvers.Validate(f, model(t, mio.Continuous), &solvers.Options{Threads: c.threads})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d threads: error %v, want %q", c.threads, err, c.want)
		}
	}
}

// nonlinearParts are the parts of a model that not every solver takes: how to
// add one to a model with a continuous column, a binary one and a row, what an
// error calls it, and the capability it needs.
var nonlinearParts = []struct {
	name string
	add  func(b *mio.Builder)
	want string
	caps solvers.Capabilities
}{
	{"quadratic objective", func(b *mio.Builder) { b.AddQuadCost(0, 0, 1) }, "quadratic terms", solvers.Capabilities{Discrete: true, Quadratic: true}},
	{"quadratic row", func(b *mio.Builder) { b.AddQuad(0, 0, 1, 1) }, "quadratic terms", solvers.Capabilities{Discrete: true, Quadratic: true}},
	{"indicator", func(b *mio.Builder) { b.AddIndicator(0, 1, true) }, "indicator rows", solvers.Capabilities{Discrete: true, Indicator: true}},
	{"SOS", func(b *mio.Builder) { b.AddSOS(1, "", []mio.Col{0, 1}, []float64{1, 2}) }, "SOS sets", solvers.Capabilities{Discrete: true, SOS: true}},
}

func nonlinearModel(t *testing.T, add func(b *mio.Builder)) *mio.Model {
	b := mio.NewBuilder("")
	x := b.AddCol(1, 0, 1, mio.Continuous, "x")
	b.AddBinary(1, "p")
	b.Add(b.AddRow(0.5, mio.Inf, "cover"), x, 1)
	add(b)
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestNonlinearParts: a solver that lacks only the capability refuses the model
// before it is asked; one that has only that capability takes it.
func TestNonlinearParts(t *testing.T) {
	all := solvers.Capabilities{Discrete: true, Quadratic: true, Indicator: true, SOS: true}
	for _, p := range nonlinearParts {
		m := nonlinearModel(t, p.add)
		lacking := all
		lacking.Quadratic = lacking.Quadratic && !p.caps.Quadratic
		lacking.Indicator = lacking.Indicator && !p.caps.Indicator
		lacking.SOS = lacking.SOS && !p.caps.SOS
		f := &fake{name: "lacking", caps: lacking}
		_, err := solvers.Checked(f).Solve(context.Background(), m, solvers.Options{})
		if err == nil || !strings.Contains(err.Error(), "solver lacking") || !strings.Contains(err.Error(), p.want) {
			t.Errorf("%s: error %v does not name the solver and %q", p.name, err, p.want)
		}
		if len(f.asked) != 0 {
			t.Errorf("%s: the solver was asked", p.name)
		}
		f = &fake{name: "able", caps: p.caps}
		if _, err := solvers.Checked(f).Solve(context.Background(), m, solvers.Options{}); err != nil || len(f.asked) != 1 {
			t.Errorf("%s: asked %d times, error %v", p.name, len(f.asked), err)
		}
	}
}
