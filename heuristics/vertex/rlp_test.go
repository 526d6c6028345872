package vertex

import (
	"context"
	"errors"
	"testing"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/linear"
	"github.com/octgen/octgen/internal/datatest"
)

// TestRLPProvesRealData: value and bound agree on data of all kinds: with dependent one-hot
// columns, separable or nearly so, many features, many classes, many rows; and the tree has the
// objective that formulate computes.
func TestRLPProvesRealData(t *testing.T) {
	ctx := context.Background()
	for _, name := range []string{
		"car-evaluation", "chess-kr-vs-kp", "contree-htru", "credit-approval", "cylinder-bands", "dermatology", "ionosphere",
		"ozone-one", "qsar-biodegradation", "soybean-small", "statlog-german-credit", "thyroid-ann", "tic-tac-toe", "wdbc",
	} {
		ds := datatest.Load(t, name)
		res, err := RLP(ctx, ds, RLPOptions{})
		if err != nil {
			t.Fatal(name, err)
		}
		if res.Stats.Stopped || res.Objective-res.Bound > 1e-10*(1+res.Objective) {
			t.Errorf("%s: objective %v, bound %v", name, res.Objective, res.Bound)
		}
		f, err := linear.RLPOptions{OmitNames: true}.Build(ctx, ds)
		if err != nil {
			t.Fatal(name, err)
		}
		if v := f.Objective(res.Tree); v-res.Objective > 1e-7 || res.Objective-v > 1e-7 {
			t.Errorf("%s: objective %v, the tree has %v", name, res.Objective, v)
		}
	}
}

// TestRLPLimits: a limit leaves a valid tree and a valid bound.
func TestRLPLimits(t *testing.T) {
	ctx := context.Background()
	ds := datatest.Load(t, "pima")
	full, err := RLP(ctx, ds, RLPOptions{})
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	for name, run := range map[string]func() (*RLPResult, error){
		"steps":     func() (*RLPResult, error) { return RLP(ctx, ds, RLPOptions{MaxSteps: 3}) },
		"time":      func() (*RLPResult, error) { return RLP(expired(t), ds, RLPOptions{}) },
		"cancelled": func() (*RLPResult, error) { return RLP(gone, ds, RLPOptions{}) },
	} {
		res, err := run()
		if err != nil {
			t.Fatal(name, err)
		}
		if !res.Stats.Stopped || res.Objective < full.Objective-1e-9 || res.Bound > full.Objective+1e-9 || res.Tree.Validate() != nil {
			t.Errorf("%s: %+v", name, res)
		}
	}
	if _, err := RLP(ctx, ds, RLPOptions{MaxSteps: -1}); err == nil {
		t.Error("negative limit")
	}
	one := *ds
	one.Y = make([]int, ds.N())
	if _, err := RLP(ctx, &one, RLPOptions{}); !errors.Is(err, formulate.ErrSingleLeaf) {
		t.Errorf("error %v, want ErrSingleLeaf", err)
	}
}
