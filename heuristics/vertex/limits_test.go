package vertex

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/gto"
	"github.com/octgen/octgen/formulate/linear"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// within returns a context with a time limit; expired returns one whose time is over.
func within(t testing.TB, parent context.Context, limit time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(parent, limit)
	t.Cleanup(cancel)
	return ctx
}

func expired(t testing.TB) context.Context { return within(t, context.Background(), time.Nanosecond) }

// stopped is the end of a method's run.
type stopped struct {
	tree      *tree.Tree
	objective float64 // NaN if it is the tree's own error
	ended     bool
}

// limited are the methods on data of two classes; f gives their errors by formulate.
var limited = map[string]struct {
	run   func(ctx context.Context, ds *dataset.Dataset) (stopped, error)
	error func(ds *dataset.Dataset, t *tree.Tree) float64
}{
	"rlp": {func(ctx context.Context, ds *dataset.Dataset) (stopped, error) {
		res, err := RLP(ctx, ds, RLPOptions{})
		if err != nil {
			return stopped{}, err
		}
		return stopped{res.Tree, res.Objective, res.Stats.Stopped}, nil
	}, func(ds *dataset.Dataset, t *tree.Tree) float64 {
		f, err := linear.RLPOptions{}.Build(context.Background(), ds)
		if err != nil {
			panic(err)
		}
		return f.Objective(t)
	}},
	"msmt": {func(ctx context.Context, ds *dataset.Dataset) (stopped, error) {
		res, err := MSMT(ctx, ds, MSMTOptions{})
		if err != nil {
			return stopped{}, err
		}
		return stopped{res.Tree, math.NaN(), res.Stats.Stopped}, nil
	}, nil},
	"frank-wolfe": {func(ctx context.Context, ds *dataset.Dataset) (stopped, error) {
		res, err := FrankWolfe(ctx, ds, FrankWolfeOptions{Iterations: 20})
		if err != nil {
			return stopped{}, err
		}
		return stopped{res.Tree, res.Objective, res.Stats.Stopped}, nil
	}, gtoObjective(gto.ProductError)},
	"epts": {func(ctx context.Context, ds *dataset.Dataset) (stopped, error) {
		res, err := EPTS(ctx, ds, EPTSOptions{Objective: gto.MinimumError, Tabu: TabuOptions{Iterations: 20}})
		if err != nil {
			return stopped{}, err
		}
		return stopped{res.Tree, res.Objective, res.Stats.Stopped}, nil
	}, gtoObjective(gto.MinimumError)},
	"fm": {func(ctx context.Context, ds *dataset.Dataset) (stopped, error) {
		none := func(ctx context.Context, m *mio.Model) (*mio.Solution, error) {
			return &mio.Solution{Limit: mio.LimitTime}, nil
		}
		res, err := FeatureMin(ctx, ds, FeatureMinOptions{LP: none})
		if err != nil {
			return stopped{}, err
		}
		// A program that ends without a solution ends the run.
		return stopped{res.Tree, res.Error, res.Stats.LPs == 0}, nil
	}, nil},
}

func gtoObjective(objective gto.Objective) func(ds *dataset.Dataset, t *tree.Tree) float64 {
	return func(ds *dataset.Dataset, t *tree.Tree) float64 {
		f, err := gto.Options{Structure: gto.StructureOf(t), Objective: objective}.Build(context.Background(), ds)
		if err != nil {
			panic(err)
		}
		return f.Objective(t)
	}
}

