package main

import (
	"slices"

	"github.com/alecthomas/kong"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/internal/completion"
	"github.com/octgen/octgen/internal/manpage"
	"github.com/octgen/octgen/solvers"
)

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
	for _, m := range problems() {
		for _, n := range m.Info().Needs {
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
