package vertex

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/gto"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/tree"
)

// drawStructure draws a structure within the given depth that has a leaf of every class.
func drawStructure(t *rapid.T, depth, k int) *gto.Structure {
	var grow func(depth int) *gto.Structure
	grow = func(d int) *gto.Structure {
		if d == 0 || d < depth && rapid.IntRange(0, 3).Draw(t, "leaf") == 0 {
			return &gto.Structure{Class: rapid.IntRange(0, k-1).Draw(t, "class")}
		}
		return &gto.Structure{Left: grow(d - 1), Right: grow(d - 1)}
	}
	s := grow(depth)
	next := 0 // the first k leaves from the left get the classes in turn
	var label func(s *gto.Structure)
	label = func(s *gto.Structure) {
		if !s.Leaf() {
			label(s.Left)
			label(s.Right)
			return
		}
		if next < k {
			s.Class = next
		}
		next++
	}
	label(s)
	if next < k {
		return gto.FullStructure(depth, []int{0, 1, 2, 3}[:k]...)
	}
	return s
}

func randomPlanes(rng *rand.Rand, decisions, p int) []marginPlane {
	planes := make([]marginPlane, decisions)
	for d := range planes {
		planes[d] = marginPlane{make([]float64, p), rng.NormFloat64()}
		for j := range planes[d].w {
			planes[d].w[j] = 2 * rng.NormFloat64()
		}
	}
	return planes
}

// TestGTOErrorAgreesWithFormulate: value and along equal the objective of gto.Formulation on the
// tree of the same planes, for every objective, structures of all shapes, two to four classes,
// weights, repeated and contradictory points.
func TestGTOErrorAgreesWithFormulate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds := datatest.Random(t, 12, 3, 4)
		m, err := newMarginRows(ds)
		if errors.Is(err, formulate.ErrSingleLeaf) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		s := drawStructure(t, 3, ds.K())
		objective := rapid.SampledFrom(gto.Objectives()).Draw(t, "objective")
		f, err := gto.Options{Structure: s, Objective: objective, Box: 100}.Build(context.Background(), ds)
		if err != nil {
			t.Fatal(err)
		}
		l := newGTOLayout(s, ds.K())
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		planes := randomPlanes(rng, l.decisions, m.p)
		e := newGTOError(m, l, objective)
		acts := make([][]float64, l.decisions)
		for d, h := range planes {
			for i := range m.n {
				acts[d] = append(acts[d], h.activity(m.row(i)))
			}
			e.set(d, acts[d])
		}
		e.update(-1)
		check := func(what string, got float64, planes []marginPlane) {
			u, err := l.tree(m, planes, false)
			if err != nil {
				t.Fatal(err)
			}
			if want := f.Objective(u) * f.ObjectiveUnit(); math.Abs(got-want) > 1e-8*(1+want) {
				t.Fatalf("%s %s: %v, formulate says %v", objective, what, got, want)
			}
			if w := e.wrong(acts); what == "value" && math.Abs(w-u.Evaluate(ds).ErrorWeight) > 1e-9 {
				t.Fatalf("error weight %v, the tree has %v", w, u.Evaluate(ds).ErrorWeight)
			}
		}
		check("value", e.value(), planes)
		d := rng.IntN(l.decisions)
		moved := randomPlanes(rng, l.decisions, m.p)
		rate := make([]float64, m.n)
		for i := range rate {
			rate[i] = moved[d].activity(m.row(i)) - acts[d][i]
		}
		got := e.along(d, acts[d], rate, 1, math.Inf(1))
		planes[d] = moved[d]
		check("along", got, planes)
	})
}

// checkedVertex is a gtoVertex that checks every step: the point is extreme, and tables, error and
// the identity of variables are correct.
type checkedVertex struct {
	*gtoVertex
	t     *testing.T
	steps int
}

