//go:build cgo && !nohighs

package fit_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	univariate "github.com/octgen/octgen/formulate/oct"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/highs"
	"github.com/octgen/octgen/solvers/solfile"
	"github.com/octgen/octgen/tree"
)

const flowers = `a,b,"the, class"
1,4,"no (a)"
2,3,"no (a)"
3,2,"no (a)"
4,1,"no (a)"
1.5,2.5,"no (a)"
2,4.5,yes
3,3.5,yes
4,2.5,yes
5,1.5,yes
5,4,yes
2.5,3,"no (a)"
4,4,yes
3,3.5,yes
`

func flowersData(t testing.TB) *dataset.Dataset {
	t.Helper()
	ds, err := dataset.Read(strings.NewReader(flowers), "flowers.csv", dataset.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

func linearPrograms() mio.SolveFunc {
	return solvers.Func(highs.New(), solvers.Options{})
}

// specs are models of all forms.
func specs() map[string]problem.Spec {
	return map[string]problem.Spec{
		"oct":           {Form: "oct", Depth: 2, Alpha: 0.1, MinLeaf: 2, MaxSplits: 2},
		"oct without":   {Form: "oct", Depth: 2, Tightenings: univariate.Tightenings{NoBlocks: true, NoThinLast: true}},
		"oct bigm":      {Form: "oct", Depth: 1, Encoding: "bigm", Scale: "minmax", OmitNames: true},
		"oct flow":      {Form: "oct", Depth: 2, Encoding: "flow", MinLeaf: 2},
		"oct binoct":    {Form: "oct", Depth: 2, Encoding: "binoct", MaxSplits: 2},
		"oct indicator": {Form: "oct", Depth: 1, Encoding: "indicator"},
		"oct published": {Form: "oct", Depth: 1, Encoding: "bigm-published"},
		"oct-h":         {Form: "oct-h", Depth: 1, Alpha: 0.01, MinLeaf: 1, MaxSplits: 2, Mu: 0.01},
		"rlp":           {Form: "rlp"},
		"rlp-p":         {Form: "rlp-p", Eps: 0.1},
		"fm":            {Form: "fm", Delta: 0.5, BoundsByLP: true},
		"fm no lp":      {Form: "fm", Delta: 0.5, Nu: 1, Encoding: "indicator", Perturbed: true},
		"lfm":           {Form: "lfm", Nu: 1, BoundsByLP: true},
		"lfm bilinear":  {Form: "lfm", Nu: 1, Encoding: "bilinear", Lambda: 3, Box: 50},
		"gto":           {Form: "gto", Structure: `("no (a)",("no (a)",yes))`},
		"gto count":     {Form: "gto", Structure: `("no (a)",yes)`, Objective: "count", Box: 100},
		"gto product":   {Form: "gto", Structure: `("no (a)",("no (a)",yes))`, Objective: "product", Norm: 1},
	}
}

// build builds the model of a spec; linear programs have a part in it where the
// spec says so.
func build(t testing.TB, ds *dataset.Dataset, spec problem.Spec) (*problem.Problem, *problem.Model) {
	t.Helper()
	of, err := spec.Method(ds.Classes)
	if err != nil {
		t.Fatalf("%+v: %v", spec, err)
	}
	p, err := of.On(context.Background(), problem.NewData(ds), 0)
	if err != nil {
		t.Fatalf("%+v: %v", spec, err)
	}
	o := problem.BuildOptions{OmitNames: spec.OmitNames}
	if spec.BoundsByLP {
		o.LP = linearPrograms()
	}
	m, err := p.Build(context.Background(), o)
	if err != nil {
		t.Fatalf("%+v: %v", spec, err)
	}
	return p, m
}

// TestSpecRoundTrip: a model is built again from its spec, by way of the sidecar's
// JSON.
func TestSpecRoundTrip(t *testing.T) {
	ctx, ds := context.Background(), flowersData(t)
	seen := map[string]string{}
	for name, spec := range specs() {
		_, m := build(t, ds, spec)
		s := sidecar(t, ds, m)
		var b bytes.Buffer
		if err := s.Write(&b); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		again, err := fit.ReadSidecar(&b)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d := cmp.Diff(s, again); d != "" {
			t.Errorf("%s: %s\n%s", name, d, text)
		}
		if _, err := again.Build(ctx, ds, linearPrograms()); err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
		if other := seen[s.Fingerprint.Structure]; other != "" {
			t.Errorf("%s and %s have the same structure", name, other)
		}
		seen[s.Fingerprint.Structure] = name
	}
}

func sidecar(t testing.TB, ds *dataset.Dataset, m *problem.Model) *fit.Sidecar {
	t.Helper()
	mp, err := mps.NewMap(m.Model(), mps.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &fit.Sidecar{
		SchemaVersion: fit.SidecarVersion, Octgen: "test", Model: m.Spec,
		Data: fit.DataOf(ds, dataset.LoadOptions{Delimiter: ';', Missing: dataset.MissingMean}), File: fit.SidecarFile{Name: "m.mps", Format: "free"},
		Fingerprint: fit.FingerprintOf(m.Model()), Map: *mp,
	}
}

// TestDecodeFile: for every form that HiGHS takes, the solution of the library,
// written as each solver's file, is decoded to the tree that fit finds.
func TestDecodeFile(t *testing.T) {
	ctx, ds := context.Background(), flowersData(t)
	for name, spec := range specs() {
		_, p := build(t, ds, spec)
		m := p.Model()
		if !m.IsLinear() || spec.Encoding == "bigm-published" {
			continue
		}
		sol, err := highs.New().Solve(ctx, m, solvers.Options{})
		if err != nil || sol.Status != mio.Optimal {
			t.Fatalf("%s: %v, %v", name, sol, err)
		}
		s := sidecar(t, ds, p)
		for _, format := range solfile.Formats() {
			if !format.Starts() {
				continue
			}
			path := filepath.Join(t.TempDir(), "x"+format.StartExt())
			if err := solfile.WriteStartFile(path, format, m, &s.Map, sol.Values, solfile.StartOptions{}); err != nil {
				t.Fatal(err)
			}
			res, err := s.Decode(ctx, ds, path, fit.DecodeOptions{LP: linearPrograms()})
			if err != nil {
				t.Errorf("%s, %s: %v", name, format, err)
				continue
			}
			if got := *res.Train.Objective; math.Abs(got-p.InUnits(sol.Objective)) > 1e-6 || !res.Check.OK() || res.Method != s.Model.Form {
				t.Errorf("%s, %s: objective %v, want %v; %+v", name, format, got, p.InUnits(sol.Objective), res.Check)
			}
		}
	}
}

// TestStartPoint: auto finds a feasible start for every form of a linear split
// and of a tree; for a linear program there is none to offer, and for FM with a
// nu only where the split of least error has so few features.
func TestStartPoint(t *testing.T) {
	ctx, ds := context.Background(), flowersData(t)
	for name, spec := range specs() {
		spec.BoundsByLP = strings.HasSuffix(spec.Form, "fm") // the start comes with building
		p, m := build(t, ds, spec)
		start, err := fit.StartPoint(ctx, p, m, fit.StartOptions{Name: "auto"})
		if strings.HasPrefix(name, "rlp") || spec.Form == "fm" && spec.Nu > 0 {
			if !errors.Is(err, formulate.ErrNoStart) || !errors.Is(err, fit.ErrInput) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		x, from, objective := start.Values, start.Name, start.Objective
		m = start.Model
		want := "cart"
		switch {
		case spec.Form == "lfm":
			want = "fm-rlp"
		case spec.Form == "fm":
			want = "rlp"
		case spec.Form == "oct" && from == "local-search", spec.Form == "oct-h" && slices.Contains(problem.Starters(), from):
			want = from // where it is better than CART
		case spec.Form == "gto" && (from == "msmt" || from == "frank-wolfe"):
			want = from
		}
		if rep := mio.Check(m.Model(), x, 1e-6); !rep.Feasible || math.Abs(rep.Objective-objective) > 1e-9 || !strings.HasSuffix(from, want) {
			t.Errorf("%s: start from %s: objective %v, %v; %v", name, from, objective, rep.Objective, rep.Err())
		}
	}
}

// write writes a solution in the form of SCIP.
func write(t testing.TB, s *fit.Sidecar, m *mio.Model, status string, objective float64, x []float64) string {
	t.Helper()
	var b bytes.Buffer
	if err := solfile.WriteStart(&b, solfile.SCIP, m, &s.Map, x, solfile.StartOptions{}); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitN(b.String(), "\n", 3)
	lines[0] = "solution status: " + status
	lines[1] = "objective value: " + formatFloat(objective)
	path := filepath.Join(t.TempDir(), "x.sol")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func formatFloat(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// TestDecodeClaims: what a file claims beyond its values is found out.
func TestDecodeClaims(t *testing.T) {
	ctx, ds := context.Background(), flowersData(t)
	p, f := build(t, ds, problem.Spec{Form: "oct", Depth: 2})
	m, s := f.Model(), sidecar(t, ds, f)
	start, err := fit.StartPoint(ctx, p, f, fit.StartOptions{Name: "cart"})
	if err != nil {
		t.Fatal(err)
	}
	x, objective := start.Values, start.Objective
	best, err := highs.New().Solve(ctx, m, solvers.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, status string
		stated       float64
		want         string // status of the result
		fails        error
		prover, note string
	}{
		{"as it is", "time limit reached", objective, "feasible", nil, "data", ""},
		{"optimal", "optimal solution found", objective, "optimal", nil, "search", "the file's claim, confirmed by the exact search"},
		{"a better objective than the values have", "optimal solution found", objective - 0.05, "unknown", fit.ErrCheck, "", "optimal is the file's claim"},
		{"a worse objective than the values have", "time limit reached", objective + 0.05, "unknown", fit.ErrCheck, "", ""},
	} {
		res, err := s.Decode(ctx, ds, write(t, s, m, c.status, c.stated, x), fit.DecodeOptions{})
		if !errors.Is(err, c.fails) || res == nil || res.Status != c.want || res.Solver.Status != "feasible" || !strings.Contains(res.Solver.Note, c.note) {
			t.Errorf("%s: %v, %+v", c.name, err, res)
			continue
		}
		if prover := ""; c.fails == nil {
			if res.Prover != nil {
				prover = *res.Prover
			}
			if prover != c.prover || (res.Search != nil) != (prover == "search") || res.Solver.Bound != nil {
				t.Errorf("%s: prover %q, search %+v, solver %+v", c.name, prover, res.Search, res.Solver)
			}
		}
	}

	// A point worse than the tree that it decodes to, called optimal: its
	// last-level splits count rows wrong that they have right.
	worse := worsen(m, best.Values)
	if worse == nil {
		t.Fatal("no point that counts a row less")
	}
	res, err := s.Decode(ctx, ds, write(t, s, m, "optimal solution found", m.Objective(worse), worse), fit.DecodeOptions{})
	if err != nil || res.Solver.Status != "feasible" || res.Solver.Limit != "" || res.Solver.Note == "" || *res.Train.Objective >= *res.Solver.Objective {
		t.Errorf("%v, %+v", err, res)
	}
}

// TestDecodeOptimum: an optimum that a file claims is proved by the search or the data,
// refuted by the search, or stays a claim where there is no search.
func TestDecodeOptimum(t *testing.T) {
	ctx, ds := context.Background(), flowersData(t)
	for _, c := range []struct {
		name           string
		spec           problem.Spec
		leaf           bool // is claimed, not the optimum
		status, prover string
		note           string
	}{
		{"search", problem.Spec{Form: "oct", Depth: 1, Alpha: 0.1}, false, "optimal", "search", "the file's claim, confirmed by the exact search"},
		{"refuted", problem.Spec{Form: "oct", Encoding: "bigm", Depth: 1, Alpha: 0.1}, true, "feasible", "search", "its claim that 1 is optimal is refuted by the exact search"},
		{"data", problem.Spec{Form: "oct-h", Depth: 2}, false, "optimal", "data", ""},
		{"nobody", problem.Spec{Form: "oct-h", Depth: 1, Alpha: 0.1}, false, "feasible", "data", "optimal is the file's claim; it proves no bound"},
		{"linear", problem.Spec{Form: "rlp"}, false, "optimal", "search", "the file's claim, confirmed by the exact search"},
		{"linear, nobody", problem.Spec{Form: "rlp-p"}, false, "feasible", "", "optimal is the file's claim; it proves no bound"},
	} {
		p, m := build(t, ds, c.spec)
		s := sidecar(t, ds, m)
		best, err := highs.New().Solve(ctx, m.Model(), solvers.Options{})
		if err != nil || best.Status != mio.Optimal {
			t.Fatal(err, best)
		}
		x := best.Values
		if c.leaf {
			leaf := tree.NewLeaf(ds, 1)
			start, err := fit.StartPoint(ctx, p, m, fit.StartOptions{Name: "leaf", Tree: leaf})
			if err != nil {
				t.Fatal(err)
			}
			x = start.Values
		}
		res, err := s.Decode(ctx, ds, write(t, s, m.Model(), "optimal solution found", m.Model().Objective(x), x), fit.DecodeOptions{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		prover := ""
		if res.Prover != nil {
			prover = *res.Prover
		}
		if res.Status != c.status || prover != c.prover || !strings.Contains(res.Solver.Note, c.note) {
			t.Errorf("%s: %s by %q, note %q", c.name, res.Status, prover, res.Solver.Note)
		}
		if s := res.Solver; s.Status != "feasible" || s.Bound != nil {
			t.Errorf("%s: the file is credited with a proof: %+v", c.name, s)
		}
	}
}

// worsen returns a feasible point like x of a worse objective by more than a
// tolerance: a continuous column that pays is set to 0.
func worsen(m *mio.Model, x []float64) []float64 {
	for j, v := range x {
		if m.ColTypes()[j] != mio.Continuous || v < 0.5 || m.Costs()[j] >= -1e-3 {
			continue
		}
		y := append([]float64(nil), x...)
		y[j] = 0
		if mio.Check(m, y, 1e-9).Feasible {
			return y
		}
	}
	return nil
}

// TestSidecarRefuses: changed data and changed models, with the reason.
func TestSidecarRefuses(t *testing.T) {
	ctx, ds := context.Background(), flowersData(t)
	_, m := build(t, ds, problem.Spec{Form: "oct", Depth: 1})
	for name, c := range map[string]struct {
		change func(s *fit.Sidecar)
		want   string
	}{
		"sha":       {func(s *fit.Sidecar) { s.Data.SHA256 = "abc" }, "the data are not those of the model: flowers.csv has the sha256 "},
		"rows":      {func(s *fit.Sidecar) { s.Data.Rows++ }, "the data are read differently: 13 rows, 2 features and 2 classes, expected 14, 2 and 2"},
		"depth":     {func(s *fit.Sidecar) { s.Model.Depth = 2 }, "the model that is built now is not the one that octgen test wrote: it had "},
		"alpha":     {func(s *fit.Sidecar) { s.Model.Alpha = 0.5 }, "its costs sum up to "},
		"encoding":  {func(s *fit.Sidecar) { s.Model.Encoding = "binary" }, `binary`},
		"form":      {func(s *fit.Sidecar) { s.Model.Form = "svm" }, `no formulation "svm"`},
		"structure": {func(s *fit.Sidecar) { s.Model.Form, s.Model.Structure = "gto", "(x" }, "structure"},
		"lp":        {func(s *fit.Sidecar) { s.Model.Form, s.Model.BoundsByLP = "fm", true }, "there is no solver for them here"},
		"map":       {func(s *fit.Sidecar) { s.Map.Cols++ }, "the sidecar's map is of "},
		"names":     {func(s *fit.Sidecar) { s.Model.OmitNames = true }, "its names, types or nonzeros stand elsewhere"},
	} {
		s := sidecar(t, ds, m)
		c.change(s)
		if _, err := s.Build(ctx, ds, nil); !errors.Is(err, fit.ErrInput) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	for _, text := range []string{"", "{", "[]", `{"schema_version": 4}`, `{"schema_version": "1"}`} {
		if _, err := fit.ReadSidecar(strings.NewReader(text)); !errors.Is(err, fit.ErrInput) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestOldSidecar: what a sidecar of schema_version 1 reads has the missing texts that
// there were then; later ones name theirs.
func TestOldSidecar(t *testing.T) {
	s, err := fit.ReadSidecar(strings.NewReader(`{"schema_version": 1, "data": {"missing": "mean"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(dataset.LoadOptions{Missing: dataset.MissingMean, NAValues: []string{"?"}}, s.Data.Load()); diff != "" {
		t.Error(diff)
	}
	ds := flowersData(t)
	if diff := cmp.Diff(ds.Encoder.NAValues, fit.DataOf(ds, dataset.LoadOptions{}).NAValues); diff != "" {
		t.Error(diff)
	}
}

func TestSidecarPath(t *testing.T) {
	for in, want := range map[string]string{
		"m.mps": "m.octgen.json", "m.mps.gz": "m.octgen.json", "a.b/m.lp.gz": "a.b/m.octgen.json", "m": "m.octgen.json", "a.b.mps": "a.b.octgen.json",
	} {
		if got := fit.SidecarPath(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
