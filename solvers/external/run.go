package external

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"time"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/solfile"
)

// run runs the executable and settles its answer.
func (j *job) run(ctx context.Context, invoke invocation) (*mio.Solution, error) {
	r := newRecord()
	log := newLog(j, r)
	defer log.close()
	p := process{path: j.path, invocation: invoke, dir: j.dir, grace: j.opt.Grace, take: log.take, tracked: j.tracked}
	if end, limited := j.deadline(); limited {
		p.limit = max(1, time.Until(end)+lateness)
	}
	end := execute(ctx, p)
	log.finish()
	if end.err != nil {
		return nil, fmt.Errorf("%s: cannot run %s: %w", j.name, j.path, end.err)
	}
	if r.refused != "" {
		return nil, &solvers.OptionError{Solver: j.name, Option: r.refused, Reason: j.title + " does not accept it: " + strings.TrimSpace(r.fatal)}
	}
	if r.licence != "" {
		return nil, &solvers.LicenceError{Solver: j.name, Words: r.licence}
	}
	sol, err := j.conclude(end, r)
	if err != nil {
		return nil, &RunError{Solver: j.name, Reason: err.Error(), Tail: log.tail(), Dir: j.dir, incumbent: j.salvage()}
	}
	sol.Nodes, sol.Iter = r.nodes, r.iter
	return sol, nil
}

// conclude makes the solution of how the process ended, of its log and of the
// files that it left. Its errors are reasons for a RunError.
func (j *job) conclude(end ending, r *record) (*mio.Solution, error) {
	if err := j.failure(end, r); err != nil {
		return nil, err
	}
	a := verify.Answer{Bound: j.mp.ModelObjective(r.bound), StartUsed: r.start}
	read, err := j.answer(j, r)
	missing := err == nil && read == nil || errors.Is(err, fs.ErrNotExist)
	switch {
	case err == nil && read != nil:
		a.Status, a.Limit, a.Values, a.Objective = read.Status, read.Limit, read.Values, read.Objective
	case end.stopped() || missing && (r.limit != mio.NoLimit || r.status != mio.Unknown && !r.status.HasSolution()):
		// It had no time to write, or has nothing to write.
	case missing:
		return nil, errors.New("it left no solution, and its log does not say why")
	default:
		return nil, err
	}
	j.believeLog(&a, r, end)
	if a.Status == mio.Optimal && !j.boundAtEnd {
		a.Bound = math.NaN()
	}
	if a.Status == mio.Optimal && a.Values == nil {
		return nil, errors.New("it claims an optimal solution, but gives none")
	}
	if a.Status == mio.Unknown && a.Limit == mio.NoLimit && a.Values == nil {
		return nil, errors.New("its answer does not say how it ended")
	}
	return verify.Settle(j.m, j.opt.Ask(), a)
}

// salvage returns the point of a run that failed, nil for none.
func (j *job) salvage() *mio.Solution {
	if j.improving == nil {
		return nil
	}
	read, err := j.improving(j)
	if err != nil || read.Values == nil {
		return nil
	}
	sol, err := verify.Settle(j.m, j.opt.Ask(), verify.Answer{Values: read.Values, Objective: read.Objective, Bound: math.NaN(), Notes: []string{"failed"}})
	if err != nil {
		return nil
	}
	sol.Solver = j.title
	return sol
}

// failure says why the process came to nothing, nil if it did not. After a
// verdict without a solution there may be complaints that none can be written.
func (j *job) failure(end ending, r *record) error {
	nothingToWrite := r.status != mio.Unknown && !r.status.HasSolution()
	crash := end.crash(j.exitOK)
	switch {
	case end.stopped():
	case r.fatal != "" && r.status == mio.Unknown && r.limit == mio.NoLimit:
		return errors.New(r.fatal)
	case crash != "" && !(nothingToWrite && end.state.Exited()):
		return errors.New(crash)
	}
	return nil
}

// believeLog completes an answer from the log and from how the process was
// ended, which is the better witness.
func (j *job) believeLog(a *verify.Answer, r *record, end ending) {
	if r.status != mio.Unknown || r.limit != mio.NoLimit {
		a.Status, a.Limit = r.status, r.limit
	}
	if a.Values == nil && a.Status.HasSolution() && a.Limit != mio.NoLimit {
		a.Status = mio.Unknown
	}
	if a.Status == mio.Infeasible || a.Status == mio.Unbounded || a.Status == mio.InfeasibleOrUnbounded || a.Status == mio.NoSolution {
		a.Values = nil
	}
	if a.Status == mio.NoSolution {
		a.Status = mio.Unknown // which Settle makes it again, without a start
	}
	if r.words != "" {
		a.Notes = append(a.Notes, r.words)
	}
	conclusive := a.Limit == mio.NoLimit && a.Status != mio.Unknown && a.Status != mio.Feasible
	if !end.stopped() || conclusive { // it may have finished just then
		if len(a.Notes) == 0 {
			a.Notes = append(a.Notes, a.Status.String())
		}
		return
	}
	switch {
	case end.interrupted:
		a.Limit = mio.LimitInterrupt
		a.Notes = append(a.Notes, "asked to stop")
	case end.late:
		a.Limit = mio.LimitTime
		a.Notes = append(a.Notes, "stopped, being late at its time limit")
	}
	if a.Values == nil {
		a.Status = mio.Unknown
	}
}

// maxSolution is the largest solution file that is read: a line of each column
// and row, with its name and more, several times over.
func (j *job) maxSolution() int64 {
	return 64<<20 + 4096*int64(j.m.NumCols()+j.m.NumRows())
}

// readSolution reads a file of the optimizer's format.
func (j *job) readSolution(name string) (*mio.Solution, error) {
	return j.readAs(j.format, name)
}

// readAs reads a file of a format.
func (j *job) readAs(format solfile.Format, name string) (*mio.Solution, error) {
	return solfile.ReadFile(j.file(name), format, j.m, j.mp, solfile.ReadOptions{MaxBytes: j.maxSolution()})
}

// solution is the answer of optimizers that write one file.
func solution(j *job, _ *record) (*mio.Solution, error) { return j.readSolution(solutionFile) }

// A RunError says that an executable crashed, found no licence, or gave an
// answer that does not parse or that the check refutes.
type RunError struct {
	Solver string   // name of the solver
	Reason string   // what happened
	Tail   []string // the last lines of its log
	Dir    string   // the folder with all files of the run, which is kept

	incumbent *mio.Solution
}

// Incumbent is the best point that the executable had written before it failed
// or, where that is better, the start; nil where it wrote none. It was checked.
func (e *RunError) Incumbent() *mio.Solution { return e.incumbent }

func (e *RunError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", e.Solver, e.Reason)
	if len(e.Tail) == 0 {
		b.WriteString("; it printed nothing")
	} else {
		b.WriteString("; the end of its log:\n    " + strings.Join(e.Tail, "\n    "))
	}
	fmt.Fprintf(&b, "\nits files are kept in %s", e.Dir)
	return b.String()
}

func asRunError(err error, target **RunError) bool { return errors.As(err, target) }
