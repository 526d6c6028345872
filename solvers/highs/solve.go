//go:build cgo && !nohighs

package highs

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/solvers"
)

// Name is the name under which the solver is registered.
const Name = "highs"

func init() { solvers.Register(solver{}) }

// New returns the solver, which validates its input.
func New() solvers.Solver { return solvers.Checked(solver{}) }

type solver struct{}

func (solver) Name() string    { return Name }
func (solver) Version() string { return libraryVersion() }

// Available compares the library with the headers it was compiled against,
// whose structures the callbacks rely on.
func (solver) Available() error {
	if lib, hdr := libraryVersion(), headerVersion(); lib != hdr {
		return &solvers.UnavailableError{Solver: Name, Reason: fmt.Sprintf("the library is HiGHS %s, but octgen was compiled with the headers of %s; build octgen again (with the output of make env, so that Go's cache sees the change)", lib, hdr)}
	}
	return nil
}

func (solver) Capabilities() solvers.Capabilities {
	return solvers.Capabilities{
		Discrete: true, TimeLimit: true, NodeLimit: true, IterLimit: true, Gaps: true, Threads: true, Seed: true,
		Start: true, Progress: true, Log: true, Raw: true,
		Cutoff: false, // HiGHS ignores objective_bound when it solves a MIP
	}
}

func (solver) Solve(ctx context.Context, m *mio.Model, opt solvers.Options) (*mio.Solution, error) {
	if m.NumCols() == 0 {
		s := verify.SettleEmpty(m)
		s.Solver = solverName()
		return s, nil
	}
	j := &job{
		session: newSession(m.NumCols(), m.Sense() == mio.Maximize, opt.Progress == nil && opt.Log == nil),
		opt:     &opt,
		log:     opt.Log,
		isMIP:   m.NumDiscrete() > 0,
		load:    func(o *object) error { return o.load(m) },
	}
	out, err := j.do(ctx)
	if err != nil {
		return nil, err
	}
	return conclude(m, &opt, out)
}

func solverName() string { return "HiGHS " + libraryVersion() }

// lateness is how long HiGHS may be late at its own time limit before it is
// interrupted, as by a context; from then on it has Options.Grace.
const lateness = 100 * time.Millisecond

// job is one run of HiGHS on a thread of its own.
type job struct {
	session *session
	opt     *solvers.Options // read only
	log     io.Writer        // opt.Log until it fails
	isMIP   bool
	load    func(*object) error // loads the model and nothing else
}

// outcome is what is known when a job has ended or was left behind.
type outcome struct {
	answer   *answer // nil if HiGHS was interrupted and did not end in time
	limit    mio.Limit
	snapshot solvers.Event // of the callbacks
	values   []float64     // of the callbacks' best incumbent
	first    float64       // objective of the first incumbent
	startLog string
	problems []string
	runtime  time.Duration

	columns, rows, nonzeros int
	maximize                bool
}

type threadResult struct {
	answer answer
	err    error
}

// do runs the job, hands on progress and log, and waits for its end, a limit
// or the context.
func (j *job) do(ctx context.Context) (*outcome, error) {
	s := j.session
	defer s.close() // also when Progress or Log panics
	if ctx.Err() != nil {
		return j.outcome(nil, mio.LimitInterrupt), nil
	}
	done := make(chan threadResult, 1)
	go func() {
		// Never unlocked: the thread, and what HiGHS keeps for it, ends with
		// this goroutine.
		runtime.LockOSThread()
		done <- j.thread()
	}()

	limit := mio.NoLimit
	var overdue <-chan time.Time // HiGHS looks at its clock now and then; inside a long LP it does not
	if j.opt.TimeLimit > 0 {
		t := time.NewTimer(j.opt.TimeLimit + lateness)
		defer t.Stop()
		overdue = t.C
	}
	var graceOver <-chan time.Time
	stop := func(why mio.Limit) {
		limit, overdue = why, nil
		s.stop()
		t := time.NewTimer(j.opt.Grace)
		graceOver = t.C
	}
	interrupt := ctx.Done()
	for {
		select {
		case <-s.wake:
			j.deliver()
		case r := <-done:
			j.deliver()
			if r.err != nil {
				return nil, r.err
			}
			return j.outcome(&r.answer, limit), nil
		case <-overdue:
			stop(mio.LimitTime)
		case <-interrupt:
			interrupt = nil
			stop(mio.LimitInterrupt)
		case <-graceOver:
			j.deliver()
			return j.outcome(nil, limit), nil
		}
	}
}

