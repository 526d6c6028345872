package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

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

// TestShortened: a message does not repeat a field as long as its file.
func TestShortened(t *testing.T) {
	long := strings.Repeat("z", 1_000_000)
	got := message(errors.New(`data.csv:4:1: column "a": "` + long + `" is not a number; see "b"`))
	want := `data.csv:4:1: column "a": "` + long[:60] + `... (1000000 bytes)" is not a number; see "b"`
	if got != want {
		t.Errorf("%.400s; want %s", got, want)
	}
	if short := `column "a": "12 m" is not a number`; message(errors.New(short)) != short {
		t.Errorf("%s", message(errors.New(short)))
	}
}

// entries returns the names in a folder.
func entries(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// TestWriteFile: a file is as before or complete, whatever happens while it is
// written, and no temporary file stays.
func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	a := &app{}
	write := func(ctx context.Context, path, text string, err error) error {
		return a.writeFile(ctx, path, func(w io.Writer) error {
			_, werr := io.WriteString(w, text)
			return errors.Join(werr, err)
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	if err := write(ctx, path, "first", nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := write(ctx, path, "half", errors.New("broken")); err == nil {
		t.Error("a failed write succeeded")
	}
	if b, _ := os.ReadFile(path); string(b) != "first" {
		t.Errorf("after a failed write the file holds %q", b)
	}
	if err := write(ctx, path, "second", nil); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if b, _ := os.ReadFile(path); string(b) != "second" || err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the file holds %q with mode %v", b, info.Mode())
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("a.txt", link); err != nil {
		t.Fatal(err)
	}
	if err := write(ctx, link, "third", nil); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced by a file")
	}
	if err := write(ctx, filepath.Join(dir, "a.gz"), "packed", nil); err != nil {
		t.Fatal(err)
	}
	b, _ := os.ReadFile(filepath.Join(dir, "a.gz"))
	if z, err := gzip.NewReader(bytes.NewReader(b)); err != nil {
		t.Error(err)
	} else if text, _ := io.ReadAll(z); string(text) != "packed" {
		t.Errorf("the gzip file holds %q", text)
	}
	cancel()
	if err := write(ctx, path, "fourth", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a write after an interrupt: %v", err)
	}
	if b, _ := os.ReadFile(path); string(b) != "third" {
		t.Errorf("after an interrupted write the file holds %q", b)
	}
	if err := checkOutput(filepath.Join(dir, "new")); err != nil {
		t.Error(err)
	}
	if err := checkOutput(os.DevNull); err != nil {
		t.Error(err)
	}
	if got := entries(t, dir); got != "a.gz a.txt link" {
		t.Errorf("the folder holds %s", got)
	}
}

// full is a disk without room.
type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestLostOutput: output that cannot be written is a failure that is told once,
// whichever the command, and more of it than is kept before it is written.
func TestLostOutput(t *testing.T) {
	dir := t.TempDir()
	model, data := filepath.Join(dir, "a.mps"), filepath.Join(dir, "a.csv")
	for _, args := range [][]string{
		{"--help"}, {"version"}, {"schema"}, {"methods"},
		{"generate", "oct-tree", "--features", "2", "--rows", "1000", "--seed", "1"},
		{"generate", "oct-tree", "--features", "2", "--rows", "50", "--seed", "1", "-o", data},
		{"fit", data, "--method", "cart", "--json"},
		{"inspect", data, "--depth", "1"},
		{"mps", data, "--depth", "1", "--quiet", "-o", model},
		{"model", "info", model}, {"model", "convert", model},
	} {
		var stderr bytes.Buffer
		code := run(t.Context(), args, strings.NewReader(""), full{}, &stderr)
		want, text := exitFailed, "octgen: no space left\n"
		if slices.Contains(args, "-o") {
			want, text = exitDone, ""
		}
		if got := stderr.String(); code != want || got != text {
			t.Errorf("%v: exit code %d, want %d: %q", args, code, want, got)
		}
	}
}

// TestDuration: units, and plain seconds.
func TestDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"60s": time.Minute, "2m": 2 * time.Minute, "60": time.Minute, "0.5": time.Second / 2, "1h30m": 90 * time.Minute,
	} {
		var d duration
		if err := d.UnmarshalText([]byte(text)); err != nil || time.Duration(d) != want {
			t.Errorf("%s: %v, %v", text, time.Duration(d), err)
		}
	}
	for _, text := range []string{"", "0", "-1s", "NaN", "1e300", "60 s"} {
		var d duration
		if err := d.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is accepted as %v", text, time.Duration(d))
		}
	}
}
