package external

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/solfile"
)

func init() {
	for _, p := range programs() {
		solvers.Register(&Solver{program: p})
	}
}

// New returns the solver of that name (see the package documentation) with the
// executable at path, or on PATH, else beside this program, where path is "". It validates its input.
func New(name, path string) (solvers.Solver, error) {
	for _, p := range programs() {
		if p.name == name {
			return solvers.Checked(&Solver{program: p, path: path}), nil
		}
	}
	return nil, fmt.Errorf("external: no solver %q", name)
}

// programs lists them all, in the order of the package documentation.
func programs() []*program {
	return []*program{highsProgram(), cbcProgram(), glpkProgram(), scipProgram(), gurobiProgram(), cplexProgram(), xpressProgram()}
}

// Solver runs one optimizer's executable.
type Solver struct {
	program *program
	path    string // of the executable; "" looks on PATH, then beside this program
	probed  probes
}

// At returns the same solver with the executable at path.
func (s *Solver) At(path string) solvers.Solver { return &Solver{program: s.program, path: path} }

// Name is the name under which the solver is registered.
func (s *Solver) Name() string { return s.program.name }

// Capabilities are those of current versions of the optimizer.
func (s *Solver) Capabilities() solvers.Capabilities { return s.program.caps }

// Version runs the executable to ask for its version, once; "" where it is not
// available.
func (s *Solver) Version() string { return s.identify(context.Background()).version }

// Path is the path of the executable, "" where none is found.
func (s *Solver) Path() string { return s.identify(context.Background()).path }

// Available returns nil where the executable is found and identifies itself as
// the optimizer. A licence is looked for by Solve only.
func (s *Solver) Available() error { return s.Probe(context.Background()) }

// Probe is Available, given up when ctx ends, with the error of ctx.
func (s *Solver) Probe(ctx context.Context) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	id := s.identify(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if id.problem != "" {
		return &solvers.UnavailableError{Solver: s.program.name, Reason: id.problem}
	}
	return nil
}

// Solve runs the executable on the model; see [solvers.Solver] and the package
// documentation.
func (s *Solver) Solve(ctx context.Context, m *mio.Model, opt solvers.Options) (*mio.Solution, error) {
	began := time.Now()
	id := s.identify(ctx)
	sol, err := s.solve(ctx, id.path, &job{program: s.program, m: m, opt: &opt, began: began})
	if err != nil {
		return nil, err
	}
	sol.Solver = s.program.title
	if id.version != "" {
		sol.Solver += " " + id.version
	}
	sol.Runtime = time.Since(began)
	return sol, nil
}

func (s *Solver) solve(ctx context.Context, path string, j *job) (sol *mio.Solution, err error) {
	if j.m.NumCols() == 0 {
		return verify.SettleEmpty(j.m), nil
	}
	j.path = path
	if err := j.checkRaw(); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return j.withoutRun(mio.LimitInterrupt)
	}
	if j.dir, err = os.MkdirTemp("", "octgen-"+j.name+"-"); err != nil {
		return nil, fmt.Errorf("%s: cannot make a folder for its files: %w", j.name, err)
	}
	j.tracked = track(j.dir)
	keep := false
	defer func() {
		j.tracked.forget()
		if !keep {
			_ = os.RemoveAll(j.dir) // what cannot be removed harms nobody
		}
	}()
	written := j.m
	if j.adapt != nil {
		if written, err = j.adapt(j.m); err != nil {
			return nil, fmt.Errorf("%s: %w", j.name, err)
		}
	}
	if written == nil {
		return verify.Settle(j.m, j.opt.Ask(), verify.Answer{Status: mio.Infeasible, Bound: math.NaN(), Notes: []string{"an integer column has no integer between its bounds"}})
	}
	err = j.write(ctx, written)
	if over := (*overError)(nil); errors.As(err, &over) {
		return j.withoutRun(over.limit)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.name, err)
	}
	invoke, err := j.prepare(j)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.name, err)
	}
	if over := j.over(ctx); over != mio.NoLimit {
		return j.withoutRun(over)
	}
	sol, err = j.run(ctx, invoke)
	if run := (*RunError)(nil); asRunError(err, &run) {
		keep = true
	}
	return sol, err
}