// thread does all that touches the HiGHS object.
func (j *job) thread() (r threadResult) {
	o, err := newObject()
	if err != nil {
		return threadResult{err: err}
	}
	iterLimit := int64(0)
	if j.isMIP {
		iterLimit = j.opt.IterLimit
	}
	control, free := j.session.open(iterLimit, j.opt.Log != nil)
	defer func() {
		o.close()
		endThread()
		free()
	}()
	if err := o.listen(control); err != nil {
		return threadResult{err: err}
	}
	if err := j.prepare(o); err != nil {
		return threadResult{err: j.explain(err)}
	}
	r.answer = o.run()
	r.answer.iterReached = control.iter_reached != 0
	return r
}

func (j *job) prepare(o *object) error {
	if err := o.configure(j.opt, j.isMIP); err != nil {
		return err
	}
	if err := j.load(o); err != nil {
		return err
	}
	if j.opt.Start != nil && j.isMIP {
		return o.setStart(j.opt.Start)
	}
	return nil
}

// explain adds to err the last error that HiGHS logged.
func (j *job) explain(err error) error {
	s := j.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.problems) == 0 {
		return err
	}
	return fmt.Errorf("%w: %s", err, strings.Join(s.problems, "; "))
}

// deliver hands on what has come since the last time.
func (j *job) deliver() {
	log, events := j.session.take()
	if len(log) > 0 && j.log != nil {
		if _, err := j.log.Write(log); err != nil {
			j.log = nil
		}
	}
	if j.opt.Progress != nil {
		for _, e := range events {
			j.opt.Progress(e)
		}
	}
}

func (j *job) outcome(a *answer, limit mio.Limit) *outcome {
	s := j.session
	s.mu.Lock()
	defer s.mu.Unlock()
	return &outcome{
		answer: a, limit: limit, snapshot: s.last, values: s.best, first: s.first,
		startLog: s.startLog, problems: s.problems, runtime: time.Since(s.began),
		columns: s.columns, rows: s.rows, nonzeros: s.nonzeros, maximize: s.maximize,
	}
}

// verdict translates HiGHS's model status.
type verdict struct {
	words  string // HiGHS's own
	status mio.Status
	limit  mio.Limit
}

// verdicts are indexed by kHighsModelStatus*. With status Unknown, whether
// there is an incumbent makes the difference.
var verdicts = [...]verdict{
	0:  {"Not Set", mio.NumericalError, mio.NoLimit},
	1:  {"Load error", mio.NumericalError, mio.NoLimit},
	2:  {"Model error", mio.NumericalError, mio.NoLimit},
	3:  {"Presolve error", mio.NumericalError, mio.NoLimit},
	4:  {"Solve error", mio.NumericalError, mio.NoLimit},
	5:  {"Postsolve error", mio.NumericalError, mio.NoLimit},
	6:  {"Empty", mio.Unknown, mio.NoLimit},
	7:  {"Optimal", mio.Optimal, mio.NoLimit},
	8:  {"Infeasible", mio.Infeasible, mio.NoLimit},
	9:  {"Primal infeasible or unbounded", mio.InfeasibleOrUnbounded, mio.NoLimit},
	10: {"Unbounded", mio.Unbounded, mio.NoLimit},
	11: {"Bound on objective reached", mio.Unknown, mio.LimitCutoff},
	12: {"Target for objective reached", mio.Unknown, mio.LimitCutoff},
	13: {"Time limit reached", mio.Unknown, mio.LimitTime},
	14: {"Iteration limit reached", mio.Unknown, mio.LimitIterations},
	15: {"Unknown", mio.Unknown, mio.NoLimit},
	16: {"Solution limit reached", mio.Unknown, mio.LimitNodes},
	17: {"Interrupted by user", mio.Unknown, mio.LimitInterrupt},
	18: {"Memory limit reached", mio.Unknown, mio.LimitMemory},
}

// failure returns an error if HiGHS did not get as far as to solve.
func (out *outcome) failure() error {
	const modelError = 2 // and the statuses before it
	if a := out.answer; a == nil || a.runStatus >= 0 || a.modelStatus > modelError {
		return nil
	}
	why := "it gives no reason"
	if len(out.problems) > 0 {
		why = strings.Join(out.problems, "; ")
	}
	return fmt.Errorf("highs: HiGHS failed: %s", why)
}

// report is a solution in the making.
type report struct {
	mio.Solution
	maximize bool
	notes    []string // for Raw
}

