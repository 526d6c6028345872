package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/internal/atomicfile"
	"github.com/octgen/octgen/solvers"
)

// Outcome counts the tasks of a run.
type Outcome struct {
	Total  int // tasks chosen
	Done   int // of these, with a result now
	Failed int // of these, with an error as their result
}

// runner is a run in progress.
type runner struct {
	opts    Options
	proofs  bool // the spec asks for proof files
	folder  *folder
	mu      sync.Mutex // guards outcome, the journal and Notify
	outcome Outcome
}

// Run runs the tasks that have no result in the folder. A task that fails is recorded with its
// error, and the others continue. Three things stop a run: a folder that cannot be written
// (ErrFolder, or the system's error); ctx, whose error is returned with the outcome; and
// Options.Stop (ErrStopped). Tasks that ctx ends are not recorded. A stopped run continues with
// Resume. With Retry, tasks that failed, and those whose tree is lost, get another line in the
// results; the last line of an id counts.
func (p *Plan) Run(ctx context.Context, o Options) (_ *Outcome, err error) {
	tasks, err := p.chosen(&o)
	if err != nil {
		return nil, err
	}
	if err := available(tasks); err != nil {
		return nil, err
	}
	f, err := openFolder(p, &o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	r := &runner{opts: o, proofs: p.Spec.Proof, folder: f, outcome: Outcome{Total: len(tasks)}}
	todo, earlier := r.unfinished(tasks)
	workers := cmp.Or(max(0, o.Workers), p.Spec.Workers, 1)
	r.notify(Event{Kind: Planned, Todo: todo, Earlier: earlier, Workers: workers})
	return &r.outcome, r.doAll(ctx, todo, workers)
}

// doAll runs the tasks.
func (r *runner) doAll(ctx context.Context, todo []*Task, workers int) error {
	g, inner := errgroup.WithContext(ctx)
	g.SetLimit(workers)
	h := newHalting(inner, &r.opts)
	defer h.end()
	for i, t := range todo {
		if inner.Err() != nil || h.stopped() {
			break
		}
		g.Go(func() error {
			defer t.split.done()
			if h.stopped() {
				return nil
			}
			return r.do(inner, h.cut, t, i < workers)
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	if ctx.Err() == nil && h.stopped() && r.outcome.Done < r.outcome.Total {
		return ErrStopped
	}
	return ctx.Err()
}

// available returns an error for methods that name a solver which cannot work here. Package fit
// handles methods without one.
func available(tasks []*Task) error {
	for _, t := range tasks {
		if err := t.method.Available(); err != nil {
			return fmt.Errorf("%w: method %s: %w", fit.ErrInput, t.Method, err)
		}
	}
	return nil
}

// unfinished returns the tasks without a result, or to be repeated because their result is an error
// or their tree is lost, and the results of the others, which it counts.
func (r *runner) unfinished(tasks []*Task) (todo []*Task, earlier []*Record) {
	for _, t := range tasks {
		rec := r.folder.done[t.ID]
		again := rec != nil && r.opts.Retry && (rec.Error != "" || rec.CutShort || !r.folder.shared && LostTree(r.opts.Dir, rec) != nil)
		if rec != nil && !again {
			r.count(rec)
			earlier = append(earlier, rec)
			continue
		}
		t.split.left++
		todo = append(todo, t)
	}
	return todo, earlier
}

func (r *runner) count(rec *Record) {
	r.outcome.Done++
	if rec.Error != "" {
		r.outcome.Failed++
	}
}

// do runs a task within cut and records it, unless ctx ended it. A task that cut ends is recorded
// as cut short if it had all the time of this run.
func (r *runner) do(ctx, cut context.Context, t *Task, hadAll bool) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r.notify(Event{Kind: Started, Task: t})
	rec := &Record{ID: t.ID, Data: t.Data, Method: t.Method, Split: t.Split, Provenance: provenance(r.opts.Version)}
	var trace tracer
	res, err := r.fit(cut, t, rec, &trace)
	if ctx.Err() != nil {
		return ctx.Err() // the result depends on the moment
	}
	if rec.CutShort = cut.Err() != nil; rec.CutShort && (!hadAll || err != nil) {
		return nil // left to the next run
	}
	rec.Result, rec.Recovery, rec.Trace = res, t.split.part.truth.recovery(res), trace.end(res)
	rec.setError(err)
	return r.keep(t, rec)
}

// keep makes a result durable and reports it.
func (r *runner) keep(t *Task, rec *Record) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.folder.putTruth(t.split.part.truth)
	if err == nil {
		err = r.folder.put(rec)
	}
	if err != nil {
		return fmt.Errorf("%s: the result of %s cannot be stored: %w; earlier results are intact: make room and continue with --resume",
			r.folder.path(), t.Name(), err)
	}
	r.count(rec)
	r.tell(Event{Kind: Finished, Task: t, Record: rec})
	return nil
}

// fit runs the method of a task and records the histograms of its tree. A panic in it becomes an
// error of the task, with its stack.
func (r *runner) fit(ctx context.Context, t *Task, rec *Record, trace *tracer) (res *fit.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			res, err = nil, newPanicked(p)
		}
	}()
	train, test, err := t.split.get()
	if err != nil {
		return nil, err
	}
	o, err := t.method.Options(ctx, train)
	if err != nil {
		return nil, err
	}
	o.Test, o.Positive = test, t.positive
	o.Method = problem.WithValidation(o.Method, t.validation)
	o.Solve.Grace = solvers.DefaultGrace // a solver left running would slow the tasks after it
	o.Notify = func(e fit.Event) {
		if e.Progress != nil {
			trace.add(e.Progress)
			r.notify(Event{Kind: Solving, Task: t, Progress: e.Progress})
		}
	}
	res, err = fit.Run(ctx, train, o)
	if res != nil && errors.Is(err, fit.ErrInfeasible) {
		err = nil // infeasibility is a result
	}
	if err == nil && r.proofs {
		err = r.prove(ctx, t, &o, train, res)
	}
	if res != nil && res.Tree != nil && res.Tree.Splits() <= mostHistograms {
		rec.Histograms = res.Tree.Histograms(train)
	}
	return res, err
}

