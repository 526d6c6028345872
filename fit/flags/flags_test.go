package flags_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/flags"
)

// TestParse: flags become the options of a fit.
func TestParse(t *testing.T) {
	var f flags.Fit
	args := []string{"--method=oct", "--depth=3", "--alpha=0.01", "--max-splits=5", "--without=thin-last", "--without=blocks", "--time-limit=90", "--solver-option=a=b", "--seed=7"}
	if err := flags.Parse(&f, args); err != nil {
		t.Fatal(err)
	}
	o, err := f.Options()
	if err != nil || f.Check() != nil {
		t.Fatal(err, f.Check())
	}
	if o.Method != "oct" || o.OCT.Depth != 3 || o.OCT.Alpha != 0.01 || o.OCT.MaxSplits != 5 || o.OCT.MinLeaf != 1 ||
		!o.OCT.Tighten.NoThinLast || !o.OCT.Tighten.NoBlocks ||
		o.Solve.TimeLimit != 90*time.Second || o.Solve.Seed != 7 || f.Start != "auto" {
		t.Errorf("%+v", o)
	}
	if diff := cmp.Diff(map[string]string{"a": "b"}, o.Solve.Raw); diff != "" {
		t.Error(diff)
	}
}

// TestDefaults: every method of fit takes its own default flags.
func TestDefaults(t *testing.T) {
	for _, m := range fit.Methods() {
		var f flags.Fit
		if err := flags.Parse(&f, []string{"--method=" + m.Name}); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
		o, err := f.Options()
		if err := errors.Join(err, f.Check()); err != nil || o.Method != m.Name || o.OCT.Depth != 2 {
			t.Errorf("%s: %v, %+v", m.Name, err, o)
		}
	}
}

// TestErrors are bad input, and name the flag.
func TestErrors(t *testing.T) {
	for args, want := range map[string]string{
		"--dpeth=3":                          "unknown flag --dpeth",
		"--depth=x":                          "--depth: expected",
		"--max-splits=0":                     "the most splits is 0, expected 1 or more",
		"--time-limit=-3":                    `"-3" is no time`,
		"--seed=-1":                          "--seed is out of range",
		"--gap=1":                            "--gap is out of range",
		"--method=cart --time-limit=1":       "--time-limit is not for method cart, which needs no solver",
		"--method=rlp-p --alpha=1":           "--alpha is of oct",
		"--method=cart --prune-se=1":         "--prune-se is out of range, expected --prune-folds beside it",
		"--method=oct-h --without=x":         "--without is of the formulation oct",
		"--method=oct-tuned --max-splits=2":  "--max-splits is chosen by oct-tuned",
		"--method=oct-tuned --nu=2":          "--nu is not a parameter of oct-tuned",
		"--method=oct-tuned --gap=0.1":       "--gap is not for method oct-tuned, which needs no solver",
		"--method=oct-tuned --work-limit=-1": "--work-limit is out of range",
		"--work-limit=9":                     "--work-limit is not for method oct",
		"--method=oct-tuned --solver=highs --work-limit=9": "--work-limit is for native searches",
		"--without=x":                   `--without: no tightening "x"`,
		"--method=c45 --criterion=gini": "--criterion is for",
	} {
		var f flags.Fit
		err := flags.Parse(&f, strings.Fields(args))
		if err == nil {
			_, err = f.Options()
		}
		if err == nil {
			err = f.Check()
		}
		if !errors.Is(err, fit.ErrInput) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}

func TestNames(t *testing.T) {
	names := flags.Names(&flags.Fit{})
	for _, want := range []string{"method", "max-splits", "prune-se", "solver-option"} {
		if !slices.Contains(names, want) {
			t.Errorf("no %s in %q", want, names)
		}
	}
	if slices.Contains(names, "help") {
		t.Error("help is no option")
	}
}
