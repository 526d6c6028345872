package limits

import (
	"context"
	"fmt"
	"github.com/octgen/octgen/tree/constraint"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	fitted "github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/heuristics/alternating"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/heuristics/localsearch"
	"github.com/octgen/octgen/heuristics/oc1"
	"github.com/octgen/octgen/heuristics/vertex"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/tree"
)

// method makes a tree within the deadline of the context.
type method struct {
	name string
	grow func(ctx context.Context, ds *dataset.Dataset) (*tree.Tree, error)
}

// methods are the native ones; those that need linear programs are added where there
// is a solver.
var methods = []method{
	{"cart", func(ctx context.Context, ds *dataset.Dataset) (*tree.Tree, error) {
		res, err := cart.Grow(ctx, ds, cart.Options{})
		return of(res, err, func() *tree.Tree { return res.Tree })
	}},
	{"cart, folds", func(ctx context.Context, ds *dataset.Dataset) (*tree.Tree, error) {
		res, err := cart.Grow(ctx, ds, cart.Options{Folds: 10})
		return of(res, err, func() *tree.Tree { return res.Tree })
	}},
	{"c45", func(ctx context.Context, ds *dataset.Dataset) (*tree.Tree, error) {
		res, err := cart.C45(ctx, ds, cart.C45Options{})
		return of(res, err, func() *tree.Tree { return res.Tree })
	}},
	{"oc1", func(ctx context.Context, ds *dataset.Dataset) (*tree.Tree, error) {
		res, err := oc1.Grow(ctx, ds, oc1.Options{})
		return of(res, err, func() *tree.Tree { return res.Tree })
	}},
	{"rlp", func(ctx context.Context, ds *dataset.Dataset) (*tree.Tree, error) {
		res, err := vertex.RLP(ctx, ds, vertex.RLPOptions{})
		return of(res, err, func() *tree.Tree { return res.Tree })
	}},
	{"msmt", func(ctx context.Context, ds *dataset.Dataset) (*tree.Tree, error) {
		res, err := vertex.MSMT(ctx, ds, vertex.MSMTOptions{})
		return of(res, err, func() *tree.Tree { return res.Tree })
	}},
	{"frank-wolfe", func(ctx context.Context, ds *dataset.Dataset) (*tree.Tree, error) {
		res, err := vertex.FrankWolfe(ctx, ds, vertex.FrankWolfeOptions{})
		return of(res, err, func() *tree.Tree { return res.Tree })
	}},
	{"epts", func(ctx context.Context, ds *dataset.Dataset) (*tree.Tree, error) {
		res, err := vertex.EPTS(ctx, ds, vertex.EPTSOptions{FewestErrors: true})
		return of(res, err, func() *tree.Tree { return res.Tree })
	}},
	{"epts, from cart", func(ctx context.Context, ds *dataset.Dataset) (*tree.Tree, error) {
		leaf := tree.NewLeaf(ds, 0)
		for c := range ds.K() { // a chain with a leaf of each class
			at := len(leaf.Nodes) - 1
			leaf.Nodes[at].Class = c
			if c+1 < ds.K() {
				leaf.Grow(at, tree.Univariate(c%ds.P(), ds.At(c, c%ds.P())), c, c)
			}
		}
		res, err := vertex.EPTS(ctx, ds, vertex.EPTSOptions{GTOStart: vertex.GTOStart{Tree: leaf}})
		return of(res, err, func() *tree.Tree { return res.Tree })
	}},
	{"sbe", measured(new(fitted.SBE))},
	{"sbe, perturbed", measured(&fitted.SBE{Perturbation: fitted.Perturbation{Eps: 0.02}})},
	{"epts, depth 4, measured", measured(&fitted.EPTS{Vertices: fitted.Vertices{Structured: depth4}})},
	{"frank-wolfe, depth 4, measured", measured(&fitted.FrankWolfe{Vertices: fitted.Vertices{Structured: depth4}})},
	{"local search", func(ctx context.Context, ds *dataset.Dataset) (*tree.Tree, error) {
		res, err := localsearch.Search(ctx, ds, localsearch.Options{Depth: 4, MinLeaf: 1, Work: 1 << 60})
		return of(res, err, func() *tree.Tree { return res.Tree })
	}},
	{"local search, least leaf", func(ctx context.Context, ds *dataset.Dataset) (*tree.Tree, error) {
		res, err := localsearch.Search(ctx, ds, localsearch.Options{Depth: 4, MinLeaf: 20, Work: 1 << 60})
		return of(res, err, func() *tree.Tree { return res.Tree })
	}},
	{"local search, hyperplanes", func(ctx context.Context, ds *dataset.Dataset) (*tree.Tree, error) {
		res, err := localsearch.Search(ctx, ds, localsearch.Options{Depth: 3, MinLeaf: 1, Hyperplanes: true, Work: 1 << 60})
		return of(res, err, func() *tree.Tree { return res.Tree })
	}},
	{"alternating", func(ctx context.Context, ds *dataset.Dataset) (*tree.Tree, error) {
		res, err := alternating.Search(ctx, ds, alternating.Options{Depth: 3, MinLeaf: 1, Work: 1 << 60})
		return of(res, err, func() *tree.Tree { return res.Tree })
	}},
	{"policy", func(ctx context.Context, ds *dataset.Dataset) (*tree.Tree, error) {
		return measured(&fitted.Policy{Shape: fitted.Shape{Levels: fitted.Levels{Depth: 4}}})(ctx, rewarded(ds))
	}},
	{"search/exact", func(ctx context.Context, ds *dataset.Dataset) (*tree.Tree, error) {
		res, err := exact.Solve(ctx, ds, exact.Options{Depth: 4, MinLeaf: 1})
		return of(res, err, func() *tree.Tree { return res.Tree })
	}},
	{"treesearch, depth 2", func(ctx context.Context, ds *dataset.Dataset) (*tree.Tree, error) {
		res, err := exact.Solve(ctx, ds, exact.Options{Depth: 2, MinLeaf: 20})
		return of(res, err, func() *tree.Tree { return res.Tree })
	}},
	{"constrained, rates", func(ctx context.Context, ds *dataset.Dataset) (*tree.Tree, error) {
		return constrained(ctx, ds, fitted.OCT{Rates: ratesOf(ds)})
	}},
	{"constrained, rates and few columns", func(ctx context.Context, ds *dataset.Dataset) (*tree.Tree, error) {
		return constrained(ctx, ds, fitted.OCT{Rates: ratesOf(ds), Structural: constraint.Structural{LeafPurity: 0.05, MaxFeatures: 2}})
	}},
}