// TestAlwaysATree: whenever the context ends, there is a tree with the reported error, between the
// single leaf and the result without a limit.
func TestAlwaysATree(t *testing.T) {
	ds := gtoNormal(t, 12_000, 4) // enough rows for a check within a descent
	step := 2
	if datatest.All() {
		step = 4
	}
	for name, m := range limited {
		seen := map[string]bool{}
		for looks := 0; ; looks += 1 + looks/step {
			res, err := m.run(datatest.NewLooks(looks), ds)
			if err != nil || res.tree == nil || res.tree.Validate() != nil {
				t.Fatalf("%s, look %d: %v, %v", name, looks, res.tree, err)
			}
			if m.error != nil {
				if want := m.error(ds, res.tree); math.Abs(want-res.objective) > 1e-6*(1+want) {
					t.Fatalf("%s, look %d: error %v, the tree has %v", name, looks, res.objective, want)
				}
			}
			if e := res.tree.Evaluate(ds).ErrorWeight; looks == 0 && e > ds.Baseline() {
				t.Errorf("%s, without any time: %v errors, the single leaf has %v", name, e, ds.Baseline())
			}
			seen[fmt.Sprint(res.tree.Evaluate(ds).ErrorWeight)] = true
			if !res.ended {
				break
			}
			if looks > 100_000 {
				t.Fatalf("%s has not come to its end", name)
			}
		}
		if len(seen) < 2 {
			t.Errorf("%s: only one tree", name)
		}
	}
}

// TestLargeStructures: structures whose search would exceed the memory limits give no start; those
// that fit are searched.
func TestLargeStructures(t *testing.T) {
	ds, err := dataset.New([]float64{0, 1, 1, 2, 2, 0}, []int{0, 1, 0}, []string{"a", "b"}, []string{"x", "y"})
	if err != nil {
		t.Fatal(err)
	}
	want := "vertex: the structure has 65535 decisions, for 3 rows of 2 features; the maximum is 16777216 pairs of a decision and a leaf (a full tree of depth 12) and 1073741824 numbers: use a smaller depth"
	for name, run := range map[string]func(depth int) error{
		"frank-wolfe": func(depth int) error {
			_, err := FrankWolfe(context.Background(), ds, FrankWolfeOptions{GTOStart: GTOStart{Depth: depth}, Iterations: 1})
			return err
		},
		"epts": func(depth int) error {
			_, err := EPTS(context.Background(), ds, EPTSOptions{GTOStart: GTOStart{Depth: depth}, Tabu: TabuOptions{Iterations: 1}})
			return err
		},
	} {
		if err := run(16); !errors.Is(err, formulate.ErrNoStart) || err.Error() != name+": "+want {
			t.Errorf("%s: %v", name, err)
		}
		if err := run(6); err != nil {
			t.Errorf("%s: depth 6: %v", name, err)
		}
	}
}

// cancelling is a vertexSpace that cancels a context at an evaluation and counts the evaluations
// after it.
type cancelling struct {
	*gtoVertex
	cancel           context.CancelFunc
	at, evals, after int
}

func (c *cancelling) value(e int, enough float64) float64 {
	if c.evals++; c.evals == c.at {
		c.cancel()
	}
	if c.evals >= c.at {
		c.after++
	}
	return c.gtoVertex.value(e, enough)
}

// TestTabuSearchStopsByWork: between the cancellation and the end there are evaluations of at most
// pulse.Cells numbers, wherever in an iteration the cancellation occurs.
func TestTabuSearchStopsByWork(t *testing.T) {
	p, err := GTOStart{Depth: 3}.prepare(context.Background(), gtoNormal(t, 20_000, 4))
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{1, 10, 40} {
		ctx, cancel := context.WithCancel(context.Background())
		v := newGTOVertex(pulse.New(ctx), p.m, newGTOError(p.m, p.layout, gto.CountError), p.planes, 1)
		space := &cancelling{gtoVertex: v, cancel: cancel, at: at}
		stats := runTabuSearch(pulse.New(ctx), space, v.isBasic, TabuOptions{})
		if most := pulse.Cells/v.cells() + 1; !stats.Stopped || stats.LocalOptimum || space.after > most || space.evals < at {
			t.Errorf("cancelled at evaluation %d: %d more, at most %d wanted; %+v", at, space.after, most, stats)
		}
		cancel()
	}
}

