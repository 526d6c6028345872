// Package atomicfile writes files that are either as before or complete: to a
// temporary file in the same folder, which is renamed at the end.
package atomicfile

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Write runs put on the file at path, compressed if the name ends in .gz. Where
// put fails, the file is as before and nothing else is left behind. What is not
// a regular file, such as /dev/stdout or a pipe, is written to directly.
func Write(path string, put func(io.Writer) error) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	return f.Finish(Pack(f, path, put))
}

// WriteNew is Write for a file that must not be there: of several processes that write
// it at the same moment one succeeds, and the others get fs.ErrExist. On a file system
// without hard links the last one's file stands, and none of them gets an error.
func WriteNew(path string, put func(io.Writer) error) error {
	if _, err := os.Lstat(path); err == nil {
		return &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	f, err := createBeside(path)
	if err != nil {
		return inFolder(path, err)
	}
	defer underway.end(f.Name())
	if err := errors.Join(Pack(f, path, put), f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	switch err := os.Link(f.Name(), path); {
	case err == nil:
		return os.Remove(f.Name())
	case errors.Is(err, fs.ErrExist):
		return errors.Join(err, os.Remove(f.Name()))
	}
	return os.Rename(f.Name(), path)
}

// File is a file under way, to be ended by Finish.
type File struct {
	*os.File
	target string // to rename to; "" for what is written to directly
}

// Create begins a file at path; links are followed. It has the permissions of
// the file that it will replace or, if there is none, of a new file. Errors name
// the folder, never the temporary file.
func Create(path string) (*File, error) {
	target, special, err := resolve(path)
	if err != nil {
		return nil, err
	}
	if special {
		f, err := os.OpenFile(target, os.O_WRONLY, 0)
		return &File{File: f}, inFolder(path, err)
	}
	f, err := createBeside(target)
	if err != nil {
		return nil, inFolder(path, err)
	}
	return &File{File: f, target: target}, nil
}

// Finish closes the file and puts it in its place or, where err is not nil,
// removes it. It returns err with what failed besides.
func (f *File) Finish(err error) error {
	err = errors.Join(err, f.Close())
	if f.target == "" {
		return err
	}
	defer underway.end(f.Name())
	if err == nil {
		err = os.Rename(f.Name(), f.target)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// Check returns an error if a file cannot be written at path; it leaves nothing
// behind, and does not open what is written to directly.
func Check(path string) error {
	if special, err := Special(path); special || err != nil {
		return err
	}
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer underway.end(f.Name())
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// Special says whether path is something other than a regular file, such as a
// pipe. A folder is an error.
func Special(path string) (bool, error) {
	_, special, err := resolve(path)
	return special, err
}

// Pack runs put on w, compressed if the name ends in .gz. The header has neither
// time nor name: same content, same bytes.
func Pack(w io.Writer, name string, put func(io.Writer) error) error {
	if !strings.HasSuffix(name, ".gz") {
		return put(w)
	}
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return err
	}
	if err := put(z); err != nil {
		return err
	}
	return z.Close()
}

// resolve follows links.
func resolve(path string) (target string, special bool, err error) {
	target, err = filepath.EvalSymlinks(path)
	if err != nil {
		target = path
	}
	switch info, err := os.Stat(target); {
	case err != nil:
		return target, false, nil // new, or the folder's fault
	case info.IsDir():
		return target, false, errors.New("it is a folder")
	default:
		return target, !info.Mode().IsRegular(), nil
	}
}

// createBeside creates a file in target's folder with the permissions of target
// or of a new file, which os.CreateTemp does not give.
func createBeside(target string) (*os.File, error) {
	dir, base := filepath.Split(target)
	for k := 0; ; k++ {
		name := filepath.Join(dir, fmt.Sprintf(".%s.%d-%d.tmp", base, os.Getpid(), k))
		f, err := underway.create(name)
		if errors.Is(err, fs.ErrExist) && k < 1000 {
			continue
		}
		if err != nil {
			return nil, err
		}
		if info, statErr := os.Stat(target); statErr == nil {
			if err := f.Chmod(info.Mode().Perm()); err != nil {
				defer underway.end(name)
				return nil, errors.Join(err, f.Close(), os.Remove(name))
			}
		}
		return f, nil
	}
}

// inFolder says of the file system's err in which folder it is.
func inFolder(path string, err error) error {
	if cause := (*fs.PathError)(nil); errors.As(err, &cause) {
		return fmt.Errorf("%s: %w", filepath.Dir(path), cause.Err)
	}
	return err
}

// temporaries are the names of temporary files and folders.
type temporaries struct {
	mu    sync.Mutex
	names map[string]bool
}

// underway are those that are neither renamed nor removed yet.
var underway = temporaries{names: map[string]bool{}}

func (t *temporaries) create(name string) (*os.File, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err == nil {
		t.names[name] = true
	}
	return f, err
}

// Mkdir makes a temporary folder, which Abandon removes with all in it until end is called.
func Mkdir(name string) (end func(), err error) {
	underway.mu.Lock()
	defer underway.mu.Unlock()
	if err := os.Mkdir(name, 0o755); err != nil {
		return nil, err
	}
	underway.names[name] = true
	return func() { underway.end(name) }, nil
}

func (t *temporaries) end(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.names, name)
}

// Abandon removes the temporary files and folders of all writes under way and lets no other
// begin: for a program that is about to exit without waiting for them.
func Abandon() {
	underway.mu.Lock()
	for name := range underway.names {
		_ = os.RemoveAll(name) // there is nobody left to tell
	}
}
