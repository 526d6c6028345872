package flags

import (
	"errors"
	"fmt"
	"slices"

	"github.com/octgen/octgen/fit"
)

// Tune are the parameters of the methods that choose alpha themselves.
type Tune struct {
	Validation Part   `placeholder:"1/3" group:"Tuning" help:"oct-tuned, oct-h-tuned, cart-tuned: part of the training rows that alpha is chosen by (default: a third)."`
	Path       string `placeholder:"alpha|splits" group:"Tuning" help:"oct-tuned, oct-h-tuned: find the trees by breakpoints of alpha (default) or for each number of splits."`
	Refit      bool   `group:"Tuning" help:"oct-tuned, oct-h-tuned, cart-tuned: fit once more to all training rows, at the alpha chosen."`
}

func (f *Tune) tune() fit.TuneOptions {
	return fit.TuneOptions{Validation: float64(f.Validation), Path: f.Path, Refit: f.Refit}
}

// Tunable refuses the flags that say what a tuned method chooses, and those of
// programs, which are the usual ones.
func (c *Fit) Tunable() error {
	switch {
	case c.Alpha != 0:
		return badInput(fmt.Errorf("--alpha is chosen by %s", c.Method))
	case c.MaxSplits != 0:
		return badInput(fmt.Errorf("--max-splits is chosen by %s, as alpha", c.Method))
	case c.Mu != 0 && c.Method != "oct-h-tuned":
		return badInput(errors.New("--mu is of methods with hyperplane splits"))
	case c.planesOnly() != "":
		return badInput(fmt.Errorf("%s is not a parameter of %s", c.planesOnly(), c.Method))
	case c.Encoding != "":
		return badInput(fmt.Errorf("--encoding is of oct and oct-h; %s takes the usual one", c.Method))
	}
	return c.OCTOnly(c.Method)
}

// checkTuned refuses the flags of tuning for other methods, and numbers out of
// range.
func (c *Fit) checkTuned() error {
	all := []string{"cart-tuned", "oct-h-tuned", "oct-tuned"}
	for _, f := range []nativeFlag{
		{"--validation", c.Validation != 0, all},
		{"--path", c.Path != "", all[1:]},
		{"--refit", c.Refit, all},
		{"--work-limit", c.WorkLimit != 0, []string{"local-search", "oct-h-tuned", "oct-tuned", "treesearch"}},
	} {
		if f.used && !slices.Contains(f.methods, c.Method) {
			return badInput(fmt.Errorf("%s is not for method %s", f.name, c.Method))
		}
	}
	switch {
	case c.Path != "" && c.Path != fit.AlphaPath && c.Path != fit.SplitsPath:
		return badInput(fmt.Errorf("--path: no path %q; they are %s and %s", c.Path, fit.AlphaPath, fit.SplitsPath))
	case c.WorkLimit != 0 && c.Solver != "":
		return badInput(errors.New("--work-limit is for native searches; with a solver, --time-limit and --node-limit end solves"))
	case fit.IsTuned(c.Method) && c.Start != "auto":
		return badInput(fmt.Errorf("--start is not for method %s, which starts from CART and its own earlier trees", c.Method))
	}
	return nil
}
