package main

import "github.com/octgen/octgen/experiments/spec"

// schemaCmd is `octgen schema`.
type schemaCmd struct{}

// Run prints the schema of specs.
func (c *schemaCmd) Run(a *app) error {
	a.stdout.Write(spec.Schema())
	return nil
}