func (r *report) note(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

// newReport takes over what HiGHS says, as it says it.
func newReport(out *outcome) *report {
	r := &report{maximize: out.maximize}
	r.Solver = solverName()
	r.Runtime = out.runtime
	r.Bound = out.snapshot.Bound
	r.Nodes, r.Iter = out.snapshot.Nodes, out.snapshot.Iter
	a := out.answer
	if a == nil {
		r.Limit = out.limit
		r.Values = slices.Clone(out.values)
		r.note("asked to stop; left behind after the grace period")
		return r
	}
	v := verdict{fmt.Sprintf("model status %d", a.modelStatus), mio.Unknown, mio.NoLimit}
	if a.modelStatus >= 0 && a.modelStatus < len(verdicts) {
		v = verdicts[a.modelStatus]
	}
	r.Status, r.Limit = v.status, v.limit
	r.note("%s", v.words)
	if v.limit == mio.LimitInterrupt {
		switch {
		case out.limit != mio.NoLimit:
			r.Limit = out.limit
		case a.iterReached:
			r.Limit = mio.LimitIterations
			r.note("by the iteration limit")
		}
	}
	if v.status == mio.NumericalError && len(out.problems) > 0 {
		r.note("%s", strings.Join(out.problems, "; "))
	}
	if v.status == mio.Unknown || v.status == mio.Optimal {
		r.Values = a.values
		if r.Values == nil {
			r.Values = slices.Clone(out.values)
		}
	}
	switch {
	case v.status == mio.Infeasible:
		r.Bound = -r.unbounded()
	case a.mip && math.Abs(a.mipBound) < 1e300 && r.better(r.Bound, a.mipBound):
		r.Bound = a.mipBound
	}
	r.Nodes, r.Iter = max(r.Nodes, a.nodes), max(r.Iter, a.iter)
	return r
}

// better reports whether objective a is strictly better than b.
func (r *report) better(a, b float64) bool {
	if r.maximize {
		return a > b
	}
	return a < b
}

// unbounded is the objective of an unbounded model, and the bound of one of
// which nothing is known.
func (r *report) unbounded() float64 {
	if r.maximize {
		return math.Inf(1)
	}
	return math.Inf(-1)
}

// finish fills in what follows from status, values and objective.
func (r *report) finish() *mio.Solution {
	if r.Status == mio.Unknown && r.Limit != mio.NoLimit {
		r.Status = mio.NoSolution
	}
	if r.Values == nil {
		r.Objective = math.NaN()
	}
	r.Gap = mio.Gap(r.Objective, r.Bound)
	r.Raw = strings.Join(r.notes, "; ")
	return &r.Solution
}

// conclude makes the solution of a model from what HiGHS said and from the
// start, trusting neither HiGHS's values nor its objective.
func conclude(m *mio.Model, opt *solvers.Options, out *outcome) (*mio.Solution, error) {
	if err := out.failure(); err != nil {
		return nil, err
	}
	r := newReport(out)
	r.dropUnlessNumbers(m)
	a := verify.Answer{Status: r.Status, Limit: r.Limit, Values: r.Values, Objective: math.NaN(), Bound: r.Bound, Notes: r.notes}
	if opt.Start != nil {
		a.StartUsed = startUsed(m.Objective(opt.Start), out)
	}
	s, err := verify.Settle(m, opt.Ask(), a)
	if err != nil && opt.Start != nil {
		a.Notes = append(a.Notes, err.Error())
		a.Values, a.Bound = nil, r.unbounded()
		if a.Status == mio.Optimal {
			a.Status = mio.NumericalError
		}
		s, err = verify.Settle(m, opt.Ask(), a)
	}
	if err != nil {
		return nil, fmt.Errorf("highs: HiGHS's answer is wrong: %w", err)
	}
	s.Solver, s.Runtime, s.Nodes, s.Iter = r.Solver, r.Runtime, r.Nodes, r.Iter
	return s, nil
}

// dropUnlessNumbers drops a point that is not one of numbers, which makes the
// status a numerical error.
func (r *report) dropUnlessNumbers(m *mio.Model) {
	for j, v := range r.Values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			r.Status, r.Bound, r.Values = mio.NumericalError, r.unbounded(), nil
			r.note("HiGHS gives column %s the value %v", m.ColName(j), v)
			return
		}
	}
}

// startUsed says whether HiGHS confirmed that it took the start of this
// objective: by its log, or by its first incumbent.
func startUsed(objective float64, out *outcome) bool {
	return strings.Contains(out.startLog, "is feasible") ||
		math.Abs(out.first-objective) <= 1e-9*math.Max(1, math.Abs(objective))
}
