package fit_test

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/tree"
)

// absent is a solver that is not installed.
type absent struct{ *liar }

func (absent) Name() string { return "absent" }
func (absent) Available() error {
	return &solvers.UnavailableError{Solver: "absent", Reason: "it is nowhere"}
}

func init() { solvers.Register(absent{lies}) }

// news are the events of a fit.
type news struct {
	stages, warnings []string
}

func (n *news) add(e fit.Event) {
	if e.Stage != "" {
		n.stages = append(n.stages, e.Stage)
	}
	if e.Warning != "" {
		n.warnings = append(n.warnings, e.Warning)
	}
}

func (n *news) has(text string) bool {
	return slices.ContainsFunc(append(n.stages, n.warnings...), func(s string) bool { return strings.Contains(s, text) })
}

// TestEngine: which engine answers a method, by what is asked for and by whether there
// is a solver; and what does not go together.
func TestEngine(t *testing.T) {
	type options = fit.Options
	const (
		search    = problem.Search
		program   = problem.MIO
		heuristic = problem.Heuristic
	)
	honest := func(m problem.Method) options { return options{Method: m, Solver: "liar"} }
	encoded := func(encoding string) *problem.OCT {
		return &problem.OCT{Shape: shape(2, 0.3, 1), Encoded: problem.Encoded{Encoding: encoding}}
	}
	priced := oct(2, 0.3, 1)
	leaf := tree.NewLeaf(xor(t), 0)
	for name, c := range map[string]struct {
		o    options
		none bool // no solver is there
		want problem.Engine
		err  string
		warn string
	}{
		"nothing at all":            {options{}, false, search, "", ""},
		"oct":                       {options{Method: priced}, false, search, "", ""},
		"oct, no solver":            {options{Method: priced}, true, search, "", ""},
		"oct, auto":                 {options{Method: priced, Engine: problem.Auto}, false, search, "", ""},
		"oct, search":               {options{Method: priced, Engine: search}, false, search, "", ""},
		"oct, mio":                  {options{Method: priced, Engine: program}, false, program, "", ""},
		"oct, mio, no solver":       {options{Method: priced, Engine: program}, true, "", "solver absent is not available: it is nowhere; `octgen solvers`", ""},
		"oct, heuristic":            {options{Method: priced, Engine: heuristic}, false, heuristic, "", ""},
		"oct, heuristic, no solver": {options{Method: priced, Engine: heuristic}, true, heuristic, "", ""},
		"oct, start":                {options{Method: priced, Start: "local-search"}, false, search, "", ""},
		"oct, work limit":           {options{Method: priced, WorkLimit: 1000}, false, search, "", ""},
		"oct, cache":                {options{Method: &problem.OCT{Cache: problem.Cache{CacheMB: new(int64)}}}, false, search, "", ""},

		"oct, solver":           {honest(priced), false, program, "", ""},
		"oct, absent solver":    {options{Method: priced, Solver: "absent"}, false, "", "absent is not available", ""},
		"oct, encoding":         {options{Method: encoded("bigm")}, false, program, "", ""},
		"oct, usual encoding":   {options{Method: encoded("threshold")}, false, program, "", ""},
		"oct, scale":            {options{Method: &problem.OCT{Encoded: problem.Encoded{Encoding: "bigm"}, Scale: "minmax"}}, false, program, "", ""},
		"oct, without":          {options{Method: &problem.OCT{Reduced: problem.Reduced{Without: []string{"blocks"}}}}, false, program, "", ""},
		"oct, start tree":       {options{Method: priced, Start: "none", StartTree: leaf, StartName: "mine"}, false, search, "", ""},
		"oct, gap":              {options{Method: priced, Solve: solvers.Options{RelGap: 0.1}}, false, search, "", ""},
		"oct, cross-check":      {options{Method: priced, CrossCheck: true}, false, program, "", ""},
		"oct, encoding, absent": {options{Method: encoded("bigm")}, true, "", "absent is not available: it is nowhere; `octgen solvers`", ""},

		"oct, search, encoding":    {options{Method: encoded("bigm"), Engine: search}, false, "", "--encoding is of the engine mio, not of search", ""},
		"oct, search, scale":       {options{Method: &problem.OCT{Encoded: problem.Encoded{Encoding: ""}, Scale: "rank"}, Engine: search}, false, "", "--scale", ""},
		"oct, search, without":     {options{Method: &problem.OCT{Reduced: problem.Reduced{Without: []string{"blocks"}}}, Engine: search}, false, "", "--without is of the engine mio, not of search", ""},
		"oct, search, solver":      {options{Method: priced, Engine: search, Solver: "liar"}, false, "", "--solver is of the engine mio, not of search", ""},
		"oct, search, path":        {options{Method: priced, Engine: search, Place: solvers.Place{Executable: "/bin/liar"}}, false, "", "--solver-path is of the engine mio", ""},
		"oct, search, raw":         {options{Method: priced, Engine: search, Solve: solvers.Options{Raw: map[string]string{"a": "b"}}}, false, "", "--solver-option is of the engine mio", ""},
		"oct, search, nodes":       {options{Method: priced, Engine: search, Solve: solvers.Options{NodeLimit: 1}}, false, "", "--node-limit is of the engine mio", ""},
		"oct, search, gap":         {options{Method: priced, Engine: search, Solve: solvers.Options{RelGap: 0.1}}, false, search, "", ""},
		"oct, search, log":         {options{Method: priced, Engine: search, Solve: solvers.Options{Log: io.Discard}}, false, "", "--log is of the engine mio", ""},
		"oct, search, cross-check": {options{Method: priced, Engine: search, CrossCheck: true}, false, "", "--cross-check is of the engine mio", ""},
		"oct, search, start none":  {options{Method: priced, Engine: search, Start: "none"}, false, search, "", ""},
		"oct, heuristic, encoding": {options{Method: encoded("bigm"), Engine: heuristic}, false, "", "--encoding is of the engine mio, not of heuristic", ""},
		"oct, magic":               {options{Method: priced, Engine: "magic"}, false, "", "--engine magic: oct has the engines search, mio and heuristic", ""},
		"published, cross-check":   {options{Method: encoded("bigm-published"), CrossCheck: true}, false, "", "the cross-check is for problems with an exact search", ""},

		"rlp":              {options{Method: new(problem.RLP)}, false, search, "", ""},
		"rlp, no solver":   {options{Method: new(problem.RLP)}, true, search, "", ""},
		"rlp, heuristic":   {options{Method: new(problem.RLP), Engine: heuristic}, false, "", "--engine heuristic: rlp has the engines search and mio", ""},
		"rlp, cross-check": {options{Method: new(problem.RLP), CrossCheck: true}, false, "", "the cross-check is for", ""},
		"rlp, start":       {options{Method: new(problem.RLP), Start: "cart"}, false, "", "cart makes no starts for rlp", ""},

		"oct-h":                {options{Start: "cart", Method: &problem.OCTH{Shape: shape(2, 0.3, 1)}}, false, program, "", ""},
		"oct-h, no solver":     {options{Start: "cart", Method: &problem.OCTH{Shape: shape(2, 0.3, 1)}}, true, heuristic, "", "solver absent is not available: it is nowhere; the best heuristic answers"},
		"oct-h, mio, absent":   {options{Start: "cart", Method: &problem.OCTH{Shape: shape(2, 0.3, 1)}, Engine: program}, true, "", "absent is not available: it is nowhere; `octgen solvers`", ""},
		"oct-h, named, absent": {options{Start: "cart", Method: &problem.OCTH{Shape: shape(2, 0.3, 1)}, Solver: "absent"}, true, "", "absent is not available", ""},
		"oct-h, encoding":      {options{Method: &problem.OCTH{Encoded: problem.Encoded{Encoding: "bigm"}}}, true, "", "absent is not available: it is nowhere; `octgen solvers`", ""},
		"oct-h, heuristic":     {options{Start: "cart", Method: &problem.OCTH{Shape: shape(2, 0.3, 1)}, Engine: heuristic}, false, heuristic, "", ""},
		"oct-h, search":        {options{Method: new(problem.OCTH), Engine: search}, false, "", "--engine search: oct-h has the engines mio and heuristic", ""},
		"oct-h, heuristic, no": {options{Method: new(problem.OCTH), Engine: heuristic, Start: "none"}, false, "", "is of the engine mio, not of heuristic", ""},
		"gto":                  {options{Start: "cart", Method: new(problem.GTO)}, false, program, "", ""},
		"gto, no solver":       {options{Start: "cart", Method: new(problem.GTO)}, true, heuristic, "", "solver absent is not available: it is nowhere; the best heuristic answers"},
		"rlp-p, search":        {options{Method: new(problem.RLPP), Engine: search}, false, "", "--engine search: rlp-p has the engine", ""},
		"fm, no solver":        {options{Method: new(problem.FM)}, true, heuristic, "", "solver absent is not available: it is nowhere; the best heuristic answers"},
		"fm, heuristic":        {options{Method: new(problem.FM), Engine: heuristic}, false, heuristic, "", ""},

		"treesearch":         {options{Method: new(problem.Treesearch)}, true, search, "", ""},
		"treesearch, search": {options{Method: new(problem.Treesearch), Engine: search}, true, search, "", ""},
		"treesearch, mio":    {options{Method: new(problem.Treesearch), Engine: program}, false, "", "--engine mio: treesearch has the engine search", ""},
		"cart":               {options{Method: new(problem.CART)}, true, heuristic, "", ""},
		"cart, search":       {options{Method: new(problem.CART), Engine: search}, false, "", "--engine search: cart is an algorithm of its own", ""},

		"oct-tuned":             {options{Method: new(problem.OCTTuned)}, true, search, "", ""},
		"oct-tuned, search":     {options{Method: new(problem.OCTTuned), Engine: search}, true, search, "", ""},
		"oct-tuned, mio":        {options{Method: new(problem.OCTTuned), Engine: program}, false, program, "", ""},
		"oct-tuned, solver":     {honest(new(problem.OCTTuned)), true, program, "", ""},
		"oct-tuned, heuristic":  {options{Method: new(problem.OCTTuned), Engine: heuristic}, false, "", "--engine heuristic: oct-tuned has the engines search and mio", ""},
		"oct-tuned, both":       {options{Method: new(problem.OCTTuned), Engine: search, Solver: "liar"}, false, "", "--solver is of the engine mio, not of search", ""},
		"oct-h-tuned":           {options{Method: new(problem.OCTHTuned)}, true, heuristic, "", ""},
		"oct-h-tuned, search":   {options{Method: new(problem.OCTHTuned), Engine: search}, true, "", "--engine search: oct-h-tuned has the engines heuristic and mio", ""},
		"cart-tuned":            {options{Method: new(problem.CARTTuned)}, true, heuristic, "", ""},
		"cart-tuned, heuristic": {options{Method: new(problem.CARTTuned), Engine: heuristic}, true, "", "--engine heuristic: cart-tuned is an algorithm of its own", ""},
	} {
		t.Run(name, func(t *testing.T) {
			lies.change = func(*mio.Model, *mio.Solution) {}
			if fit.UsualSolvers(t, "absent", "liar"); c.none {
				fit.UsualSolvers(t, "absent")
			}
			var said news
			c.o.Notify = said.add
			res, err := fit.Run(context.Background(), xor(t), c.o)
			if c.err != "" {
				if !errors.Is(err, fit.ErrInput) || !strings.Contains(err.Error(), c.err) || res != nil {
					t.Errorf("error %v, want %q", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if res.Engine != string(c.want) || c.warn != "" && !said.has(c.warn) {
				t.Errorf("engine %s, want %s; %q", res.Engine, c.want, said.warnings)
			}
			checkVerdict(t, res)
		})
	}
}

// TestStartNone: nothing to start from is for a solver, whose limit then leaves no
// tree.
func TestStartNone(t *testing.T) {
	fit.UsualSolvers(t, "liar")
	lies.change = func(_ *mio.Model, s *mio.Solution) { s.Status, s.Limit = mio.NoSolution, mio.LimitNodes }
	res, err := fit.Run(context.Background(), xor(t), fit.Options{Method: oct(2, 0.3, 1), Engine: problem.MIO, Start: "none"})
	if !errors.Is(err, fit.ErrNoTree) || res == nil || res.Engine != "mio" || res.Limit != "nodes" {
		t.Errorf("%v, %+v", err, res)
	}
	for _, limit := range []mio.Limit{mio.LimitTime, mio.LimitInterrupt} { // which leaves the single leaf
		lies.change = func(_ *mio.Model, s *mio.Solution) { s.Status, s.Limit, s.Bound = mio.NoSolution, limit, 0.3 }
		res, err := fit.Run(context.Background(), xor(t), fit.Options{Method: oct(2, 0.3, 1), Engine: problem.MIO, Start: "none"})
		if err != nil {
			t.Fatal(err)
		}
		checkVerdict(t, res)
		if res.Status != "feasible" || res.Limit != limit.String() || res.Tree.Splits() != 0 || *res.Objective != 1 || *res.Bound < 0.3 || *res.Prover != "solver" {
			t.Errorf("%+v", res)
		}
		if s := res.Solver; s.Name != "liar" || s.Status != "no solution" || s.Objective != nil || *s.Bound < 0.3 {
			t.Errorf("the solver: %+v", s)
		}
	}
}

// checkVerdict: what a result says as a whole agrees with itself.
func checkVerdict(t *testing.T, res *fit.Result) {
	t.Helper()
	if res.Tree == nil || !res.Check.OK() || res.Status != "optimal" && res.Status != "feasible" {
		t.Fatalf("status %s, check %+v", res.Status, res.Check)
	}
	if (res.Bound != nil && res.Prover == nil) || res.Prover != nil && res.Bound == nil && res.Tuning == nil {
		t.Errorf("bound %v, prover %v", res.Bound, res.Prover)
	}
	if optimal := res.Status == "optimal"; optimal && (res.Limit != "" || res.Prover == nil || res.Gap != nil && *res.Gap > 1e-9) {
		t.Errorf("optimal with limit %q, prover %v, gap %v", res.Limit, res.Prover, res.Gap)
	}
	above := 1.0
	if res.Train != nil && res.Train.Reward != nil {
		above = -1 // rewards are bounded from above
	}
	if res.Bound != nil && res.Objective != nil && above*(*res.Bound-*res.Objective) > 1e-9 {
		t.Errorf("bound %v on the wrong side of the objective %v", *res.Bound, *res.Objective)
	}
	if o := res.Train.Objective; o != nil && res.Objective != nil && *o > *res.Objective+1e-9 {
		t.Errorf("the tree has %v, the result says %v", *o, *res.Objective)
	}
}

// tangle is data on which trees of depth 2 make errors, and cart more than others.
func tangle(t *testing.T) *dataset.Dataset {
	t.Helper()
	var x []float64
	var y []int
	for i := range 24 {
		a, b := float64(i%6), float64(i/6)
		x = append(x, a, b)
		y = append(y, (i*i/5+i/7)%2)
	}
	ds, err := dataset.New(x, y, []string{"a", "b"}, []string{"no", "yes"})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// TestProver: who proved the bound is said, and nobody is credited with the proof of
// another.
func TestProver(t *testing.T) {
	ds := tangle(t)
	best, err := fit.Run(context.Background(), ds, fit.Options{Method: oct(2, 0.01, 1)})
	if err != nil {
		t.Fatal(err)
	}
	if best.Status != "optimal" || *best.Prover != "search" || best.Search == nil || best.Search.Status != "optimal" || *best.Search.Bound != *best.Bound || *best.Bound <= 0.05 {
		t.Fatalf("search: %+v", best)
	}
	optimum := *best.Bound
	for name, c := range map[string]struct {
		start  string
		change func(m *mio.Model, s *mio.Solution)
		status string
		prover string
		least  float64 // that the bound can be
		own    string  // status of the solver
		said   float64 // least bound that is believed of it; NaN for none
	}{
		"the solver":       {"local-search", func(_ *mio.Model, s *mio.Solution) { s.Status, s.Bound = mio.Optimal, s.Objective }, "optimal", "solver", optimum, "optimal", optimum},
		"a solver's bound": {"cart", func(_ *mio.Model, s *mio.Solution) { s.Limit, s.Bound = mio.LimitNodes, 0.05 }, "feasible", "solver", 0.05, "feasible", 0.05},
		"the search":       {"auto", func(_ *mio.Model, s *mio.Solution) { s.Limit, s.Bound = mio.LimitNodes, 0.05 }, "optimal", "search", optimum, "feasible", 0.05},
		"both":             {"auto", func(_ *mio.Model, s *mio.Solution) { s.Status, s.Bound = mio.Optimal, s.Objective }, "optimal", "solver", optimum, "optimal", optimum},
		"the data":         {"cart", func(_ *mio.Model, s *mio.Solution) { s.Limit = mio.LimitNodes }, "feasible", "data", 0, "feasible", math.NaN()},
	} {
		t.Run(name, func(t *testing.T) {
			lies.change = c.change
			var said news
			res, err := fit.Run(context.Background(), ds, fit.Options{Method: oct(2, 0.01, 1), Engine: problem.MIO, Solver: "liar", Start: c.start, Notify: said.add})
			if err != nil {
				t.Fatal(err)
			}
			checkVerdict(t, res)
			if res.Engine != "mio" || res.Status != c.status || res.Prover == nil || *res.Prover != c.prover || *res.Bound < c.least-1e-9 || *res.Bound > optimum+1e-9 {
				t.Errorf("%+v, bound %v", res, *res.Bound)
			}
			s := res.Solver
			if s.Status != c.own || (s.Bound == nil) != math.IsNaN(c.said) || s.Bound != nil && (*s.Bound < c.said-1e-9 || *s.Bound > optimum+1e-9) {
				t.Errorf("the solver: %+v", s)
			}
			proved := c.start == "auto"
			if (res.Search != nil) != proved || said.has("exact search has proved this start optimal") != proved || proved && !said.has("liar proves it again") {
				t.Errorf("search %+v; %q", res.Search, said.stages)
			}
		})
	}
}

// TestDataProve: a start that makes only the errors that no tree can avoid is proved
// by the data, whatever the engine, and no solver is asked; so is the single leaf
// where nothing can be split.
func TestDataProve(t *testing.T) {
	lies.change = func(*mio.Model, *mio.Solution) { t.Error("the solver was asked") }
	twice, err := dataset.New([]float64{0, 0, 1, 1, 1}, []int{0, 1, 1, 1, 1}, []string{"a"}, []string{"no", "yes"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		ds     *dataset.Dataset
		p      problem.Method
		splits int
		bound  float64
	}{
		{"equal rows", twice, oct(1, 0, 0), -1, 1},
		{"one class", xor(t).Subset([]int{1, 2, 4}), oct(2, 0, 0), 0, 0},
		{"oct-h, one class", xor(t).Subset([]int{1, 2, 4}), new(problem.OCTH), 0, 0},
		{"no feature varies", xor(t).Subset([]int{0}), oct(2, 0, 0), 0, 0},
	} {
		for _, e := range []problem.Engine{problem.MIO, problem.Heuristic} {
			o := fit.Options{Method: c.p, Engine: e}
			if e == problem.MIO {
				o.Solver = "liar"
			}
			res, err := fit.Run(context.Background(), c.ds, o)
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, e, err)
				continue
			}
			checkVerdict(t, res)
			if res.Engine != string(e) || res.Status != "optimal" || *res.Prover != "data" || *res.Bound != c.bound || res.Solver.Name != "none" || c.splits >= 0 && res.Tree.Splits() != c.splits {
				t.Errorf("%s, %s: %+v, prover %s", c.name, e, res, *res.Prover)
			}
		}
	}
}

// TestHeuristicEngine: without a solver, and where it is asked for, the best of the
// starts answers, and the words say that it is no proof.
func TestHeuristicEngine(t *testing.T) {
	lies.change = func(*mio.Model, *mio.Solution) { t.Error("the solver was asked") }
	quick := []problem.Method{&problem.LocalSearch{Restarted: problem.Restarted{Restarts: 2}}}
	for _, m := range []problem.Method{&problem.OCTH{Shape: shape(2, 0.01, 1)}, &problem.GTO{Structured: levels(2)}, oct(2, 0.01, 1)} {
		for e, start := range map[problem.Engine]string{problem.Auto: "auto", problem.Heuristic: "cart"} {
			name := m.Info().Name
			if name == "oct" && e == problem.Auto {
				continue // the search answers
			}
			if fit.UsualSolvers(t, "liar"); e == problem.Auto {
				fit.UsualSolvers(t, "absent")
			}
			var said news
			res, err := fit.Run(context.Background(), tangle(t), fit.Options{Method: m, Engine: e, Start: start, Starters: quick, Notify: said.add})
			if err != nil {
				t.Errorf("%s, %s: %v", name, e, err)
				continue
			}
			checkVerdict(t, res)
			s := res.Solver
			if res.Engine != "heuristic" || res.Status != "feasible" || res.Limit != "" || res.Tree.Splits() == 0 {
				t.Errorf("%s, %s: %+v", name, e, res)
			}
			if s.Name != "none" || s.Version != "" || s.Status != "feasible" || !strings.Contains(s.Raw, "heuristic only") || !strings.Contains(s.Raw, "proves it") || s.Bound != nil || s.Start == "" || s.StartObjective == nil {
				t.Errorf("%s, %s: %+v", name, e, s)
			}
			if start == "cart" && strings.TrimPrefix(s.Start, "pruned ") != "cart" {
				t.Errorf("%s, %s: started from %s", name, e, s.Start)
			}
			if said.has("the best heuristic answers") != (e == problem.Auto) {
				t.Errorf("%s, %s: %q", name, e, said.warnings)
			}
		}
	}
	res, err := fit.Run(context.Background(), xor(t).Subset([]int{0, 1, 4, 5}), fit.Options{Method: &problem.OCTH{Shape: shape(2, 0, 1)}, Engine: problem.Heuristic, Starters: quick})
	if err != nil || res.Status != "optimal" || *res.Prover != "data" || res.Engine != "heuristic" || strings.Contains(res.Solver.Raw, "heuristic only") {
		t.Errorf("no errors without a price: %v, %+v", err, res)
	}
}
