package vertex

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/gto"
	"github.com/octgen/octgen/formulate/linear"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// stopped is what a method says of its end.
type stopped struct {
	tree      *tree.Tree
	objective float64 // NaN where the tree's own errors are it
	ended     bool
}

// limited are the methods on data of two classes, as f says formulate has their errors.
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
		// The program that ends without an answer is the end.
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

// TestAlwaysATree: whenever the context ends there is a tree with the error that is
// said of it, on the way from the single leaf to that without an end.
func TestAlwaysATree(t *testing.T) {
	ds := gtoNormal(t, 12_000, 4) // so many that a look is due within a descent
	for name, m := range limited {
		seen := map[string]bool{}
		for looks := 0; ; looks += 1 + looks/4 {
			res, err := m.run(datatest.NewLooks(looks), ds)
			if err != nil || res.tree == nil || res.tree.Validate() != nil {
				t.Fatalf("%s, look %d: %v, %v", name, looks, res.tree, err)
			}
			if m.error != nil {
				if want := m.error(ds, res.tree); math.Abs(want-res.objective) > 1e-6*(1+want) {
					t.Fatalf("%s, look %d: error %v, the tree has %v", name, looks, res.objective, want)
				}
			}
			if e := res.tree.Evaluate(ds).ErrorWeight; looks == 0 && e > tree.Baseline(ds) {
				t.Errorf("%s, without any time: %v errors, the single leaf has %v", name, e, tree.Baseline(ds))
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

// TestLargeStructures: structures whose search takes more memory than there may be are no
// starts; those that fit are searched.
func TestLargeStructures(t *testing.T) {
	ds, err := dataset.New([]float64{0, 1, 1, 2, 2, 0}, []int{0, 1, 0}, []string{"a", "b"}, []string{"x", "y"})
	if err != nil {
		t.Fatal(err)
	}
	want := "vertex: the structure has 65535 decisions, for 3 rows of 2 features; at most 16777216 pairs of a decision and a leaf (a full tree of depth 12) and 1073741824 numbers are kept: use a smaller depth"
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
