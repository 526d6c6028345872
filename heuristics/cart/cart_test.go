package cart

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/tree"
)

func mustGrow(t interface{ Fatal(...any) }, ds *dataset.Dataset, o Options) *tree.Tree {
	res, err := Grow(context.Background(), ds, o)
	if err != nil {
		t.Fatal(err)
	}
	return res.Tree
}

// TestIsGreedy: every split is a best split of its node, and every leaf has a reason.
func TestIsGreedy(t *testing.T) {
	datatest.Check(t, func(t *rapid.T) {
		ds := datatest.Random(t, 25, 3, 3)
		o := Options{
			Criterion: rapid.SampledFrom([]tree.Criterion{tree.Gini, tree.Entropy, tree.Misclassification}).Draw(t, "criterion"),
			MaxDepth:  rapid.IntRange(0, 3).Draw(t, "depth"),
			MinLeaf:   float64(rapid.IntRange(0, 8).Draw(t, "minLeaf")) / 4,
			MinSplit:  float64(rapid.IntRange(0, 4).Draw(t, "minSplit")),
		}
		tr := mustGrow(t, ds, o)
		if err := tr.Validate(); err != nil {
			t.Fatal(err)
		}
		annotated := tr.Clone()
		annotated.Relabel(ds)
		if d := cmp.Diff(annotated, tr); d != "" {
			t.Fatalf("annotations (-want +got):\n%s", d)
		}
		checkGreedy(t, ds, o, tr, 0, 0, slices.Collect(func(yield func(int) bool) {
			for i := range ds.N() {
				if !yield(i) {
					return
				}
			}
		}))
	})
}

func checkGreedy(t *rapid.T, ds *dataset.Dataset, o Options, tr *tree.Tree, at, depth int, rows []int) {
	n := &tr.Nodes[at]
	best := bruteLoss(ds, o, rows)
	if n.Leaf() {
		stop := o.MaxDepth > 0 && depth == o.MaxDepth || o.Criterion.Loss(n.Weight) < 1e-9 ||
			math.IsInf(best, 1) || sumOf(n.Weight) < o.MinSplit
		if !stop {
			t.Fatalf("node %d, depth %d, weights %v: not split, though loss %v is possible", at, depth, n.Weight, best)
		}
		return
	}
	if o.MaxDepth > 0 && depth >= o.MaxDepth {
		t.Fatalf("a split at depth %d", depth)
	}
	var left, right []int
	for _, i := range rows {
		if n.Split.Left(ds.Row(i)) {
			left = append(left, i)
		} else {
			right = append(right, i)
		}
	}
	got := o.Criterion.Loss(tr.Nodes[n.Left].Weight) + o.Criterion.Loss(tr.Nodes[n.Right].Weight)
	if math.Abs(got-best) > 1e-9 {
		t.Fatalf("node %d: loss %v, best is %v", at, got, best)
	}
	for _, c := range []int{n.Left, n.Right} {
		if sumOf(tr.Nodes[c].Weight) < o.MinLeaf {
			t.Fatalf("node %d weighs less than %v", c, o.MinLeaf)
		}
	}
	checkGreedy(t, ds, o, tr, n.Left, depth+1, left)
	checkGreedy(t, ds, o, tr, n.Right, depth+1, right)
}

// bruteLoss returns the minimum loss of a split of the rows.
func bruteLoss(ds *dataset.Dataset, o Options, rows []int) float64 {
	best := math.Inf(1)
	for j := range ds.P() {
		for _, at := range rows {
			l, r := make([]float64, ds.K()), make([]float64, ds.K())
			nl, nr := 0.0, 0.0
			for _, i := range rows {
				if ds.At(i, j) < ds.At(at, j) {
					l[ds.Y[i]] += ds.Weight[i]
					nl += ds.Weight[i]
				} else {
					r[ds.Y[i]] += ds.Weight[i]
					nr += ds.Weight[i]
				}
			}
			if nl > 0 && nr > 0 && nl >= o.MinLeaf && nr >= o.MinLeaf {
				best = min(best, o.Criterion.Loss(l)+o.Criterion.Loss(r))
			}
		}
	}
	return best
}

