package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/octgen/octgen/formulate"
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

// withRootRows is m, the model of f, with the rows that its linear relaxation breaks
// where it has lazy ones, and what is worth saying of both. Decoding needs the columns
// only, which stay.
func withRootRows(ctx context.Context, f formulate.Formulation, m *mio.Model) (*mio.Model, []string, error) {
	lazy, ok := formulate.Lazy(f)
	if !ok {
		return m, nil, nil
	}
	marked := fmt.Sprintf("the last %d rows are lazy: of the others, few solutions break them", m.NumLazy())
	lp := anyLP()
	if lp == nil {
		return m, []string{marked, "no rows of the linear relaxation: no solver finds them here"}, nil
	}
	root, err := formulate.RootRows(ctx, lazy, lp)
	if err != nil {
		return nil, nil, err
	}
	if m, err = m.WithRows(root.Rows, "root", true); err != nil {
		return nil, nil, err
	}
	return m, []string{marked, fmt.Sprintf("%d rows before them, named root, were found in %d linear programs and follow from the others", len(root.Rows), root.Rounds)}, nil
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
