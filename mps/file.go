package mps

import (
	"fmt"
	"io"
	"os"

	"github.com/octgen/octgen/internal/atomicfile"
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
func toFile(path string, put func(io.Writer) (*Map, error)) (mp *Map, err error) {
	err = atomicfile.Write(path, func(w io.Writer) (err error) {
		mp, err = put(w)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("mps: cannot write %s: %w", path, err)
	}
	return mp, nil
}

// ReadFile reads the named file, plain or gzip. See [Read].
func ReadFile(path string) (*mio.Model, error) {
	m, _, err := ReadOptions{}.ReadFile(path)
	return m, err
}

// ReadFile reads the named file, plain or gzip. See [ReadOptions.ReadMapped].
func (o ReadOptions) ReadFile(path string) (*mio.Model, *Map, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("mps: %w", err)
	}
	defer f.Close() // read-only: closing has nothing to report
	return o.ReadMapped(f, path)
}