func TestOptions(t *testing.T) {
	ds := &dataset.Dataset{
		X: []float64{1, 2}, Y: []int{0, 1}, Weight: []float64{1, 1}, Count: []float64{1, 1},
		Features: []string{"x"}, Classes: []string{"a", "b"},
	}
	other := *ds
	other.X, other.Y, other.Weight, other.Count = ds.X[:1], ds.Y[:1], ds.Weight[:1], ds.Count[:1]
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{MaxDepth: -1}, "cart: maximum depth -1"},
		{Options{MinLeaf: math.NaN()}, "cart: minimum leaf weight NaN"},
		{Options{MinSplit: -1}, "cart: minimum weight of a split node -1"},
		{Options{Complexity: -1}, "cart: complexity -1"},
		{Options{Criterion: 9}, "cart: criterion Criterion(9)"},
		{Options{Presort: tree.NewPresort(&other)}, "cart: Presort does not match the dataset"},
	} {
		if _, err := Grow(context.Background(), ds, c.o); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s...", c.o, err, c.want)
		}
	}
	if _, err := Grow(context.Background(), &dataset.Dataset{}, Options{}); err == nil {
		t.Error("no rows, no error")
	}
	none := *ds
	none.X, none.Features = nil, nil
	if tr := mustGrow(t, &none, Options{}); tr.Splits() != 0 || sumOf(tr.Nodes[0].Weight) != 2 {
		t.Errorf("without features:\n%v", tr)
	}
}

func TestStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	ds := &dataset.Dataset{
		X: []float64{1, 2}, Y: []int{0, 1}, Weight: []float64{1, 2}, Count: []float64{1, 1},
		Features: []string{"x"}, Classes: []string{"a", "b"},
	}
	res, err := Grow(ctx, ds, Options{})
	if err != nil || !res.Stats.Stopped || res.Tree.Splits() != 0 || res.Tree.Nodes[0].Class != 1 {
		t.Errorf("got %+v, %v; want the leaf b, stopped", res, err)
	}
}

// allSubtrees calls yield with every set of branch nodes that a subtree keeps.
func allSubtrees(tr *tree.Tree, at int, keep []bool, next func()) {
	next()
	n := &tr.Nodes[at]
	if n.Leaf() {
		return
	}
	keep[at] = true
	allSubtreesBelow(tr, n, keep, next)
	keep[at] = false
}

func allSubtreesBelow(tr *tree.Tree, n *tree.Node, keep []bool, next func()) {
	allSubtrees(tr, n.Left, keep, func() { allSubtrees(tr, n.Right, keep, next) })
}

func TestBestSubtreeAgainstEnumeration(t *testing.T) {
	datatest.Check(t, func(t *rapid.T) {
		ds := datatest.Random(t, 16, 3, 3)
		tr := mustGrow(t, ds, Options{MaxDepth: 4})
		if tr.Splits() > 8 {
			tr = mustGrow(t, ds, Options{MaxDepth: 3})
		}
		alpha := rapid.SampledFrom([]float64{0, 0.01, 0.1, 0.25, 1}).Draw(t, "alpha")
		depth := rapid.IntRange(-1, 3).Draw(t, "depth")
		limit := rapid.IntRange(-1, 4).Draw(t, "limit")
		best, fewest := math.Inf(1), 0
		keep := make([]bool, len(tr.Nodes))
		allSubtrees(tr, 0, keep, func() {
			u := tr.Prune(func(i int) bool { return !keep[i] })
			if depth >= 0 && u.Depth() > depth || limit >= 0 && u.Splits() > limit {
				return
			}
			o := u.Objective(ds, alpha)
			if o < best-1e-9 || o < best+1e-9 && u.Splits() < fewest {
				best, fewest = o, u.Splits()
			}
		})
		got := BestSubtree(ds, tr, alpha, depth, limit)
		if err := got.Validate(); err != nil {
			t.Fatal(err)
		}
		if o := got.Objective(ds, alpha); math.Abs(o-best) > 1e-9 || got.Splits() != fewest {
			t.Fatalf("objective %v with %d splits, best is %v with %d", o, got.Splits(), best, fewest)
		}
		if depth >= 0 && got.Depth() > depth || limit >= 0 && got.Splits() > limit {
			t.Fatalf("depth %d, %d splits", got.Depth(), got.Splits())
		}
	})
}