func (c *checkedVertex) step(e int) {
	enters, leaves, _ := c.move(e)
	if c.isBasic(enters) || !c.isBasic(leaves) || c.edge(enters) != e {
		c.t.Fatalf("edge %d: variable %d enters, %d leaves", e, enters, leaves)
	}
	want := c.value(e, math.Inf(1))
	c.gtoVertex.step(e)
	c.steps++
	if !c.isBasic(enters) || c.isBasic(leaves) {
		c.t.Fatalf("edge %d: the basis has not changed as said", e)
	}
	if got := c.objective(); math.Abs(got-want) > 1e-7*(1+want) || math.Abs(got-c.err.value()) > 1e-9*(1+want) {
		c.t.Fatalf("error %v, the neighbour was said to have %v, all rows have %v", got, want, c.err.value())
	}
	at := c.edgeOf[e/2]
	checkExtreme(c.t, c.blocks[at.d], exactPoint(c.t, c.blocks[at.d]))
}

// gtoData draws data of k classes with repeated and contradictory points.
func gtoData(t testing.TB, rng *rand.Rand, n, p, k int) *dataset.Dataset {
	t.Helper()
	x, y := make([]float64, 0, n*p), make([]int, n)
	for i := range y {
		y[i] = i % k
		for range p {
			x = append(x, math.Round(4*rng.NormFloat64()+float64(y[i]))/2)
		}
	}
	names, classes := []string{"a", "b", "c", "d"}[:p], []string{"u", "v", "w"}[:k]
	ds, err := dataset.New(x, y, names, classes)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// TestEPTSVisitsExtremePoints: every iterate is an extreme point of the explicit
// polyhedron.
func TestEPTSVisitsExtremePoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	for run := range 18 {
		ds := gtoData(t, rng, 8+rng.IntN(12), 1+rng.IntN(3), 2+rng.IntN(2))
		p, err := GTOStart{}.prepare(context.Background(), ds)
		if err != nil {
			t.Fatal(err)
		}
		o := gto.Objectives()[run%3]
		c := &checkedVertex{gtoVertex: newGTOVertex(pulse.New(context.Background()), p.m, newGTOError(p.m, p.layout, o), p.planes, 1), t: t}
		stats := runTabuSearch(pulse.New(context.Background()), c, c.isBasic, TabuOptions{Iterations: 60})
		if c.steps < 60 && !stats.Optimal {
			t.Errorf("%s: only %d steps: %+v", o, c.steps, stats)
		}
	}
}