// TestDescentStopsByWork: a step over this many rows checks the context.
func TestDescentStopsByWork(t *testing.T) {
	m, err := newMarginRows(gtoNormal(t, pulse.Cells/5, 4))
	if err != nil {
		t.Fatal(err)
	}
	ctx := datatest.NewLooks(4)
	if _, end := planeOf(pulse.New(ctx), m, RLPOptions{}); !end.stopped || end.steps > 6 {
		t.Errorf("%d steps, stopped %v; at most 6 wanted", end.steps, end.stopped)
	}
	full, err := EPTS(datatest.NewLooks(0), gtoNormal(t, 2000, 4), EPTSOptions{GTOStart: GTOStart{Depth: 3}})
	if err != nil || !full.Stats.Stopped || full.Stats.Evaluations != 0 || full.Tree == nil {
		t.Errorf("a start that is stopped: %v, %+v", err, full)
	}
}

// TestStartStopsByWork: laying out the decisions of a structure checks the context at every
// decision, although they share their features; until all are laid out there is no point.
func TestStartStopsByWork(t *testing.T) {
	ds := gtoNormal(t, 20_000, 4)
	p, err := GTOStart{Depth: 3}.prepare(context.Background(), ds)
	if err != nil {
		t.Fatal(err)
	}
	if v := newGTOVertex(pulse.New(datatest.NewLooks(2)), p.m, newGTOError(p.m, p.layout, gto.ProductError), p.planes, 1); v != nil {
		t.Error("epts has laid out all decisions without a look")
	}
	if s := newFrankWolfe(pulse.New(datatest.NewLooks(2)), p, FrankWolfeOptions{}); s != nil {
		t.Error("frank-wolfe has laid out all decisions without a look")
	}
	twin := gtoNormal(t, 20_000, 4) // the last feature depends on the one before
	for i := range twin.N() {
		twin.X[4*i+3] = 2 * twin.X[4*i+2]
	}
	m, err := newMarginRows(twin)
	if err != nil {
		t.Fatal(err)
	}
	sides := make([]uint8, m.n)
	for i := range sides {
		sides[i] = 3
	}
	looks := datatest.NewLooks(1 << 30)
	a := newArrangement(pulse.New(looks), m.x, m.n, m.p, sides, 1, nil)
	last, kept := marginPlane{w: []float64{0, 0, 0, 1}}, []bool{true, true, true, false}
	if a.missing(m, last, kept) == nil {
		t.Fatal("no weights in place of those of a feature that depends on others")
	}
	looks.Left = 0
	for range 10 {
		if a.missing(m, last, kept) == nil {
			return
		}
	}
	t.Error("least squares do not look")
}

// TestPurificationStops: a stopped purification still gives a point with its error.
func TestPurificationStops(t *testing.T) {
	ds := gtoNormal(t, 20_000, 4)
	p, err := GTOStart{Depth: 2}.prepare(context.Background(), ds)
	if err != nil {
		t.Fatal(err)
	}
	ctx := datatest.NewLooks(3)
	v := newGTOVertex(pulse.New(ctx), p.m, newGTOError(p.m, p.layout, gto.ProductError), p.planes, 1)
	if ctx.Left >= 0 {
		t.Fatal("purification did not look")
	}
	v.keep()
	before := v.objective()
	v.recall(&v.best)
	if after := v.objective(); after > before*(1+1e-4)+1e-4 || after < before*(1-1e-4)-1e-4 {
		t.Errorf("error %v, recalled %v", before, after)
	}
}

// gtoNormal draws two classes that overlap.
func gtoNormal(t testing.TB, n, p int) *dataset.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 5))
	x, y := make([]float64, 0, n*p), make([]int, n)
	for i := range y {
		y[i] = i % 2
		for range p {
			x = append(x, rng.NormFloat64()+0.5*float64(y[i]))
		}
	}
	ds, err := dataset.New(x, y, []string{"a", "b", "c", "d"}[:p], []string{"u", "v"})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}
