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
	if found := p.banner.FindStringSubmatch(out.String()); found != nil {
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
