package main

import "github.com/octgen/octgen/experiments"

// schemaCmd is `octgen schema`.
type schemaCmd struct{}

// Run prints the schema of specs.
func (c *schemaCmd) Run(a *app) error {
	_, err := a.stdout.Write(experiments.Schema())
	return err
}
