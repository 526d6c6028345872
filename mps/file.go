package mps

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/octgen/octgen/mio"
)

// WriteFile writes m to the named file, compressed if the name ends in .gz. It
// writes to a temporary file in the same folder and renames it, so that the
// file is either as before or complete. What is not a regular file, such as
// /dev/stdout or a pipe, is written to directly.
func WriteFile(path string, m *mio.Model, opts Options) (*Map, error) {
	return toFile(path, func(w io.Writer) (*Map, error) { return write(w, m, opts) })
}

// toFile runs put on the named file.
func toFile(path string, put func(io.Writer) (*Map, error)) (*Map, error) {
	mp, err := writeFile(path, put)
	if err != nil {
		return nil, fmt.Errorf("mps: cannot write %s: %w", path, err)
	}
	return mp, nil
}

func writeFile(path string, put func(io.Writer) (*Map, error)) (*Map, error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		target = path
	}
	info, err := os.Stat(target)
	switch {
	case err == nil && info.IsDir():
		return nil, errors.New("it is a folder")
	case err == nil && !info.Mode().IsRegular():
		return writeDirect(target, put)
	}
	tmp, err := createBeside(target)
	if err != nil {
		return nil, err
	}
	mp, err := writeClose(tmp, path, put)
	if err == nil && info != nil {
		err = os.Chmod(tmp.Name(), info.Mode().Perm())
	}
	if err == nil {
		err = os.Rename(tmp.Name(), target)
	}
	if err != nil {
		os.Remove(tmp.Name())
		return nil, err
	}
	return mp, nil
}

func writeDirect(path string, put func(io.Writer) (*Map, error)) (*Map, error) {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	return writeClose(f, path, put)
}

// createBeside creates a file in target's folder with the permissions of a new
// file, which os.CreateTemp does not give.
func createBeside(target string) (*os.File, error) {
	dir, base := filepath.Split(target)
	for k := 0; ; k++ {
		name := filepath.Join(dir, fmt.Sprintf(".%s.%d-%d.tmp", base, os.Getpid(), k))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) || k > 1000 {
			return f, err
		}
	}
}

// writeClose writes to f, compressed as the name says, and closes it.
func writeClose(f *os.File, name string, put func(io.Writer) (*Map, error)) (mp *Map, err error) {
	defer func() { err = errors.Join(err, f.Close()) }()
	if !strings.HasSuffix(name, ".gz") {
		return put(f)
	}
	// The header has neither time nor name: same model, same bytes.
	z, err := gzip.NewWriterLevel(f, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	if mp, err = put(z); err != nil {
		return nil, err
	}
	return mp, z.Close()
}

// ReadFile reads the named file, plain or gzip. See [Read].
func ReadFile(path string) (*mio.Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("mps: %w", err)
	}
	defer f.Close()
	return Read(f, path)
}