func TestCostComplexityAgainstEnumeration(t *testing.T) {
	datatest.Check(t, func(t *rapid.T) {
		ds := datatest.Random(t, 16, 3, 3)
		tr := mustGrow(t, ds, Options{MaxDepth: 3})
		c := rapid.SampledFrom([]tree.Criterion{tree.Gini, tree.Misclassification}).Draw(t, "criterion")
		path, err := CostComplexity(tr, c)
		if err != nil {
			t.Fatal(err)
		}
		risk := func(u *tree.Tree) float64 {
			r := 0.0
			for i := range u.Nodes {
				if u.Nodes[i].Leaf() {
					r += c.Loss(u.Nodes[i].Weight)
				}
			}
			return r / sumOf(tr.Nodes[0].Weight)
		}
		alphas := []float64{rapid.Float64Range(0, 0.3).Draw(t, "alpha")}
		for k, s := range path.Steps {
			if k > 0 && (s.Alpha <= path.Steps[k-1].Alpha || s.Splits >= path.Steps[k-1].Splits) {
				t.Fatalf("steps %+v do not ascend", path.Steps)
			}
			u := path.Subtree(s.Alpha)
			if u.Splits() != s.Splits || math.Abs(risk(u)-s.Risk) > 1e-9 {
				t.Fatalf("step %+v, but its subtree has %d splits and risk %v", s, u.Splits(), risk(u))
			}
			alphas = append(alphas, s.Alpha)
		}
		for _, alpha := range alphas {
			best, fewest := math.Inf(1), 0
			keep := make([]bool, len(tr.Nodes))
			allSubtrees(tr, 0, keep, func() {
				u := tr.Prune(func(i int) bool { return !keep[i] })
				v := risk(u) + alpha*float64(u.Splits())
				if v < best-1e-9 || v < best+1e-9 && u.Splits() < fewest {
					best, fewest = v, u.Splits()
				}
			})
			u := path.Subtree(alpha)
			if v := risk(u) + alpha*float64(u.Splits()); math.Abs(v-best) > 1e-9 || u.Splits() != fewest {
				t.Fatalf("alpha %v: %v with %d splits, best is %v with %d", alpha, v, u.Splits(), best, fewest)
			}
		}
	})
}

// TestSubtreeAtItsOwnComplexity: the split of rows 4 A, 1 B against 5 B costs 0.3
// exactly, and 0.4 - 0.1 is more than that in floating point.
func TestSubtreeAtItsOwnComplexity(t *testing.T) {
	tr := &tree.Tree{
		Nodes: []tree.Node{
			{Split: tree.Univariate(0, 0.5), Left: 1, Right: 2, Weight: []float64{4, 6}, Class: 1},
			{Weight: []float64{4, 1}}, {Weight: []float64{0, 5}, Class: 1},
		},
		Features: []string{"x"}, Classes: []string{"A", "B"},
	}
	path, err := CostComplexity(tr, tree.Misclassification)
	if err != nil {
		t.Fatal(err)
	}
	if a := path.Steps[1].Alpha; a <= 0.3 {
		t.Fatalf("the split goes at %v, not above 0.3: no tie for rounding to decide", a)
	}
	for alpha, want := range map[float64]int{0.3: 0, 0.2999: 1} {
		if got := path.Subtree(alpha).Splits(); got != want {
			t.Errorf("%d splits at alpha %v, want %d", got, alpha, want)
		}
	}
}

