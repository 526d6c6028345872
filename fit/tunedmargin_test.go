package fit_test

import (
	"context"
	"testing"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
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
		train := problem.NewData(ds.Subset(rows))
		const mu = 0.05
		p, err := (&problem.OCTH{Shape: problem.Shape{Levels: problem.Levels{Depth: 2}}, Margin: problem.Margin{Mu: mu}}).On(context.Background(), train, 0)
		if err != nil {
			t.Fatal(err)
		}
		admitted := p.Admits
		for _, path := range []string{problem.AlphaPath, problem.SplitsPath} {
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

// TestTunedMarginChoice: without --mu the margin of fewer validation errors is chosen,
// of equal ones the wider; each is as good on the validation rows as its own run says,
// or better, and a margin that is given is kept.
func TestTunedMarginChoice(t *testing.T) {
	for _, c := range []struct {
		file string
		want float64
	}{
		{"iris.csv", 0.005},
		{"thyroid-ann.csv", 0.0001}, // whose features have long tails
	} {
		ds := realData(t, c.file)
		o := tuneOptions("oct-h-tuned", 2)
		o.WorkLimit = 1_000_000
		res, err := fit.Run(context.Background(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		checkChoice(t, ds, res)
		u := res.Tuning
		if u.Mu != c.want || len(u.Margins) != 2 {
			t.Errorf("%s: margin %v of %v, want %v of two", c.file, u.Mu, u.Margins, c.want)
		}
		for _, m := range u.Margins {
			if m.Chosen != (m.Mu == u.Mu) || m.Mu != u.Mu && m.ValidationErrors < u.ValidationErrors {
				t.Errorf("%s: margin %v is chosen with %v validation errors, of %v", c.file, u.Mu, u.ValidationErrors, u.Margins)
			}
		}
		with(o.Method, "mu", 0.005)
		given, err := fit.Run(context.Background(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		if v := given.Tuning; v.Mu != 0.005 || v.Margins != nil || v.ValidationErrors != u.Margins[0].ValidationErrors {
			t.Errorf("%s: with --mu 0.005 margin %v of %v, %v validation errors; among two it had %v", c.file, v.Mu, v.Margins, v.ValidationErrors, u.Margins[0].ValidationErrors)
		}
	}
}
