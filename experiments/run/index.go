package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// index says where the records of a folder are: of each task the one that counts.
type index struct {
	tasks   []listedTask // of the plan; none where the folder has lost the list
	files   []recordFile
	at      map[string]place // of an id
	damaged []Damage
}

// recordFile is a file of records.
type recordFile struct {
	path    string // in the folder
	last    time.Time
	lines   int
	strange int // lines more, that are of no task
	done    int // tasks whose record that counts is here
	failed  int // of them, with an error
}

// readIndex reads the files of records of a folder: its journals in the order of their
// names, then results.jsonl, which holds what was gathered before. Of several records of
// a task the highest rank counts; of equals the last one in a file, and of files the
// first, so that it does not matter who wrote first.
//
// Lines that are no whole record of a task of the plan are damaged. Those of results.jsonl
// are read only where no journal has a result of their task, which counts before them.
func readIndex(dir string) (*index, error) {
	paths, err := journals(dir)
	if err != nil {
		return nil, err
	}
	tasks, err := readTasks(dir)
	if err != nil {
		return nil, err
	}
	files, err := readFiles(paths)
	if err != nil {
		return nil, err
	}
	x := &index{tasks: tasks, at: make(map[string]place, len(tasks))}
	known := make(map[string]bool, len(tasks))
	for i := range tasks {
		known[tasks[i].id] = true
	}
	for _, f := range files {
		x.add(f, known)
	}
	results, err := readFile(filepath.Join(dir, ResultsFile), func(id string) bool {
		p, ok := x.at[id]
		return ok && p.rank == succeeded
	})
	if err != nil {
		return nil, err
	}
	x.add(results, known)
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

// add adds a file's records, if there is a file. Those of no task are damage, where
// tasks are known.
func (x *index) add(f *indexed, known map[string]bool) {
	if f == nil {
		return
	}
	number := len(x.files)
	file := recordFile{path: f.path, last: f.last, lines: f.passed}
	damaged := f.damaged
	for i := range f.records {
		r := &f.records[i]
		if len(known) > 0 && !known[r.id] {
			file.strange++
			damaged = append(damaged, Damage{f.path, r.line, fmt.Sprintf("%q is the id of no task in %s", r.id, tasksFile)})
			continue
		}
		file.lines++
		p := r.place
		p.file = number
		if had, ok := x.at[r.id]; !ok || p.rank > had.rank || p.rank == had.rank && had.file == number {
			x.at[r.id] = p
		}
	}
	slices.SortFunc(damaged, func(a, b Damage) int { return a.Line - b.Line })
	x.files = append(x.files, file)
	x.damaged = append(x.damaged, damaged...)
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