// TestFrankWolfeVerticesAreExtreme: every subproblem ends at an extreme point with exact margins,
// and the result is no worse than the start.
func TestFrankWolfeVerticesAreExtreme(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	seen := 0
	for range 30 {
		ds := gtoData(t, rng, 8+rng.IntN(15), 1+rng.IntN(3), 2+rng.IntN(2))
		p, err := GTOStart{}.prepare(context.Background(), ds)
		if err != nil {
			t.Fatal(err)
		}
		last := math.Inf(1)
		res, err := FrankWolfe(context.Background(), ds, FrankWolfeOptions{
			visited: func(d int, h marginPlane) {
				seen++
				a := newArrangement(pulse.New(context.Background()), p.m.x, p.m.n, p.m.p, gtoSides(p.m, p.layout, d), 1, nil)
				checkExtreme(t, a, a.express(p.m, h))
			},
			Notify: func(_ int, v float64) {
				if v > last*(1+1e-12) {
					t.Errorf("error rises from %v to %v", last, v)
				}
				last = v
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		if !res.Stats.Stationary && res.Stats.Iterations < 1000 || res.Objective > res.Stats.Start*(1+1e-12) {
			t.Errorf("%+v, objective %v", res.Stats, res.Objective)
		}
	}
	if seen < 50 {
		t.Errorf("only %d vertices", seen)
	}
}

// bruteVertices returns the activities (n) at every vertex of a decision, by solving every q of its
// planes. At most one feature.
func bruteVertices(m *marginRows, sides []uint8) [][]float64 {
	type plane struct{ x, offset float64 }
	var planes []plane
	for i, s := range sides {
		for side := range 2 {
			if s>>side&1 == 1 {
				planes = append(planes, plane{m.row(i)[0], float64(2*side - 1)})
			}
		}
	}
	var out [][]float64
	for a := range planes {
		for b := range a {
			if planes[a].x == planes[b].x {
				continue
			}
			w := (planes[a].offset - planes[b].offset) / (planes[a].x - planes[b].x)
			gamma := planes[a].x*w - planes[a].offset
			act := make([]float64, m.n)
			for i := range act {
				act[i] = m.row(i)[0]*w - gamma
			}
			out = append(out, act)
		}
	}
	return out
}

// TestEPTSAgainstBruteForce: no extreme point is better than the best of all, and the search nearly
// always finds it.
func TestEPTSAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 1))
	found, runs := 0, 0
	for range 30 {
		ds := gtoData(t, rng, 6, 1, 2)
		p, err := GTOStart{}.prepare(context.Background(), ds)
		if errors.Is(err, formulate.ErrSingleLeaf) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		vertices := make([][][]float64, 3)
		for d := range vertices {
			vertices[d] = bruteVertices(p.m, gtoSides(p.m, p.layout, d))
		}
		for _, o := range gto.Objectives() {
			e, best := newGTOError(p.m, p.layout, o), math.Inf(1)
			for _, a := range vertices[0] {
				e.set(0, a)
				for _, b := range vertices[1] {
					e.set(1, b)
					e.update(1)
					for _, c := range vertices[2] {
						best = min(best, e.along(2, c, c, 0, math.Inf(1)))
					}
				}
			}
			res, err := EPTS(context.Background(), ds, EPTSOptions{Objective: o, Tabu: TabuOptions{Iterations: 2000}})
			if err != nil {
				t.Fatal(err)
			}
			runs++
			if res.Objective < best-1e-6 {
				t.Errorf("%s: %v is better than the best extreme point, %v", o, res.Objective, best)
			}
			if res.Objective <= best+1e-6 {
				found++
			}
		}
	}
	if runs < 60 || found*100 < 95*runs {
		t.Errorf("the optimum was found %d times of %d", found, runs)
	}
}

// TestGTOResults: objective and tree agree with formulate, runs are reproducible by seed, results
// are no worse than starts, and FewestErrors never gives more errors.
func TestGTOResults(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(14, 1))
	for run := range 12 {
		ds := gtoData(t, rng, 40, 2, 2+run%2)
		for _, o := range gto.Objectives() {
			f, err := gto.Options{Objective: o, Depth: 2}.Build(ctx, ds)
			if err != nil {
				t.Fatal(err)
			}
			opts := EPTSOptions{Objective: o, Tabu: TabuOptions{Iterations: 300}}
			a, err := EPTS(ctx, ds, opts)
			if err != nil {
				t.Fatal(err)
			}
			if v := f.Objective(a.Tree); math.Abs(v-a.Objective) > 1e-6*(1+v) {
				t.Errorf("%s: objective %v, the tree has %v", o, a.Objective, v)
			}
			if a.Stats.Best > a.Stats.Start || math.Abs(a.Objective-a.Stats.Best) > 1e-3*(1+a.Stats.Best) {
				t.Errorf("%s: %v from %v, exactly %v", o, a.Stats.Best, a.Stats.Start, a.Objective)
			}
			b, err := EPTS(ctx, ds, opts)
			if err != nil || !a.Tree.Equal(b.Tree) {
				t.Errorf("%s: another tree from the same seed (%v)", o, err)
			}
			opts.FewestErrors = true
			c, err := EPTS(ctx, ds, opts)
			if err != nil {
				t.Fatal(err)
			}
			if x, y := c.Tree.Evaluate(ds).ErrorWeight, a.Tree.Evaluate(ds).ErrorWeight; x > y {
				t.Errorf("%s: fewest errors are %v, more than %v", o, x, y)
			}
			opts.FewestErrors, opts.Tree = false, a.Tree
			d, err := EPTS(ctx, ds, opts)
			if err != nil {
				t.Fatal(err)
			}
			if o != gto.CountError && d.Objective > a.Objective*(1+1e-3)+1e-3 {
				t.Errorf("%s: %v from a start of %v", o, d.Objective, a.Objective)
			}
		}
	}
}

