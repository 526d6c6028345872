package main

import (
	"slices"

	"github.com/alecthomas/kong"

	"github.com/octgen/octgen/internal/completion"
	"github.com/octgen/octgen/internal/manpage"
	"github.com/octgen/octgen/method"
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

// complete answers the script of a shell.
func (a *app) complete(words []string) error {
	k, err := a.parser("", func() {})
	if err != nil {
		return err
	}
	return completion.Write(a.stdout, k.Model, words, valuesOf)
}

// valuesOf lists what flags may be given that take names of what is registered.
func valuesOf(flag string) []string {
	switch flag {
	case "method":
		return method.Names()
	case "solver":
		return solvers.Names()
	case "start":
		return append([]string{"none", "auto"}, method.Starters()...)
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

// Run prints the manual page.
func (c *manCmd) Run(a *app, parsed *kong.Context) error {
	nameOwners(parsed.Model)
	return manpage.Write(a.stdout, parsed.Model, version)
}
