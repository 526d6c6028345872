package external

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// probePatience is how long an executable may take to tell its version: license
// managers are slow.
const probePatience = 20 * time.Second

// identity is what is known of an executable, or of an interpreter and its package.
type identity struct {
	program *program
	path    string // absolute
	version string
	problem string // why it cannot be used; "" where it can
}

// probes remembers identities by path: PATH may change, and asking takes time.
type probes struct {
	mu     sync.Mutex
	byPath map[string]identity
}

// identify finds the first form of the solver that is installed, and asks for its version, until
// ctx ends. Where none is, the problem has what is missing of each.
func (s *Solver) identify(ctx context.Context) identity {
	var problems []string
	for _, p := range s.forms {
		find := s.executable
		if p.pack != nil {
			find = s.interpreter
		}
		id := find(ctx, p)
		if id.problem == "" || ctx.Err() != nil {
			return id
		}
		problems = append(problems, id.problem)
	}
	return identity{problem: strings.Join(problems, "; or, as a Python package: ")}
}

// executable is the program on PATH, beside this program, or where the place says.
func (s *Solver) executable(ctx context.Context, p *program) identity {
	want := s.at.Executable
	if want == "" {
		want = p.binary
	}
	path, err := exec.LookPath(want)
	if own := besideSelf(want); err != nil && s.at.Executable == "" && own != "" {
		path, err = own, nil
	}
	if err == nil {
		path, err = filepath.Abs(path)
	}
	switch {
	case err != nil && s.at.Executable == "":
		return identity{problem: fmt.Sprintf("no executable %s on PATH or beside this program; install %s, or give its path (--solver-path)", p.binary, p.title)}
	case err != nil:
		return identity{problem: fmt.Sprintf("%s is no executable: %v", s.at.Executable, err)}
	}
	return s.ask(ctx, p, path)
}

// interpreter is the first Python that has the package: that of the place, else that of the active
// virtual environment, else python3.
func (s *Solver) interpreter(ctx context.Context, p *program) identity {
	wanted := []string{s.at.Python}
	if s.at.Python == "" {
		wanted = []string{"python3"}
		if venv := os.Getenv("VIRTUAL_ENV"); venv != "" {
			wanted = []string{filepath.Join(venv, "bin", "python"), "python3"}
		}
	}
	found := false
	var last identity
	for _, want := range wanted {
		path, err := exec.LookPath(want)
		if err == nil {
			path, err = filepath.Abs(path)
		}
		if err != nil {
			continue
		}
		found = true
		if last = s.ask(ctx, p, path); last.problem == "" || ctx.Err() != nil {
			return last
		}
	}
	if !found {
		return identity{problem: fmt.Sprintf("no Python interpreter %s; it needs one with the package %s (--python)", strings.Join(wanted, " or "), p.pack.dist)}
	}
	return last
}

// ask returns what is remembered of the path, or asks for the version.
func (s *Solver) ask(ctx context.Context, p *program, path string) identity {
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

// ask runs the executable for its banner, or the interpreter for the version of the package.
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
		return identity{program: p, path: path, version: found[1]}
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
	if p.pack != nil && end.err == nil && ctx.Err() == nil {
		return identity{path: path, problem: fmt.Sprintf("%s has no package %s; install it with: %[1]s -m pip install %[2]s", path, p.pack.dist)}
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