// prove stores the proof file of a tree that was proved optimal, if its method has one, the numbers of the data allow it, and it is written
// within the time limit of the fit.
func (r *runner) prove(ctx context.Context, t *Task, o *fit.Options, train *dataset.Dataset, res *fit.Result) error {
	if res == nil || res.Prover == nil || res.Gap == nil || *res.Gap > 0 || fit.CheckProof(*o) != nil {
		return nil
	}
	name := proofFolder + "/" + t.ID + ".proof"
	if limit := o.Solve.TimeLimit; limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	text, err := fit.Prove(ctx, train, res, name, o.Test != nil && train.Line != nil, 1)
	switch {
	case errors.Is(err, fit.ErrInput) || err != nil && ctx.Err() != nil:
		return nil // the report counts the files
	case err != nil:
		return fmt.Errorf("proof file: %w", err)
	}
	path := filepath.Join(r.opts.Dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// mostHistograms is the maximum number of splits of a tree with histograms: larger trees are not
// read node by node.
const mostHistograms = 31

func (r *runner) notify(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tell(e)
}

// tell is notify for a caller that holds the lock.
func (r *runner) tell(e Event) {
	if r.opts.Notify == nil {
		return
	}
	e.Done, e.Total = r.outcome.Done, r.outcome.Total
	r.opts.Notify(e)
}

// ErrStopped is the error of a run that Options.Stop ended before all tasks were done.
var ErrStopped = errors.New("stopped before all tasks were done; completed tasks are stored, continue with --resume")

// halting handles the end of a run by Options.Stop.
type halting struct {
	stop <-chan struct{}
	cut  context.Context // done once Grace is over: the tasks' context
	end  context.CancelFunc
}

// newHalting watches for Stop until the caller calls end.
func newHalting(parent context.Context, o *Options) *halting {
	ctx, cancel := context.WithCancel(parent)
	h := &halting{o.Stop, ctx, cancel}
	if o.Stop != nil {
		go h.watch(o.Grace)
	}
	return h
}

func (h *halting) watch(grace time.Duration) {
	select {
	case <-h.cut.Done():
		return
	case <-h.stop:
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-h.cut.Done():
	case <-timer.C:
		h.end()
	}
}

// stopped reports whether no further task may begin.
func (h *halting) stopped() bool {
	select {
	case <-h.stop: // never for a nil channel
		return true
	default:
		return false
	}
}

// Prepare makes o.Dir the folder of the plan, for jobs of the scheduler, or checks that it is. It
// returns the tasks that have no result in it, in the plan's order; with Retry also those whose
// result is an error or was cut short. A folder with earlier submissions needs Resume or Retry.
func (p *Plan) Prepare(scheduler string, o Options) ([]*Task, error) {
	o.scheduler = scheduler
	tasks, err := p.chosen(&o)
	if err != nil {
		return nil, err
	}
	if err := available(tasks); err != nil {
		return nil, err
	}
	if err := admit(p, &o); err != nil {
		return nil, err
	}
	if Submissions(o.Dir) > 0 && !o.goesOn() {
		return nil, fmt.Errorf("%w: %s has been submitted before; submit the missing tasks with --resume, or choose another folder with --out", ErrFolder, o.Dir)
	}
	x, err := readIndex(o.Dir)
	if err != nil {
		return nil, err
	}
	var missing []*Task
	for _, t := range tasks {
		if had, ok := x.at[t.ID]; !ok || o.Retry && had.rank < succeeded {
			missing = append(missing, t)
		}
	}
	return missing, nil
}
