package fit_test

import (
	"context"
	"testing"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/method"
	"github.com/octgen/octgen/tree"
)

// TestTunedMargin: without the portfolio all rows of the training part keep the margin in
// the tree chosen, the thresholds of univariate splits, too; with it none is asked of
// them, and it wins nowhere less.
func TestTunedMargin(t *testing.T) {
	thin := 0
	for _, file := range []string{"iris.csv", "seeds.csv", "hayes-roth.csv", "wine.csv"} {
		ds := realData(t, file)
		rows, _, err := ds.Holdout(fit.DefaultValidation, 0)
		if err != nil {
			t.Fatal(err)
		}
		train := method.NewData(ds.Subset(rows))
		const mu = 0.05
		admitted := func(x *tree.Tree) bool {
			return (&method.OCTH{Shape: method.Shape{Levels: method.Levels{Depth: 2}}, Margin: method.Margin{Mu: mu}}).Admits(x, train)
		}
		for _, path := range []string{method.AlphaPath, method.SplitsPath} {
			var least [2]float64 // errors of the envelope
			for k, portfolio := range []bool{false, true} {
				o := tuneOptions("oct-h-tuned", 2)
				with(with(with(o.Method, "mu", mu), "path", path), "portfolio", portfolio)
				o.WorkLimit = 1_000_000
				res, err := fit.Run(context.Background(), ds, o)
				if err != nil {
					t.Fatal(err)
				}
				checkChoice(t, ds, res)
				least[k] = res.Tuning.Envelope[0].ErrorWeight
				switch keeps := admitted(res.Tree); {
				case !portfolio && !keeps:
					t.Errorf("%s, %s: a split has less than the margin\n%v", file, path, res.Tree)
				case portfolio && !keeps:
					thin++
				}
			}
			if least[1] > least[0] {
				t.Errorf("%s, %s: the portfolio makes %v errors, the trees with the margin %v", file, path, least[1], least[0])
			}
		}
	}
	if thin == 0 {
		t.Error("no tree of the portfolio has less than the margin: the data do not tell them apart")
	}
}