func TestCostComplexityNeedsAnnotation(t *testing.T) {
	tr := &tree.Tree{Nodes: []tree.Node{{}}, Classes: []string{"a"}}
	if _, err := CostComplexity(tr, tree.Gini); err == nil {
		t.Error("no error for a tree without weights")
	}
}

func TestPrunes(t *testing.T) {
	ds := datatest.Load(t, "iris")
	full := mustGrow(t, ds, Options{})
	if l := full.Evaluate(ds); l.Errors != 0 {
		t.Errorf("the full tree errs %v times on iris", l.Errors)
	}
	pre := tree.NewPresort(ds)
	for range 2 { // a given Presort is not modified
		if again := mustGrow(t, ds, Options{Presort: pre}); !again.Equal(full) {
			t.Errorf("with a given Presort:\n%v\nwithout:\n%v", again, full)
		}
	}
	pruned := mustGrow(t, ds, Options{Complexity: 0.02})
	if pruned.Splits() != 2 || pruned.Evaluate(ds).Errors != 6 {
		t.Errorf("pruned at 0.02: %d splits, want 2 with 6 errors:\n%v", pruned.Splits(), pruned)
	}
	start := BestSubtree(ds, full, 0.01, 2, -1)
	if o := start.Objective(ds, 0.01); math.Abs(o-0.08) > 1e-12 || start.Splits() != 2 {
		t.Errorf("warm start for alpha 0.01, depth 2: objective %v, want 0.08:\n%v", o, start)
	}
}

// TestAgainstScikitLearn: of equal splits, CART takes the lowest feature, scikit-learn a random
// one. So if the errors differ, CART must reach scikit-learn's with the features in another order,
// which only affects the choice among equal splits.
func TestAgainstScikitLearn(t *testing.T) {
	names := strings.Fields(`iris wine seeds balance-scale banknote breast-cancer-wisconsin bupa pima sonar
		ionosphere heart-cleveland monks-1 monks-2 monks-3 teaching-assistant wdbc`)
	data := map[string]*dataset.Dataset{}
	for _, r := range scikitLearn(t) {
		if !slices.Contains(names, r.name) {
			continue
		}
		ds := data[r.name]
		if ds == nil {
			ds = datatest.Load(t, r.name)
			data[r.name] = ds
		}
		got := mustGrow(t, ds, Options{MaxDepth: r.depth})
		errs, leaves := int(got.Evaluate(ds).Errors), got.Splits()+1
		t.Logf("%-26s depth %d: %4d errors, %2d leaves; scikit-learn %4d, %2d", r.name, r.depth, errs, leaves, r.errors, r.leaves)
		if errs != r.errors && !reachedByTies(t, ds, r) {
			t.Errorf("%s, depth %d: %d errors, scikit-learn has %d, and no order of the features gives it", r.name, r.depth, errs, r.errors)
		}
	}
	if len(data) != len(names) {
		t.Errorf("reference figures for %d of %d datasets", len(data), len(names))
	}
}

func reachedByTies(t *testing.T, ds *dataset.Dataset, r cartReference) bool {
	random := rand.New(rand.NewPCG(1, 1))
	for try := range 200 {
		order := random.Perm(ds.P())
		shuffled := *ds
		shuffled.X, shuffled.Features = nil, nil
		for _, j := range order {
			shuffled.Features = append(shuffled.Features, ds.Features[j])
		}
		for i := range ds.N() {
			for _, j := range order {
				shuffled.X = append(shuffled.X, ds.At(i, j))
			}
		}
		got := mustGrow(t, &shuffled, Options{MaxDepth: r.depth})
		if int(got.Evaluate(&shuffled).Errors) == r.errors && got.Splits()+1 == r.leaves {
			t.Logf("%-26s depth %d: %4d errors, %2d leaves with the features in order %v (try %d)", r.name, r.depth, r.errors, r.leaves, order, try+1)
			return true
		}
	}
	return false
}

