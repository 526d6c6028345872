package flags

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/heuristics/localsearch"
	"github.com/octgen/octgen/heuristics/oc1"
	"github.com/octgen/octgen/tree"
)

// Native are the parameters of the methods that need no solver.
type Native struct {
	Criterion    string   `placeholder:"NAME" group:"Native" help:"What a split minimises. cart: gini (default), entropy or misclassification; oc1: twoing (default), gini, information-gain, max-minority, sum-minority or sum-of-impurity."`
	PruneFolds   int      `placeholder:"N" group:"Native" help:"cart: prune by cross-validation with so many folds."`
	PruneSE      *float64 `name:"prune-se" placeholder:"S" group:"Native" help:"cart with --prune-folds (default 0), oc1 (default 0.5): prune to the smallest subtree within S standard errors of the best."`
	PruneHoldout *float64 `placeholder:"0.1" group:"Native" help:"oc1: part of the rows kept from growing, for pruning; 0 for no pruning."`
	Confidence   *float64 `placeholder:"0.25" group:"Native" help:"c45, msmt: confidence of pessimistic pruning; 1 for no pruning."`
	CacheMB      *int64   `name:"cache-mb" placeholder:"256" group:"Native" help:"treesearch: memory for what is remembered of sets of rows, in MB; 0 for none."`
	Restarts     int      `placeholder:"N" group:"Native" help:"oc1: initial hyperplanes per node; local-search: stop after this many trees begun anew (default: after work of one to four seconds)."`
	Jumps        *int     `placeholder:"5" group:"Native" help:"oc1: random directions tried at a local minimum."`
	Order        string   `placeholder:"NAME" group:"Native" help:"oc1: order of the coefficients: seq (default), best or r-50."`
	Splits       string   `placeholder:"NAME" group:"Native" help:"local-search: univariate (default) or hyperplane splits."`
	AxisOnly     bool     `group:"Native" help:"oc1: univariate splits only."`
	Iterations   int      `placeholder:"N" group:"Native" help:"epts, frank-wolfe: most iterations (default: 10000, 1000)."`
	FewestErrors bool     `group:"Native" help:"epts, frank-wolfe: of the trees visited, the one with the fewest training errors instead of the least error."`
	Purity       float64  `placeholder:"I" group:"Native" help:"oc1: nodes of at most this impurity are leaves (default 0)."`
}

// nativeFlag is a flag and the methods that have it.
type nativeFlag struct {
	name    string
	used    bool
	methods []string
}

func (f *Native) flags() []nativeFlag {
	return []nativeFlag{
		{"--criterion", f.Criterion != "", []string{"cart", "cart-tuned", "oc1"}},
		{"--prune-folds", f.PruneFolds != 0, []string{"cart"}},
		{"--prune-se", f.PruneSE != nil, []string{"cart", "oc1"}},
		{"--prune-holdout", f.PruneHoldout != nil, []string{"oc1"}},
		{"--confidence", f.Confidence != nil, []string{"c45", "msmt"}},
		{"--cache-mb", f.CacheMB != nil, []string{"oct-tuned", "treesearch"}},
		{"--restarts", f.Restarts != 0, []string{"local-search", "oc1"}},
		{"--jumps", f.Jumps != nil, []string{"oc1"}},
		{"--order", f.Order != "", []string{"oc1"}},
		{"--splits", f.Splits != "", []string{"local-search"}},
		{"--axis-only", f.AxisOnly, []string{"oc1"}},
		{"--iterations", f.Iterations != 0, []string{"epts", "frank-wolfe"}},
		{"--fewest-errors", f.FewestErrors, []string{"epts", "frank-wolfe"}},
		{"--purity", f.Purity != 0, []string{"oc1"}},
	}
}

// IsNative says whether the method needs no solver.
func IsNative(method string) bool {
	return slices.ContainsFunc(fit.Methods(), func(m fit.Method) bool { return m.Name == method && m.Native() })
}

// refuse returns an error, worded by text, for the first flag that was used and
// that the method does not have.
func refuse(flags []nativeFlag, method string, text func(nativeFlag) string) error {
	for _, f := range flags {
		if f.used && !slices.Contains(f.methods, method) {
			return badInput(errors.New(text(f)))
		}
	}
	return nil
}