// ratesOf are constraints that a constant tree holds, and not the best one of most data.
func ratesOf(ds *dataset.Dataset) constraint.Rates {
	first, last := ds.Classes[0], ds.Classes[ds.K()-1]
	return constraint.Rates{Recall: []string{fmt.Sprintf("%q>=0.7", first)}, Share: []string{fmt.Sprintf("%q<=0.2", last)}}
}

// constrained searches trees of depth 3 under constraints.
func constrained(ctx context.Context, ds *dataset.Dataset, m fitted.OCT) (*tree.Tree, error) {
	m.Depth, m.MinLeaf = 3, 1
	p, err := m.On(context.Background(), fitted.NewData(ds), 0)
	if err != nil {
		return nil, err
	}
	f, err := p.Search(ctx, fitted.SearchOptions{Workers: 1})
	return of(f, err, func() *tree.Tree { return f.Tree })
}

// rewarded is ds with a reward of 1 for answering its class.
func rewarded(ds *dataset.Dataset) *dataset.Dataset {
	reward := make([]float64, ds.N()*ds.K())
	for i, y := range ds.Y {
		reward[i*ds.K()+y] = 1
	}
	d, err := dataset.NewRewards(ds.X, reward, ds.Features, ds.Classes)
	if err != nil {
		panic(err)
	}
	return d
}