// BenchmarkGrow fits the datasets of the scikit-learn figures; x-sklearn is octgen's time relative
// to scikit-learn's.
func BenchmarkGrow(b *testing.B) {
	loaded := map[string]*dataset.Dataset{}
	for _, r := range scikitLearn(b) {
		if r.depth != 3 {
			continue
		}
		b.Run(r.name, func(b *testing.B) {
			ds := loaded[r.name]
			if ds == nil {
				ds = datatest.Load(b, r.name)
				loaded[r.name] = ds
			}
			b.ReportAllocs()
			for b.Loop() {
				mustGrow(b, ds, Options{MaxDepth: r.depth})
			}
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/r.seconds, "x-sklearn")
		})
	}
}

// cartReference is a line of the scikit-learn figures.
type cartReference struct {
	name           string
	rows           int
	depth          int
	errors, leaves int
	seconds        float64
}

// scikitLearn reads the reference figures next to the data folder.
func scikitLearn(t testing.TB) []cartReference {
	t.Helper()
	var refs []cartReference
	for _, l := range datatest.Reference(t, "cart-scikit-learn") {
		integer := func(column int) int {
			v, err := strconv.Atoi(l[column])
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		seconds, err := strconv.ParseFloat(l[7], 64)
		if err != nil {
			t.Fatal(err)
		}
		refs = append(refs, cartReference{l[0], integer(1), integer(4), integer(5), integer(6), seconds})
	}
	return refs
}

func sumOf(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}

// TestAlwaysATree: whenever the context ends, there is a complete annotated tree, no worse than the
// single leaf, of several sizes up to the tree without a limit.
func TestAlwaysATree(t *testing.T) {
	ds := datatest.Example(t, "breast-cancer")
	for name, grow := range map[string]func(ctx context.Context) (*tree.Tree, bool, error){
		"cart":        func(ctx context.Context) (*tree.Tree, bool, error) { return grown(Grow(ctx, ds, Options{})) },
		"cart, folds": func(ctx context.Context) (*tree.Tree, bool, error) { return grown(Grow(ctx, ds, Options{Folds: 3})) },
		"c45": func(ctx context.Context) (*tree.Tree, bool, error) {
			res, err := C45(ctx, ds, C45Options{})
			if err != nil {
				return nil, false, err
			}
			return res.Tree, res.Stats.Stopped, nil
		},
	} {
		sizes := map[int]bool{}
		for looks := 0; ; looks += 1 + looks/8 {
			tr, stopped, err := grow(datatest.NewLooks(looks))
			if err != nil {
				t.Fatalf("%s, look %d: %v", name, looks, err)
			}
			sizes[tr.Splits()] = true
			check(t, name, ds, tr)
			if !stopped {
				break
			}
			if looks > 1000 {
				t.Fatalf("%s has not come to its end", name)
			}
		}
		if len(sizes) < 4 {
			t.Errorf("%s: trees of %d sizes", name, len(sizes))
		}
	}
}

func grown(res *Result, err error) (*tree.Tree, bool, error) {
	if err != nil {
		return nil, false, err
	}
	return res.Tree, res.Stats.Stopped, nil
}

func check(t *testing.T, name string, ds *dataset.Dataset, tr *tree.Tree) {
	t.Helper()
	if err := tr.Validate(); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	again := tr.Clone()
	again.Relabel(ds)
	if d := cmp.Diff(again, tr); d != "" {
		t.Fatalf("%s: annotations (-want +got):\n%s", name, d)
	}
	if e := tr.Evaluate(ds).ErrorWeight; e > ds.Baseline() {
		t.Fatalf("%s: %v errors, the single leaf has %v", name, e, ds.Baseline())
	}
}