// TestGTOStartsAndLimits: cancelled and expired contexts, unsuitable starts, options out of range,
// one class, constant features.
func TestGTOStartsAndLimits(t *testing.T) {
	ctx := context.Background()
	ds := gtoData(t, rand.New(rand.NewPCG(15, 1)), 30, 2, 2)
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if res, err := EPTS(gone, ds, EPTSOptions{}); err == nil && !res.Stats.Stopped {
		t.Errorf("a cancelled context does not stop EPTS: %+v", res.Stats)
	}
	if res, err := EPTS(expired(t), ds, EPTSOptions{}); err != nil || !res.Stats.Stopped || res.Tree == nil {
		t.Errorf("time limit: %v, %+v", err, res)
	}
	for _, o := range []EPTSOptions{
		{Tabu: TabuOptions{Iterations: -1}}, {Tabu: TabuOptions{Progress: math.NaN()}}, {Objective: "beauty"}, {GTOStart: GTOStart{Depth: -1}},
		{GTOStart: GTOStart{Structure: gto.FullStructure(1, 0)}}, // no leaf of class 1
	} {
		if _, err := EPTS(ctx, ds, o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
	deep, err := cart.Grow(ctx, ds, cart.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := EPTS(ctx, ds, EPTSOptions{GTOStart: GTOStart{Structure: gto.FullStructure(1, 0, 1), Tree: deep.Tree}}); !errors.Is(err, formulate.ErrNoStart) {
		t.Errorf("error %v, want ErrNoStart", err)
	}
	if _, err := FrankWolfe(ctx, ds, FrankWolfeOptions{GTOStart: GTOStart{Tree: deep.Tree}, Iterations: 5}); err != nil {
		t.Errorf("a tree as start: %v", err)
	}
	one := *ds
	one.Y = make([]int, ds.N())
	for name, run := range map[string]func(*dataset.Dataset) error{
		"epts":        func(d *dataset.Dataset) error { _, err := EPTS(ctx, d, EPTSOptions{}); return err },
		"frank-wolfe": func(d *dataset.Dataset) error { _, err := FrankWolfe(ctx, d, FrankWolfeOptions{}); return err },
		"rlp":         func(d *dataset.Dataset) error { _, err := RLP(ctx, d, RLPOptions{}); return err },
	} {
		constant := *ds
		constant.X = make([]float64, len(ds.X))
		for what, d := range map[string]*dataset.Dataset{"one class": &one, "constant": &constant} {
			if err := run(d); !errors.Is(err, formulate.ErrSingleLeaf) {
				t.Errorf("%s, %s: error %v, want ErrSingleLeaf", name, what, err)
			}
		}
	}
}

// TestDecisionWithoutRows: a decision above leaves of classes missing from the data has no planes;
// a single decision and a lopsided structure work as well.
func TestDecisionWithoutRows(t *testing.T) {
	ctx := context.Background()
	ds := gtoData(t, rand.New(rand.NewPCG(17, 1)), 20, 2, 3)
	for i, y := range ds.Y {
		if y == 1 {
			ds.Y[i] = 0
		}
	}
	for _, text := range []string{"((v,v),(u,w))", "(u,w)", "(((w,u),w),u)", "((u,(v,u)),w)"} {
		s, err := gto.ParseStructure(text, ds.Classes)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range gto.Objectives() {
			f, err := gto.Options{Structure: s, Objective: o}.Build(ctx, ds)
			if err != nil {
				t.Fatal(err)
			}
			res, err := EPTS(ctx, ds, EPTSOptions{GTOStart: GTOStart{Structure: s}, Objective: o, Tabu: TabuOptions{Iterations: 100}})
			if err != nil {
				t.Fatal(text, err)
			}
			if v := f.Objective(res.Tree); math.Abs(v-res.Objective) > 1e-6*(1+v) {
				t.Errorf("%s, %s: objective %v, the tree has %v", text, o, res.Objective, v)
			}
			if o != gto.ProductError {
				continue
			}
			fw, err := FrankWolfe(ctx, ds, FrankWolfeOptions{GTOStart: GTOStart{Structure: s}})
			if err != nil {
				t.Fatal(text, err)
			}
			if v := f.Objective(fw.Tree); math.Abs(v-fw.Objective) > 1e-6*(1+v) {
				t.Errorf("%s: Frank-Wolfe says %v, the tree has %v", text, fw.Objective, v)
			}
		}
	}
}

// TestDefaultStructure: the default structure is that of gto.Formulation.
func TestDefaultStructure(t *testing.T) {
	for k := 2; k <= 9; k++ {
		x, y, classes := []float64{}, []int{}, []string{}
		for c := range k {
			x, y, classes = append(x, float64(c)), append(y, c), append(classes, string(rune('a'+c)))
		}
		ds, err := dataset.New(x, y, []string{"x"}, classes)
		if err != nil {
			t.Fatal(err)
		}
		f, err := gto.Options{}.Build(context.Background(), ds)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(f.Options().Structure.Text(classes), defaultStructure(0, k).Text(classes)); d != "" {
			t.Errorf("%d classes: %s", k, d)
		}
	}
}

// TestMinimizePolynomial compares with a fine grid.
func TestMinimizePolynomial(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 1))
	for range 500 {
		c := make([]float64, 1+rng.IntN(6))
		for j := range c {
			c[j] = rng.NormFloat64()
		}
		x := minimizePolynomial(c)
		least := math.Inf(1)
		for k := range 1001 {
			least = min(least, evaluate(c, float64(k)/1000))
		}
		if x < 0 || x > 1 || evaluate(c, x) > least+1e-12 {
			t.Fatalf("%v: %v at %v, the grid has %v", c, evaluate(c, x), x, least)
		}
	}
}

// TestMSMT: limits hold, leaves have the majority class, pure data need no split, and pruning never
// adds a split.
func TestMSMT(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		ds := datatest.Random(t, 40, 3, 3)
		o := MSMTOptions{MaxSplits: rapid.IntRange(1, 5).Draw(t, "splits"), MaxDepth: rapid.IntRange(0, 3).Draw(t, "depth"),
			MinSplit: 2, MinLeaf: float64(rapid.IntRange(0, 3).Draw(t, "leaf")), Purity: 1, Pruning: Unpruned}
		grown, err := MSMT(ctx, ds, o)
		if err != nil {
			t.Fatal(err)
		}
		o.Pruning = rapid.SampledFrom(Prunings()[:3]).Draw(t, "pruning")
		pruned, err := MSMT(ctx, ds, o)
		if err != nil {
			t.Fatal(err)
		}
		for name, u := range map[string]*tree.Tree{"grown": grown.Tree, "pruned": pruned.Tree} {
			if err := u.Validate(); err != nil {
				t.Fatal(err)
			}
			if u.Splits() > o.MaxSplits || o.MaxDepth > 0 && u.Depth() > o.MaxDepth {
				t.Fatalf("%s: %d splits, depth %d of %+v", name, u.Splits(), u.Depth(), o)
			}
			for i := range u.Nodes {
				n := &u.Nodes[i]
				sum, most := 0.0, 0.0
				for _, w := range n.Weight {
					sum += w
					most = max(most, w)
				}
				if i > 0 && (sum == 0 || !tree.EnoughWeight(sum, o.MinLeaf)) {
					t.Fatalf("%s: node %d weighs %v", name, i, sum)
				}
				if n.Leaf() && n.Weight[n.Class] != most {
					t.Fatalf("%s: leaf %d answers class %d of %v", name, i, n.Class, n.Weight)
				}
			}
		}
		if pruned.Tree.Splits() > grown.Tree.Splits() || pruned.Stats.Grown != grown.Tree.Splits() {
			t.Fatalf("pruned to %d splits of %d", pruned.Tree.Splits(), grown.Tree.Splits())
		}
	})
}
