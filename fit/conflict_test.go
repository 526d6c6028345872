package fit_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/tree/constraint"
)

// TestConflict: an infeasible fit names a minimal set of constraints: no tree satisfies them, and
// some tree does without any one of them.
func TestConflict(t *testing.T) {
	ds, err := dataset.Read(strings.NewReader(nine), "rows.csv", dataset.LoadOptions{Weight: "w"})
	if err != nil {
		t.Fatal(err)
	}
	run := func(o constraint.Options) error {
		m := oct(1, 0, 0)
		m.Rates, m.Structural = o.Rates, o.Structural
		_, err := fit.Run(context.Background(), ds, fit.Options{Method: m})
		return err
	}
	for _, c := range []struct {
		o    constraint.Options
		want string
	}{
		{constraint.Options{Rates: constraint.Rates{Recall: []string{"k0>=0.9", "k1>=0.9", "k2>=0.9"}}, Structural: constraint.Structural{MaxFeatures: 1}}, "recall:k0>=0.9; recall:k2>=0.9, even without the other constraints"},
		{constraint.Options{Rates: constraint.Rates{Recall: []string{"k0>=0.5"}, Share: []string{"k0<=0.1", "k1<=0.9"}}, Structural: constraint.Structural{Forbid: []string{"f0"}}}, "recall:k0>=0.5; share:k0<=0.1, even without the other constraints"},
		{constraint.Options{Structural: constraint.Structural{LeafPurity: 1, Forbid: []string{"nothing"}}}, ""},
		{constraint.Options{Rates: constraint.Rates{Recall: []string{"k0>=0.5"}, Share: []string{"k0<=0.1"}}}, "recall:k0>=0.5; share:k0<=0.1"},
	} {
		err := run(c.o)
		if c.want == "" {
			if err == nil || errors.Is(err, fit.ErrInfeasible) {
				t.Errorf("%+v: %v", c.o, err)
			}
			continue
		}
		if !errors.Is(err, fit.ErrInfeasible) || !strings.HasSuffix(err.Error(), "no tree within the limits satisfies "+c.want) {
			t.Errorf("%+v: %v, want %q", c.o, err, c.want)
			continue
		}
		set, err := constraint.Parse(c.o)
		if err != nil {
			t.Fatal(err)
		}
		named, _, _ := strings.Cut(c.want, ", even")
		only := c.o // the constraints that are named
		for i := len(set.Texts()) - 1; i >= 0; i-- {
			if !strings.Contains(named, set.Texts()[i]) {
				only = only.Without(i)
			}
		}
		if err := run(only); !errors.Is(err, fit.ErrInfeasible) {
			t.Errorf("%s alone: %v", named, err)
		}
		for i := range strings.Split(named, "; ") {
			if err := run(only.Without(i)); err != nil {
				t.Errorf("%s without its constraint %d: %v", named, i, err)
			}
		}
	}
}
