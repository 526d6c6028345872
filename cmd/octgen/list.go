package main

import (
	"fmt"
	"runtime"
	"strings"
	"text/tabwriter"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/solvers"
)

// solversCmd is `octgen solvers`.
type solversCmd struct{}

// Run lists the solvers.
func (c *solversCmd) Run(a *app) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, name := range solvers.Names() {
		s, err := solvers.Lookup(name)
		if err != nil {
			return err
		}
		if err := s.Available(); err != nil {
			fmt.Fprintf(w, "%s\t-\t%v\n", name, reason(err))
			continue
		}
		fmt.Fprintf(w, "%s\t%s\tavailable: %s\n", name, s.Version(), capabilities(s.Capabilities()))
	}
	return w.Flush()
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
		{"integers", c.Discrete}, {"start", c.Start}, {"time limit", c.TimeLimit}, {"node limit", c.NodeLimit},
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
	fmt.Fprintln(w, "methods of fit:")
	for _, m := range fit.Methods() {
		proof := ""
		if m.Proof {
			proof = "; proves optimality"
		}
		fmt.Fprintf(w, "  %s\t%s%s\n", m.Name, m.Doc, proof)
	}
	fmt.Fprintln(w, "formulations of mps, and their encodings (the first is the default):")
	for _, f := range forms() {
		names := make([]string, len(f.encodings))
		for i, e := range f.encodings {
			names[i] = string(e)
		}
		fmt.Fprintf(w, "  %s\t%s\n", f.name, strings.Join(names, ", "))
	}
	return w.Flush()
}

// versionCmd is `octgen version`.
type versionCmd struct{}

// Run prints the versions.
func (c *versionCmd) Run(a *app) error {
	fmt.Fprintf(a.stdout, "octgen %s\n%s %s/%s\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	for _, name := range solvers.Names() {
		s, err := solvers.Lookup(name)
		if err != nil {
			return err
		}
		v := s.Version()
		if err := s.Available(); err != nil {
			v = reason(err)
		}
		fmt.Fprintf(a.stdout, "%s %s\n", name, v)
	}
	return nil
}
