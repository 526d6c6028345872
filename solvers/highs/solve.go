//go:build cgo && !nohighs

package highs

import (
	"context"
	"fmt"
	"io"
	"runtime"
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
