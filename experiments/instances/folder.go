package instances

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/internal/atomicfile"
)

// fixed are the files that every library has, beside those of its instances.
var fixed = []string{"octgen.solu", tableName, "README.md", "spec.yaml"}

const tableName = "instances.csv"

// folder is where a library is put when it is complete: until then its files are in
// another folder beside.
type folder struct {
	path, work string
	ended      func() // work is no temporary folder any more
}

// begin makes the folder in which a library for path is written. A path that holds anything
// but a library is an error that wraps fit.ErrInput.
func begin(path string) (*folder, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if err := replaceable(path); err != nil {
		return nil, fmt.Errorf("%w: %w", fit.ErrInput, err)
	}
	parent, base := filepath.Split(path)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return nil, fmt.Errorf("%w: cannot write %s: %w", fit.ErrInput, path, err)
	}
	for k := 0; ; k++ {
		f := &folder{path: path, work: filepath.Join(parent, fmt.Sprintf(".%s.%d-%d.tmp", base, os.Getpid(), k))}
		f.ended, err = atomicfile.Mkdir(f.work)
		switch {
		case errors.Is(err, fs.ErrExist) && k < 1000:
		case err != nil:
			return nil, fmt.Errorf("%w: cannot write %s: %w", fit.ErrInput, path, errors.Unwrap(err))
		default:
			return f, nil
		}
	}
}

// replaceable refuses a path that is there, unless it is an empty folder or one with the
// files of a library and no others.
func replaceable(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is a file; a library is written to a folder", path)
	}
	if here, err := os.Stat("."); err == nil && os.SameFile(here, info) {
		return fmt.Errorf("%s is the folder that this is run in, and a library replaces its folder whole: name another", path)
	}
	entries, err := os.ReadDir(path)
	if err != nil || len(entries) == 0 {
		return err
	}
	ours := filesOf(path)
	for _, e := range entries {
		if !ours[e.Name()] || !e.Type().IsRegular() {
			return fmt.Errorf("%s holds %s, which is of no complete library: name an empty folder, a new one, or that of a library, which is replaced whole", path, e.Name())
		}
	}
	return nil
}

// filesOf names the files that a library in a folder may have; none where it has no table
// of instances.
func filesOf(path string) map[string]bool {
	f, err := os.Open(filepath.Join(path, tableName))
	if err != nil {
		return nil
	}
	defer f.Close() // read-only: closing has nothing to report
	table := csv.NewReader(f)
	table.FieldsPerRecord = -1
	lines, err := table.ReadAll()
	if err != nil || len(lines) == 0 || len(lines[0]) == 0 || lines[0][0] != columns[0] {
		return nil
	}
	ours := map[string]bool{}
	for _, name := range fixed {
		ours[name] = true
	}
	for _, l := range lines[1:] {
		for _, ending := range []string{".mps", ".mps.gz", ".sol"} {
			ours[l[0]+ending] = true
		}
	}
	return ours
}

// end puts the library in its place or, where err is not nil, removes what there is of it.
func (f *folder) end(err error) error {
	defer f.ended()
	if err == nil {
		err = f.replace()
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(f.work))
	}
	return nil
}

// replace renames the new folder to its place, and removes what was there.
func (f *folder) replace() error {
	if err := replaceable(f.path); err != nil { // what came there in the meantime stays
		return fmt.Errorf("%w: %w", fit.ErrInput, err)
	}
	old := f.work + ".old"
	switch err := os.Rename(f.path, old); {
	case errors.Is(err, fs.ErrNotExist):
		return os.Rename(f.work, f.path)
	case err != nil:
		return err
	}
	if err := os.Rename(f.work, f.path); err != nil {
		return errors.Join(err, os.Rename(old, f.path))
	}
	return os.RemoveAll(old)
}