// Heuristics returns the options of the native methods; by says which of them runs,
// as the method or as its start.
func (f *Native) Heuristics(method, by string) (o fit.HeuristicOptions, err error) {
	err = refuse(f.flags(), by, func(flag nativeFlag) string {
		return fmt.Sprintf("%s is for %s, neither the method nor the start here", flag.name, listed(flag.methods))
	})
	if err != nil {
		return o, err
	}
	if err := f.ranges(by); err != nil {
		return o, badInput(err)
	}
	if f.Splits != "" && !IsNative(method) {
		return o, badInput(fmt.Errorf("--splits is for method local-search; a start has the splits of %s", method))
	}
	switch by {
	case "cart", "cart-tuned":
		return o, badInput(f.cart(&o.CART))
	case "c45":
		o.C45.Confidence, o.C45.NoPruning = f.pessimism()
	case "epts":
		o.EPTS.Tabu.Iterations, o.EPTS.FewestErrors = f.Iterations, f.FewestErrors
	case "frank-wolfe":
		o.FrankWolfe.Iterations, o.FrankWolfe.FewestErrors = f.Iterations, f.FewestErrors
	case "local-search":
		return o, badInput(f.localSearch(&o.LocalSearch))
	case "msmt":
		o.MSMT.Confidence, o.MSMT.NoPruning = f.pessimism()
	case "oc1":
		return o, badInput(f.oc1(&o.OC1))
	case "treesearch", "oct-tuned":
		f.treesearch(&o)
	}
	return o, nil
}

// listed joins names: a, b and c.
func listed(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

func (f *Native) ranges(by string) error {
	between := func(v *float64, low, high float64, from bool) bool {
		return v == nil || *v < high && (*v > low || from && *v == low)
	}
	for _, c := range []struct {
		name string
		good bool
		want string
	}{
		{"--prune-folds", f.PruneFolds == 0 || f.PruneFolds >= 2, "2 or more"},
		{"--prune-se", between(f.PruneSE, 0, math.Inf(1), true), "0 or more"},
		{"--prune-se", by != "cart" || f.PruneSE == nil || f.PruneFolds != 0, "--prune-folds beside it"},
		{"--prune-holdout", between(f.PruneHoldout, 0, 1, true), "a number from 0 to less than 1"},
		{"--confidence", between(f.Confidence, 0, 1, false) || *f.Confidence == 1, "a number above 0, at most 1"},
		{"--cache-mb", f.CacheMB == nil || *f.CacheMB >= 0 && *f.CacheMB < 1<<30, "0 or more"},
		{"--restarts", f.Restarts >= 0, "1 or more"},
		{"--jumps", f.Jumps == nil || *f.Jumps >= 0, "0 or more"},
		{"--iterations", f.Iterations >= 0, "1 or more"},
		{"--purity", f.Purity >= 0, "0 or more"},
	} {
		if !c.good {
			return fmt.Errorf("%s is out of range, expected %s", c.name, c.want)
		}
	}
	return nil
}

func (f *Native) cart(o *cart.Options) (err error) {
	if f.Criterion != "" {
		if o.Criterion, err = tree.ParseCriterion(f.Criterion); err != nil {
			return fmt.Errorf("--criterion: %w", err)
		}
	}
	o.Folds = f.PruneFolds
	if f.PruneSE != nil {
		o.PruneSE = *f.PruneSE
	}
	return nil
}

// pessimism is the confidence of pessimistic pruning, 0 for the default, and
// whether there is none.
func (f *Native) pessimism() (confidence float64, none bool) {
	switch {
	case f.Confidence == nil:
		return 0, false
	case *f.Confidence == 1:
		return 0, true
	}
	return *f.Confidence, false
}

func (f *Native) localSearch(o *localsearch.Options) error {
	switch f.Splits {
	case "", fit.UnivariateSplits:
	case fit.HyperplaneSplits:
		o.Hyperplanes = true
	default:
		return fmt.Errorf("--splits: no splits %q; they are %s or %s", f.Splits, fit.UnivariateSplits, fit.HyperplaneSplits)
	}
	o.Restarts = f.Restarts
	return nil
}

func (f *Native) treesearch(o *fit.HeuristicOptions) {
	switch {
	case f.CacheMB == nil:
	case *f.CacheMB == 0:
		o.CacheMemory = -1 // 0 is the default in the options, none on the command line
	default:
		o.CacheMemory = *f.CacheMB << 20
	}
}

func (f *Native) oc1(o *oc1.Options) (err error) {
	if f.Criterion != "" {
		if o.Impurity, err = oc1.ParseImpurity(f.Criterion); err != nil {
			return fmt.Errorf("--criterion: %w", err)
		}
	}
	if f.Order != "" {
		if o.Order, err = oc1.ParseOrder(f.Order); err != nil {
			return fmt.Errorf("--order: %w", err)
		}
	}
	o.Restarts, o.AxisOnly, o.Threshold = f.Restarts, f.AxisOnly, f.Purity
	// 0 is the default in the options, none on the command line.
	none := func(v float64) float64 {
		if v == 0 {
			return -1
		}
		return v
	}
	if f.PruneSE != nil {
		o.PruneSE = none(*f.PruneSE)
	}
	if f.PruneHoldout != nil {
		o.Holdout = none(*f.PruneHoldout)
	}
	if f.Jumps != nil {
		o.Jumps = int(none(float64(*f.Jumps)))
	}
	return nil
}
