//go:build cgo && !nohighs

package highs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// onThread runs f with a fresh quiet object on a thread of its own and waits
// for it.
func onThread(f func(*object) error) error {
	done := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // the thread ends with the goroutine
		o, err := newObject()
		if err == nil {
			err = f(o)
			o.close()
			endThread()
		}
		done <- err
	}()
	return <-done
}

// WriteModel writes the model, with its names, by HiGHS's own writer: as MPS
// or CPLEX-LP by the ending of path, ".mps" or ".lp". It is there to compare
// octgen's writers with.
func WriteModel(ctx context.Context, m *mio.Model, path string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !m.IsLinear() {
		return errors.New("highs: WriteModel writes linear models only; this one has quadratic terms, indicators or SOS sets")
	}
	return onThread(func(o *object) error {
		if err := o.load(m); err != nil {
			return err
		}
		if err := o.name(m); err != nil {
			return err
		}
		return o.writeFile(path)
	})
}

// ReadModel has HiGHS read a model file (MPS or CPLEX-LP by its name's ending)
// and returns its size. It is there to compare octgen's reader with.
func ReadModel(ctx context.Context, path string) (columns, rows, nonzeros int, err error) {
	if err := ctx.Err(); err != nil {
		return 0, 0, 0, err
	}
	err = onThread(func(o *object) error {
		if err := o.readFile(path); err != nil {
			return err
		}
		columns, rows, nonzeros = o.size()
		return nil
	})
	return columns, rows, nonzeros, err
}

// FileResult is the outcome of [SolveFile].
type FileResult struct {
	Columns, Rows, Nonzeros int // of the model as HiGHS read it

	// Solution holds HiGHS's own figures, unchecked; Values are in the order
	// of the file's columns.
	Solution *mio.Solution
}

// SolveFile has HiGHS read a model file (MPS or CPLEX-LP by its name's ending)
// and solve it. Of the options, Start and IterLimit are not supported.
func SolveFile(ctx context.Context, path string, opt solvers.Options) (*FileResult, error) {
	if opt.Start != nil {
		return nil, optionError("Start", "is not supported for files")
	}
	if opt.IterLimit != 0 {
		return nil, optionError("IterLimit", "is not supported for files")
	}
	if err := (solver{}).Available(); err != nil {
		return nil, err
	}
	if opt.Grace == 0 {
		opt.Grace = solvers.DefaultGrace
	}
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("highs: %w", err)
	}
	s := newSession(0, false, opt.Progress == nil && opt.Log == nil)
	j := &job{
		session: s,
		opt:     &opt,
		log:     opt.Log,
		isMIP:   true,
		load: func(o *object) error {
			if err := o.readFile(path); err != nil {
				return err
			}
			cols, rows, nonzeros := o.size()
			s.describe(cols, rows, nonzeros, o.maximizes())
			return nil
		},
	}
	out, err := j.do(ctx)
	if err != nil {
		return nil, err
	}
	if err := out.failure(); err != nil {
		return nil, err
	}
	res := &FileResult{Columns: out.columns, Rows: out.rows, Nonzeros: out.nonzeros}
	r := newReport(out)
	if a := out.answer; a != nil && r.Values != nil {
		r.Objective = a.objective
		if !a.mip && r.Status == mio.Optimal {
			r.Bound = r.Objective
		}
		if r.Status == mio.Unknown {
			r.Status = mio.Feasible
		}
	}
	res.Solution = r.finish()
	return res, nil
}