// write writes the model, as adapted, and the start, until the time is over.
func (j *job) write(ctx context.Context, m *mio.Model) (err error) {
	f, err := os.OpenFile(j.file(modelFile), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	j.mp, err = mps.Write(&timely{f, j, ctx}, m, mps.Options{Dialect: j.dialect})
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil || j.opt.Start == nil {
		return err
	}
	return solfile.WriteStartFile(j.file(j.startFile()), j.format, j.m, j.mp, j.opt.Start, solfile.StartOptions{})
}

// withoutRun is the answer where no time is left for the optimizer.
func (j *job) withoutRun(why mio.Limit) (*mio.Solution, error) {
	return verify.Settle(j.m, j.opt.Ask(), verify.Answer{Limit: why, Bound: math.NaN(), Notes: []string{"stopped before it began"}})
}

// probePatience is how long an executable may take to tell its version: license
// managers are slow.
const probePatience = 20 * time.Second

// identity is what is known of an executable.
type identity struct {
	path    string // absolute
	version string
	problem string // why it cannot be used; "" where it can
}

// probes remembers identities by path: PATH may change, and asking takes time.
type probes struct {
	mu     sync.Mutex
	byPath map[string]identity
}

// identify finds the executable and asks for its version, until ctx ends.
func (s *Solver) identify(ctx context.Context) identity {
	p := s.program
	want := s.path
	if want == "" {
		want = p.binary
	}
	path, err := exec.LookPath(want)
	if own := besideSelf(want); err != nil && s.path == "" && own != "" {
		path, err = own, nil
	}
	if err == nil {
		path, err = filepath.Abs(path)
	}
	switch {
	case err != nil && s.path == "":
		return identity{problem: fmt.Sprintf("no executable %s on PATH or beside this program; install %s, or give its path (--solver-path)", p.binary, p.title)}
	case err != nil:
		return identity{problem: fmt.Sprintf("%s is no executable: %v", s.path, err)}
	}
	s.probed.mu.Lock()
	defer s.probed.mu.Unlock()
	id, known := s.probed.byPath[path]
	if !known {
		id = p.ask(ctx, path)
		if ctx.Err() != nil {
			return id // of which nothing is to be remembered
		}
		if s.probed.byPath == nil {
			s.probed.byPath = make(map[string]identity)
		}
		s.probed.byPath[path] = id
	}
	return id
}

// besideSelf is the path of the executable of that name in the folder of this
// program, where the build puts the HiGHS that it made; "" where there is none.
func besideSelf(name string) string {
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	path, err := exec.LookPath(filepath.Join(filepath.Dir(self), name))
	if err != nil {
		return ""
	}
	return path
}

// ask runs the executable for its banner.
func (p *program) ask(ctx context.Context, path string) identity {
	ctx, cancel := context.WithTimeout(ctx, probePatience)
	defer cancel()
	t := track("")
	defer t.forget()
	var out strings.Builder
	end := execute(ctx, process{path: path, invocation: p.probe, tracked: t, take: func(b []byte) {
		if out.Len() < 1<<16 {
			out.Write(b)
		}
	}})
	if found := p.banner().FindStringSubmatch(out.String()); found != nil {
		return identity{path: path, version: found[1]}
	}
	said := firstLine(out.String())
	switch {
	case end.err != nil:
		said = end.err.Error()
	case ctx.Err() != nil:
		said = fmt.Sprintf("it did not answer within %v", probePatience)
	case said == "":
		said = "it printed nothing"
	default:
		said = fmt.Sprintf("it answers %q", said)
	}
	return identity{path: path, problem: fmt.Sprintf("%s does not identify itself as %s: %s", path, p.title, said)}
}

// firstLine returns the first line of text that is not blank, cut to a
// readable length.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			return line[:min(len(line), 120)]
		}
	}
	return ""
}
