package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"text/tabwriter"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/method"
	"github.com/octgen/octgen/solvers"
)

// solversCmd is `octgen solvers`.
type solversCmd struct {
	Solver     string `placeholder:"NAME" help:"List this one only."`
	SolverPath string `placeholder:"FILE" help:"Its executable, where it is not on PATH."`
}

// Run lists the solvers.
func (c *solversCmd) Run(a *app) error {
	names, lookup := solvers.Names(), solvers.Lookup
	if c.Solver != "" {
		names = []string{c.Solver}
	}
	if c.SolverPath != "" {
		if c.Solver == "" {
			return badInput(errors.New("--solver-path needs --solver, which says whose executable it is"))
		}
		lookup = func(name string) (solvers.Solver, error) { return solvers.LookupAt(name, c.SolverPath) }
	}
	ctx, stop := interruptible(a.ctx, func() {})
	defer stop()
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, name := range names {
		s, err := lookup(name)
		if err != nil {
			return badInput(err)
		}
		if err := solvers.AvailableWithin(ctx, s); ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			fmt.Fprintf(w, "%s\t-\t%v\n", name, reason(err))
			continue
		}
		where := ""
		if path := solvers.Path(s); path != "" {
			where = " (" + path + ")"
		}
		fmt.Fprintf(w, "%s\t%s\tavailable: %s%s\n", name, s.Version(), capabilities(s.Capabilities()), where)
	}
	w.Flush()
	return nil
}

func reason(err error) string {
	if u, ok := err.(*solvers.UnavailableError); ok {
		return "not available: " + u.Reason
	}
	return "not available: " + err.Error()
}

func capabilities(c solvers.Capabilities) string {
	var list []string
	for _, f := range []struct {
		name string
		has  bool
	}{
		{"integers", c.Discrete}, {"quadratic", c.Quadratic}, {"convex quadratic", c.ConvexQuadratic}, {"indicators", c.Indicator}, {"SOS", c.SOS}, {"start", c.Start}, {"time limit", c.TimeLimit}, {"node limit", c.NodeLimit},
		{"iteration limit", c.IterLimit}, {"gaps", c.Gaps}, {"threads", c.Threads}, {"seed", c.Seed},
		{"cutoff", c.Cutoff}, {"progress", c.Progress}, {"log", c.Log}, {"own options", c.Raw},
	} {
		if f.has {
			list = append(list, f.name)
		}
	}
	return strings.Join(list, ", ")
}

// methodsCmd is `octgen methods`.
type methodsCmd struct{}

// Run lists what can be fitted and written.
func (c *methodsCmd) Run(a *app) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "methods of fit, and the engines of those that are problems, the one that is preferred first:")
	for _, m := range method.All() {
		info, proof := m.Info(), ""
		if info.Proof {
			proof = "; proves optimality"
		}
		fmt.Fprintf(w, "  %s\t%s\t%s%s\n", info.Name, enginesText(info.Engines), info.Doc, proof)
	}
	w.Flush()
	return printEncodings(a.stdout)
}

// enginesText lists engines; "-" for those of an algorithm.
func enginesText(all []method.Engine) string {
	if all == nil {
		return "-"
	}
	var names []string
	for _, e := range all {
		names = append(names, string(e))
	}
	return strings.Join(names, ", ")
}

// printEncodings is the table of encodings and the solvers that take them, from
// what both declare.
func printEncodings(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "formulations of mps, their encodings (the first is the default), and who solves them:")
	fmt.Fprint(w, "  form\tencoding\tneeds")
	for _, name := range solvers.Names() {
		fmt.Fprintf(w, "\t%s", name)
	}
	fmt.Fprintln(w)
	for _, m := range problems() {
		for _, n := range m.(method.Problem).Needs() {
			fmt.Fprintf(w, "  %s\t%s\t%s", n.Form, n.Encoding, needsText(n))
			for _, name := range solvers.Names() {
				s, err := solvers.Lookup(name)
				if err != nil {
					return err
				}
				fmt.Fprintf(w, "\t%s", yesNo(takes(s.Capabilities(), n)))
			}
			fmt.Fprintln(w)
		}
	}
	w.Flush()
	return nil
}

// versionCmd is `octgen version`.
type versionCmd struct{}

// Run prints the versions.
func (c *versionCmd) Run(a *app) error {
	fmt.Fprintf(a.stdout, "octgen %s\n%s %s/%s\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	a.stdout.Flush() // before solvers are asked, which may take them a while
	for _, name := range solvers.Names() {
		s, err := solvers.Lookup(name)
		if err != nil {
			return err
		}
		v := s.Version()
		if err := s.Available(); err != nil {
			if name != "highs" {
				continue // which `octgen solvers` lists
			}
			v = reason(err)
		}
		fmt.Fprintf(a.stdout, "%s %s\n", name, v)
	}
	return nil
}

// takes reports whether a solver with these capabilities solves an encoding.
func takes(c solvers.Capabilities, n formulate.EncodingNeeds) bool {
	return (c.Discrete || !n.Discrete) && (c.Quadratic || !n.Quadratic) && (c.Indicator || !n.Indicator) && (c.SOS || !n.SOS)
}

func needsText(n formulate.EncodingNeeds) string {
	var list []string
	for _, f := range []struct {
		name string
		has  bool
	}{{"binaries", n.Discrete}, {"quadratic terms", n.Quadratic}, {"indicators", n.Indicator}, {"SOS", n.SOS}} {
		if f.has {
			list = append(list, f.name)
		}
	}
	if len(list) == 0 {
		return "LP"
	}
	return strings.Join(list, ", ")
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
