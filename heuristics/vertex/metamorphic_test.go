package vertex

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
)

// planeMethods run a method and return its objective and its predictions.
var planeMethods = map[string]func(ds *dataset.Dataset) (float64, []int, error){
	"rlp": func(ds *dataset.Dataset) (float64, []int, error) {
		res, err := RLP(context.Background(), ds, RLPOptions{Seed: 1})
		if err != nil {
			return 0, nil, err
		}
		return res.Objective, predictions(res.Tree.Predict, ds), nil
	},
	"epts": func(ds *dataset.Dataset) (float64, []int, error) {
		res, err := EPTS(context.Background(), ds, EPTSOptions{Tabu: TabuOptions{Iterations: 50}})
		if err != nil {
			return 0, nil, err
		}
		return res.Objective, predictions(res.Tree.Predict, ds), nil
	},
	"frank-wolfe": func(ds *dataset.Dataset) (float64, []int, error) {
		res, err := FrankWolfe(context.Background(), ds, FrankWolfeOptions{})
		if err != nil {
			return 0, nil, err
		}
		return res.Objective, predictions(res.Tree.Predict, ds), nil
	},
	"msmt": func(ds *dataset.Dataset) (float64, []int, error) {
		res, err := MSMT(context.Background(), ds, MSMTOptions{})
		if err != nil {
			return 0, nil, err
		}
		return res.Tree.Evaluate(ds).ErrorWeight, predictions(res.Tree.Predict, ds), nil
	},
}

func predictions(predict func([]float64) int, ds *dataset.Dataset) []int {
	out := make([]int, ds.N())
	for i := range out {
		out[i] = predict(ds.Row(i))
	}
	return out
}

// TestScalesDoNotMatter: scaling features by powers of two, huge or tiny, and adding a constant one
// change neither objective nor predictions.
func TestScalesDoNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 1))
	for range 8 {
		ds := gtoData(t, rng, 30, 3, 2+rng.IntN(2))
		scaled := *ds
		scaled.X = slices.Clone(ds.X)
		for i := range ds.N() {
			for j, exponent := range []int{120, -110, 3} {
				scaled.X[i*3+j] = math.Ldexp(ds.X[i*3+j], exponent)
			}
		}
		wide := *ds
		wide.Features = append(slices.Clone(ds.Features), "constant")
		wide.X = nil
		for i := range ds.N() {
			wide.X = append(append(wide.X, ds.Row(i)...), 7)
		}
		for name, run := range planeMethods {
			if name == "msmt" {
				continue // its default MinSplit counts features
			}
			want, predicted, err := run(ds)
			if err != nil {
				t.Fatal(name, err)
			}
			for what, d := range map[string]*dataset.Dataset{"scaled": &scaled, "wide": &wide} {
				got, own, err := run(d)
				if err != nil || math.Abs(got-want) > 1e-9*(1+want) || !slices.Equal(own, predicted) {
					t.Errorf("%s, %s: %v (%v), want %v; equal predictions: %v", name, what, got, err, want, slices.Equal(own, predicted))
				}
			}
		}
	}
}

// TestWeightsAreRepetitions: a row of weight 2 (and count 2) equals two copies of the row.
func TestWeightsAreRepetitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(42, 1))
	for range 8 {
		ds := gtoData(t, rng, 30, 2, 2)
		heavy := *ds
		heavy.Weight, heavy.Count = slices.Clone(ds.Weight), slices.Clone(ds.Count)
		var rows []int
		for i := range ds.N() {
			rows = append(rows, i)
			if rng.IntN(3) == 0 {
				heavy.Weight[i], heavy.Count[i] = 2, 2
				rows = append(rows, i)
			}
		}
		twice := ds.Subset(rows)
		for name, run := range planeMethods {
			a, _, err := run(&heavy)
			if err != nil {
				t.Fatal(name, err)
			}
			b, _, err := run(twice)
			if err != nil || math.Abs(a-b) > 1e-9*(1+a) {
				t.Errorf("%s: weights %v, repetitions %v (%v)", name, a, b, err)
			}
		}
	}
}

// TestStrangeData: two rows, contradictory points, values that overflow, NaN, a class without rows.
func TestStrangeData(t *testing.T) {
	make2 := func(x []float64, y []int, classes ...string) *dataset.Dataset {
		ds := &dataset.Dataset{X: x, Y: y, Features: []string{"x"}, Classes: classes}
		for range y {
			ds.Weight, ds.Count = append(ds.Weight, 1), append(ds.Count, 1)
		}
		return ds
	}
	for name, c := range map[string]struct {
		ds   *dataset.Dataset
		want string // of the error
	}{
		"two rows":            {make2([]float64{1, 2}, []int{0, 1}, "a", "b"), ""},
		"contradictory":       {make2([]float64{1, 1, 2, 2}, []int{0, 1, 0, 1}, "a", "b"), ""},
		"class without rows":  {make2([]float64{1, 2, 3}, []int{0, 2, 0}, "a", "b", "c"), ""},
		"more classes":        {make2([]float64{1, 2, 3, 4, 5, 6}, []int{0, 1, 2, 3, 4, 5}, "a", "b", "c", "d", "e", "f"), ""},
		"close":               {make2([]float64{1, math.Nextafter(1, 2), 1, 1}, []int{0, 1, 0, 0}, "a", "b"), ""},
		"overflow":            {make2([]float64{math.MaxFloat64, -math.MaxFloat64}, []int{0, 1}, "a", "b"), ""},
		"NaN":                 {make2([]float64{1, math.NaN(), 3}, []int{0, 1, 0}, "a", "b"), "cannot be standardised"},
		"infinite":            {make2([]float64{1, math.Inf(1), 3}, []int{0, 1, 0}, "a", "b"), "cannot be standardised"},
		"without rows at all": {make2(nil, nil, "a", "b"), "no rows"},
	} {
		for method, run := range planeMethods {
			v, _, err := run(c.ds)
			switch {
			case c.want == "" && (err != nil || math.IsNaN(v)) && !strings.Contains(errText(err), formulate.ErrSingleLeaf.Error()):
				t.Errorf("%s, %s: %v, %v", name, method, v, err)
			case c.want != "" && !strings.Contains(errText(err), c.want):
				t.Errorf("%s, %s: error %v, want %q", name, method, err, c.want)
			}
		}
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
