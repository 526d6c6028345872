package run

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// index says where the records of a folder are: of each task the one that counts.
type index struct {
	files   []recordFile
	at      map[string]place // of an id
	damaged []Damage
}

// recordFile is a file of records.
type recordFile struct {
	path   string // in the folder
	last   time.Time
	lines  int
	done   int // tasks whose record that counts is here
	failed int // of them, with an error
}

// place is where a record is.
type place struct {
	file   int
	at     int64
	length int
	rank   rank
}

// rank orders records of one task: a result counts before one that was cut short, and
// that before an error.
type rank int

const (
	failed rank = iota
	cutShort
	succeeded
)

// head is what an index reads of a record.
type head struct {
	ID       string `json:"id"`
	Error    string `json:"error"`
	CutShort bool   `json:"cut_short"`
}

func (h *head) rank() rank {
	switch {
	case h.Error != "":
		return failed
	case h.CutShort:
		return cutShort
	}
	return succeeded
}

// readIndex reads the files of records of a folder: its journals in the order of their
// names, then results.jsonl, which holds what was gathered before. Of several records of
// a task the highest rank counts; of equals the last one in a file, and of files the
// first, so that it does not matter who wrote first.
func readIndex(dir string) (*index, error) {
	paths, err := journals(dir)
	if err != nil {
		return nil, err
	}
	x := &index{at: make(map[string]place)}
	for _, path := range append(paths, filepath.Join(dir, ResultsFile)) {
		if err := x.add(path); err != nil {
			return nil, err
		}
	}
	for _, p := range x.at {
		s := &x.files[p.file]
		s.done++
		if p.rank == failed {
			s.failed++
		}
	}
	return x, nil
}

// journals are the paths of the journals of a folder, sorted.
func journals(dir string) ([]string, error) {
	files, err := os.ReadDir(filepath.Join(dir, journalsFolder)) // sorted
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var paths []string
	for _, f := range files {
		if filepath.Ext(f.Name()) == ".jsonl" {
			paths = append(paths, filepath.Join(dir, journalsFolder, f.Name()))
		}
	}
	return paths, err
}

// add reads a file of records, which may be missing.
func (x *index) add(path string) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close() // read-only: closing has nothing to report
	info, err := f.Stat()
	if err != nil {
		return err
	}
	number := len(x.files)
	x.files = append(x.files, recordFile{path: path, last: info.ModTime()})
	_, damaged, err := eachLine(f, path, func(line []byte, at int64) error {
		var h head
		if err := json.Unmarshal(line, &h); err != nil {
			return err
		}
		if h.ID == "" {
			return errNoID
		}
		x.files[number].lines++
		p := place{number, at, len(line), h.rank()}
		if had, ok := x.at[h.ID]; !ok || p.rank > had.rank || p.rank == had.rank && had.file == number {
			x.at[h.ID] = p
		}
		return nil
	})
	x.damaged = append(x.damaged, damaged...)
	return err
}

// mostOpen is how many files a reader has open at a time.
const mostOpen = 64

// reader reads the lines of an index.
type reader struct {
	index *index
	files map[int]*os.File
}

// line returns the line of a record.
func (r *reader) line(p place) ([]byte, error) {
	f := r.files[p.file]
	if f == nil {
		if len(r.files) == mostOpen {
			r.close()
		}
		var err error
		if f, err = os.Open(r.index.files[p.file].path); err != nil {
			return nil, err
		}
		r.files[p.file] = f
	}
	line := make([]byte, p.length)
	if _, err := f.ReadAt(line, p.at); err != nil {
		return nil, err
	}
	return line, nil
}

func (r *reader) close() {
	for _, f := range r.files {
		_ = f.Close() // read-only: closing has nothing to report
	}
	clear(r.files)
}