var depth4 = fitted.Structured{Levels: fitted.Levels{Depth: 4}}

// measured is an algorithm as a fit runs it, with the objective of its tree.
func measured(m fitted.Method) func(context.Context, *dataset.Dataset) (*tree.Tree, error) {
	return func(ctx context.Context, ds *dataset.Dataset) (*tree.Tree, error) {
		p, err := m.On(context.Background(), fitted.NewData(ds), 0)
		if err != nil {
			return nil, err
		}
		g, err := p.Grow(ctx, fitted.Task{})
		if err != nil {
			return nil, err
		}
		if g.Claims != nil && !verify.Near(*g.Claims, g.Objective(g.Tree)) {
			return nil, fmt.Errorf("%s claims %v", g.Name, *g.Claims)
		}
		return g.Tree, nil
	}
}

// of is the tree of a result, if there is one.
func of[R any](res *R, err error, t func() *tree.Tree) (*tree.Tree, error) {
	if err != nil || res == nil {
		return nil, err
	}
	return t(), nil
}

// large are the data of the study; missing values of adult are a category.
func large(t *testing.T, name string) *dataset.Dataset {
	ds, err := dataset.Load(filepath.Join(datatest.Dir(t), name+".csv"), dataset.LoadOptions{Missing: dataset.MissingCategory})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// TestStudyOverruns prints by how much every method overruns a limit: seconds of the
// clock, and of the processor, which say more where others use it.
func TestStudyOverruns(t *testing.T) {
	datatest.Long(t)
	table := "| data | rows x features | method | limit 0.1 s | 1 s | 3 s |\n|---|---|---|---:|---:|---:|\n"
	worst := 0.0
	for _, name := range []string{"contree-bean", "contree-avila", "skin", "adult"} {
		ds := large(t, name)
		for _, m := range methods {
			table += fmt.Sprintf("| %s | %d x %d | %s |", name, ds.N(), ds.P(), m.name)
			for _, limit := range []time.Duration{100 * time.Millisecond, time.Second, 3 * time.Second} {
				over, processor := run(t, m, name, ds, limit)
				table += fmt.Sprintf(" %.2f (%.2f) |", over, processor)
				worst = max(worst, processor)
			}
			table += "\n"
		}
	}
	t.Logf("\n%s\nat most %.2f s of the processor", table, worst)
}

// run has a method make a tree within the limit, and returns the seconds beyond it.
func run(t *testing.T, m method, name string, ds *dataset.Dataset, limit time.Duration) (over, processor float64) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	used := make(chan float64, 1)
	go func() {
		<-ctx.Done()
		used <- processorSeconds()
	}()
	begin := time.Now()
	grown, err := m.grow(ctx, ds)
	over, processor = (time.Since(begin) - limit).Seconds(), processorSeconds()
	cancel()
	if err != nil || grown == nil || grown.Validate() != nil {
		t.Errorf("%s, %s, %v: tree %v, %v", m.name, name, limit, grown != nil, err)
	}
	return max(0, over), max(0, processor-<-used)
}

// TestKeepLimits: with a tenth of a second for 40,000 rows of 100 features, every
// method has a tree within seconds.
func TestKeepLimits(t *testing.T) {
	const generous = 5
	rng := rand.New(rand.NewPCG(1, 2))
	n, p := 40_000, 100
	x, y := make([]float64, n*p), make([]int, n)
	for i := range y {
		y[i] = rng.IntN(3)
		for j := range p {
			x[i*p+j] = rng.NormFloat64() + float64(y[i])/4
		}
	}
	features := make([]string, p)
	for j := range features {
		features[j] = fmt.Sprint("x", j)
	}
	ds, err := dataset.New(x, y, features, []string{"a", "b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range methods {
		if over, _ := run(t, m, "random rows", ds, 100*time.Millisecond); over > generous {
			t.Errorf("%s: %.1f s beyond the limit", m.name, over)
		}
	}
}
