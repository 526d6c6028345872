package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/solvers"
)

// TestExitCode: the contract, for errors as they come, wrapped.
func TestExitCode(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
		text string
	}{
		{nil, 0, ""},
		{fmt.Errorf("%w: it differs", fit.ErrCheck), 1, "check failed: it differs"},
		{fmt.Errorf("%w: formulate: no tree", fit.ErrCheck), 1, "check failed: no tree"},
		{fmt.Errorf("%w: proved", fit.ErrInfeasible), 1, "no tree satisfies the options: proved"},
		{errors.New("disk full"), 1, "disk full"},
		{badInput(errors.New("bad flag")), 2, "bad flag"},
		{fmt.Errorf("%w: formulate: depth is 0", fit.ErrInput), 2, "depth is 0"},
		{&dataset.Error{File: "a.csv", Line: 2, Msg: "ragged"}, 2, "a.csv:2: ragged"},
		{&solvers.OptionError{Solver: "s", Option: "o", Reason: "bad"}, 2, "solver s: option o: bad"},
		{&solvers.UnavailableError{Solver: "s", Reason: "gone"}, 2, "solver s is not available: gone"},
		{badInput(&fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}), 2, "open x: file does not exist"},
		{&fs.PathError{Op: "write", Path: "x", Err: errors.New("no space")}, 1, "write x: no space"},
		{fmt.Errorf("%w: stopped", fit.ErrNoTree), 3, "no tree was found: stopped"},
		{badInput(fmt.Errorf("writing: %w", context.Canceled)), 3, "interrupted; nothing was written"},
		{fmt.Errorf("%w: stopped", errNoPoint), 3, "no point was found: stopped"},
		{errInterrupted, 130, errInterrupted.Error()},
		{errPointSoFar, 130, errPointSoFar.Error()},
	} {
		if got := exitCode(c.err); got != c.code {
			t.Errorf("exitCode(%v) = %d, want %d", c.err, got, c.code)
		}
		if got := message(c.err); got != c.text {
			t.Errorf("message(%v) = %q, want %q", c.err, got, c.text)
		}
	}
	if badInput(nil) != nil {
		t.Error("badInput(nil) is an error")
	}
}
