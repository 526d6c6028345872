package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/octgen/octgen/experiments/spec"
)

// Results is what a folder holds.
type Results struct {
	Spec    *spec.Spec
	Version string   // of octgen, that made them
	Tasks   int      // of the whole plan
	Records []Record // the last one of each task that has one
}

// Read reads the results of a folder. One that holds none, has lost its spec or has
// another one is ErrFolder.
func Read(dir string) (*Results, error) {
	m, err := manifestOf(dir)
	if err != nil {
		return nil, err
	}
	s, err := spec.Load(filepath.Join(dir, specFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s has lost its %s; octgen run SPEC --resume --out %[2]s puts it back, SPEC being the spec that it was begun with (sha256 %[4]s)", ErrFolder, dir, specFile, m.Spec)
	}
	if err != nil {
		return nil, err
	}
	if s.SHA256 != m.Spec {
		return nil, fmt.Errorf("%w: %s in %s is not the spec that the results are of (sha256 %s, expected %s); octgen run SPEC --resume --out %[3]s puts that back", ErrFolder, specFile, dir, s.SHA256, m.Spec)
	}
	path := filepath.Join(dir, ResultsFile)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) && m.shared() {
		return nil, fmt.Errorf("%w: what the processes that share %s have is not gathered yet; octgen collect %[2]s does", ErrFolder, dir)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close() // read-only: closing has nothing to report
	records, _, damaged, err := readRecords(f, path)
	if err != nil {
		return nil, err
	}
	if len(damaged) > 0 {
		return nil, damaged[0].err()
	}
	return &Results{Spec: s, Version: m.Version, Tasks: m.Tasks, Records: records}, nil
}
