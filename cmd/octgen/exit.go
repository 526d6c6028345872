package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/octgen/octgen/dataset"
	runs "github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/slurm"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/solfile"
)

// Exit codes, a contract.
const (
	exitDone        = 0   // done; a limit with a tree included
	exitFailed      = 1   // infeasible, or a check disagrees
	exitUsage       = 2   // wrong usage, bad input, missing solver
	exitNoTree      = 3   // no tree or point, and none ruled out: a limit or an interrupt came first, or the engine cannot decide
	exitInterrupted = 130 // interrupted; the best tree or point was printed and saved
)

// errInterrupted, errPointSoFar and errStopped say that an interrupt ended the work,
// with a result.
var (
	errInterrupted = errors.New("interrupted; the tree is the best one found until then")
	errPointSoFar  = errors.New("interrupted; the point is the best one found until then")
	errStopped     = errors.New("interrupted; what is done is kept, and --resume goes on")
)

// errLeft says that an interrupt ended the waiting, not the jobs.
var errLeft = errors.New("interrupted; the jobs go on: octgen run with --scheduler slurm --wait waits for them, scancel ends them")

// errNoPoint says that a limit or an interrupt came before any point of a model
// was found.
var errNoPoint = errors.New("no point was found")

// inputError is a mistake of the user's: in the arguments or in a file.
type inputError struct{ error }

func (e inputError) Unwrap() error { return e.error }

// badInput marks err as a mistake of the user's; nil stays nil.
func badInput(err error) error {
	if err == nil {
		return nil
	}
	return inputError{err}
}

// exitCode maps an error to the exit code.
func exitCode(err error) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errInterrupted), errors.Is(err, errPointSoFar), errors.Is(err, errStopped), errors.Is(err, errLeft), errors.Is(err, runs.ErrStopped):
		return exitInterrupted
	case errors.Is(err, fit.ErrNoTree), errors.Is(err, errNoPoint), errors.Is(err, context.Canceled):
		return exitNoTree
	case errors.Is(err, fit.ErrCheck), errors.Is(err, fit.ErrInfeasible), errors.Is(err, fit.ErrSolver):
		return exitFailed
	case is[inputError](err), errors.Is(err, fit.ErrInput), errors.Is(err, runs.ErrFolder), errors.Is(err, slurm.ErrCluster), is[*dataset.Error](err),
		is[*solvers.OptionError](err), is[*solvers.UnavailableError](err), is[*mps.FormatError](err), is[*solfile.FormatError](err):
		return exitUsage
	}
	return exitFailed
}

// is says whether err is or wraps an error of that type.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// message is the text of err for people: without the names of packages and of
// error kinds in front, which say nothing to them.
func message(err error) string {
	if err == nil {
		return ""
	}
	if errors.Is(err, context.Canceled) && !errors.Is(err, fit.ErrNoTree) {
		return "interrupted; nothing was written"
	}
	return shortened(plainText(err.Error()))
}

// mostQuoted is the length in bytes above which a message shortens what it quotes.
const mostQuoted = 300

// shortened cuts long texts in quotes: a field may be as long as its file.
func shortened(text string) string {
	parts := strings.SplitAfter(text, "\"")
	for i, part := range parts {
		if i%2 == 1 && len(part) > mostQuoted {
			parts[i] = strings.ToValidUTF8(part[:mostQuoted/5], "") + fmt.Sprintf("... (%d bytes)\"", len(part)-1)
		}
	}
	return strings.Join(parts, "")
}

// plainText drops package names and error kinds.
func plainText(text string) string {
	check := fit.ErrCheck.Error() + ": "
	text, failed := strings.CutPrefix(text, check)
	for _, prefix := range []string{fit.ErrInput.Error(), "formulate", "dataset", "tree", "mps", "solfile"} {
		text = strings.TrimPrefix(text, prefix+": ")
	}
	if failed {
		return check + text
	}
	return text
}
