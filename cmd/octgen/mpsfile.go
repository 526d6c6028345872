package main

import (
	"context"
	"io"
	"strings"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
)

// isLP says whether the name asks for CPLEX-LP instead of MPS.
func isLP(name string) bool {
	return strings.HasSuffix(strings.TrimSuffix(name, ".gz"), ".lp")
}

// writeModel writes a model at path, whose name says whether it is to be LP.
func (a *app) writeModel(ctx context.Context, path string, m *mio.Model, opts mps.Options) (mp *mps.Map, err error) {
	err = a.writeFile(ctx, path, func(w io.Writer) error {
		if isLP(path) {
			mp, err = mps.WriteLP(w, m, mps.LPOptions{Comments: opts.Comments})
		} else {
			mp, err = mps.Write(w, m, opts)
		}
		return err
	})
	return mp, err
}

// layout names what is written at path, where MPS would be in this format.
func layout(path, format string) string {
	if isLP(path) {
		return "lp"
	}
	return format
}

// mpsOptions are those of the flags of that name.
func mpsOptions(dialect, format string, comments ...string) (mps.Options, error) {
	d, err := mps.ParseDialect(dialect)
	opts := mps.Options{Dialect: d, Comments: comments}
	if format == mps.Fixed.String() {
		opts.Format = mps.Fixed
	}
	return opts, badInput(err)
}
