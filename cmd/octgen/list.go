package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/internal/completion"
	"github.com/octgen/octgen/internal/manpage"
	"github.com/octgen/octgen/solvers"
)

// solversCmd is `octgen solvers`.
type solversCmd struct {
	Solver     string `placeholder:"NAME" help:"List this one only."`
	SolverPath string `placeholder:"FILE" help:"Path of its executable, if it is not on PATH."`
	Python     string `placeholder:"FILE" help:"Python interpreter that has its package."`
}

// Run lists the solvers.
func (c *solversCmd) Run(a *app) error {
	at := solvers.Place{Executable: c.SolverPath, Python: c.Python}
	names := solvers.Names()
	if c.Solver != "" {
		names = []string{c.Solver}
	}
	if c.SolverPath != "" && c.Solver == "" {
		return badInput(errors.New("--solver-path needs --solver, which says whose executable it is"))
	}
	ctx, stop := interruptible(a.ctx, func() {})
	defer stop()
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, name := range names {
		s, err := solvers.LookupAt(name, at)
		if err != nil && c.Solver == "" { // it has no package
			s, err = solvers.Lookup(name)
		}
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
		if found := solvers.Where(s); found != "" {
			where = " (" + found + ")"
		}
		fmt.Fprintf(w, "%s\t%s\tavailable: %s%s\n", name, s.Version(), capabilities(s.Capabilities()), where)
	}
	w.Flush()
	return nil
}

func reason(err error) string {
	text := err.Error()
	if u, ok := err.(*solvers.UnavailableError); ok {
		text = u.Reason
	}
	return "not available: " + text
}

func capabilities(c solvers.Capabilities) string {
	return having([]trait{
		{"integers", c.Discrete}, {"quadratic", c.Quadratic}, {"convex quadratic", c.ConvexQuadratic}, {"quadratic objective", c.NonconvexObjective}, {"no continuous columns", c.OnlyDiscrete}, {"indicators", c.Indicator}, {"SOS", c.SOS}, {"start", c.Start}, {"time limit", c.TimeLimit}, {"node limit", c.NodeLimit},
		{"iteration limit", c.IterLimit}, {"gaps", c.Gaps}, {"threads", c.Threads}, {"seed", c.Seed},
		{"cutoff", c.Cutoff}, {"progress", c.Progress}, {"log", c.Log}, {"own options", c.Raw},
	})
}

// trait is something that a solver may have or an encoding may need.
type trait struct {
	name string
	has  bool
}

// having lists the traits that are there.
func having(of []trait) string {
	var list []string
	for _, t := range of {
		if t.has {
			list = append(list, t.name)
		}
	}
	return strings.Join(list, ", ")
}

// methodsCmd is `octgen methods`.
type methodsCmd struct{}

// Run lists what can be fitted and written.
func (c *methodsCmd) Run(a *app) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "methods of fit; for those with a choice of engines, the engines, the default first:")
	for _, info := range problem.Infos() {
		proof := ""
		if info.Proof {
			proof = "; proves optimality"
		}
		fmt.Fprintf(w, "  %s\t%s\t%s%s\n", info.Name, enginesText(info.Engines), info.Doc, proof)
	}
	w.Flush()
	printEncodings(a.stdout)
	return nil
}

// enginesText lists engines; "-" for those of an algorithm.
func enginesText(all []problem.Engine) string {
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
func printEncodings(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "formulations of mps, their encodings (default first), and the solvers that support them:")
	fmt.Fprint(w, "  form\tencoding\tneeds")
	for _, name := range solvers.Names() {
		fmt.Fprintf(w, "\t%s", name)
	}
	fmt.Fprintln(w)
	for _, info := range problem.Infos() {
		for _, n := range info.Needs {
			fmt.Fprintf(w, "  %s\t%s\t%s", n.Form, n.Encoding, needsText(n))
			for _, name := range solvers.Names() {
				s, _ := solvers.Lookup(name) // which is there
				fmt.Fprintf(w, "\t%s", map[bool]string{true: "yes", false: "no"}[takes(s.Capabilities(), n)])
			}
			fmt.Fprintln(w)
		}
	}
	w.Flush()
}

// versionCmd is `octgen version`.
type versionCmd struct{}

// Run prints the versions of what is in this program. Executables would have to be started to
// tell theirs: `octgen solvers` does.
func (c *versionCmd) Run(a *app) error {
	fmt.Fprintf(a.stdout, "octgen %s\n%s %s/%s\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	s, err := solvers.Lookup("highs")
	if err == nil {
		err = s.Available()
	}
	v := ""
	if err != nil {
		v = reason(err)
	} else {
		v = s.Version()
	}
	fmt.Fprintf(a.stdout, "highs %s\n", v)
	return nil
}

// takes reports whether a solver with these capabilities solves an encoding.
func takes(c solvers.Capabilities, n formulate.EncodingNeeds) bool {
	return (!c.OnlyDiscrete || n.Integral) && (c.Discrete || !n.Discrete) && (c.Quadratic || c.NonconvexObjective && !n.QuadRows || !n.Quadratic) && (c.Quadratic || c.NonconvexObjective || c.ConvexQuadratic || !n.Convex) && (c.Indicator || !n.Indicator) && (c.SOS || !n.SOS)
}

func needsText(n formulate.EncodingNeeds) string {
	traits := []trait{{"binaries", n.Discrete}, {"quadratic terms", n.Quadratic}, {"convex quadratic terms", n.Convex}, {"indicators", n.Indicator}, {"SOS", n.SOS}}
	return cmp.Or(having(traits), "LP")
}

// completionCmd is `octgen completion`.
type completionCmd struct {
	Shell string `arg:"" enum:"${shells}" help:"Shell: ${enum}."`
}

// Run prints the script of a shell.
func (c *completionCmd) Run(a *app) error {
	_, err := a.stdout.WriteString(completion.Script(c.Shell, "octgen"))
	return err
}

// valuesOf lists what flags may be given that take names of what is registered.
func valuesOf(flag string) []string {
	switch flag {
	case "method":
		return problem.Names()
	case "solver":
		return solvers.Names()
	case "start":
		return append([]string{"none", "auto"}, problem.Starters()...)
	case "encoding":
		return encodings()
	}
	return nil
}

// encodings lists the names of encodings of all problems.
func encodings() []string {
	var all []string
	for _, info := range problem.Infos() {
		for _, n := range info.Needs {
			all = append(all, string(n.Encoding))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// manCmd is `octgen man`.
type manCmd struct{}

// Run prints the manual page; parsed has the grammar of all commands.
func (c *manCmd) Run(a *app, parsed *kong.Context) error {
	nameOwners(parsed.Model)
	return manpage.Write(a.stdout, parsed.Model, version)
}

// nameOwners says in the help of the commands that have the methods' flags whose these are.
func nameOwners(app *kong.Application) {
	for command, of := range map[string][]problem.Method{"fit": problem.All(), "mps": problems()} {
		i := slices.IndexFunc(app.Children, func(n *kong.Node) bool { return n.Name == command })
		nameMethods(app.Children[i], names(of))
	}
}

// schemaCmd is `octgen schema`.
type schemaCmd struct{}

// Run prints the schema of specs.
func (c *schemaCmd) Run(a *app) error {
	a.stdout.Write(spec.Schema())
	return nil
}
