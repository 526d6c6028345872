package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/sync/errgroup"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/tree"
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

// indexed is a file of records as an index reads it.
type indexed struct {
	path    string
	last    time.Time
	passed  int // lines that were not read
	records []indexedRecord
	damaged []Damage
}

// indexedRecord is a line of it that is a record.
type indexedRecord struct {
	id   string
	line int // 1, 2, ...
	place
}

// place is where a record is.
type place struct {
	file   int
	at     int64
	length int
	tree   span
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

// readFiles reads files of records by all processors, nil for those that are not there.
func readFiles(paths []string) ([]*indexed, error) {
	files := make([]*indexed, len(paths))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, path := range paths {
		g.Go(func() (err error) {
			files[i], err = readFile(path, nil)
			return err
		})
	}
	return files, g.Wait()
}

// readFile reads a file of records, nil where there is none. Lines of ids that are old
// are passed over; nil for none.
func readFile(path string, old func(id string) bool) (*indexed, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close() // read-only: closing has nothing to report
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	x := &indexed{path: path, last: info.ModTime()}
	number := 0
	_, x.damaged, err = eachLine(f, path, func(line []byte, at int64) error {
		number++
		if old != nil && old(beginning(line)) {
			x.passed++
			return nil
		}
		id, p, err := indexRecord(line)
		if err != nil {
			return err
		}
		p.at = at
		x.records = append(x.records, indexedRecord{id, number, p})
		return nil
	})
	return x, err
}

// beginning is the id that a line begins with, if it is as octgen writes it; else what
// is the id of no task.
func beginning(line []byte) string {
	rest, ok := bytes.CutPrefix(line, []byte(`{"id":"`))
	id, _, closed := bytes.Cut(rest, []byte(`"`))
	if !ok || !closed {
		return ""
	}
	return string(id)
}

// span is where a part of a line is. The zero span is none.
type span struct{ at, length int }

// unplaced is the span of a tree that is not where octgen writes it.
var unplaced = span{-1, 0}

// beforeTree is what octgen writes before a tree: a key that is never a result's first.
const beforeTree = `,"tree":`

// leanRecord is a Record with its tree as text, which few who read records need.
type leanRecord struct {
	Record
	Result *leanResult `json:"result"`
}

type leanResult struct {
	fit.Result
	Tree json.RawMessage `json:"tree"`
}

// indexRecord reads a line: all of it, so that those who read the record later find no
// damage.
func indexRecord(line []byte) (id string, p place, err error) {
	var r leanRecord
	if err := json.Unmarshal(line, &r); err != nil {
		return "", p, named(err)
	}
	if r.ID == "" {
		return "", p, errNoID
	}
	p = place{length: len(line), rank: r.rank()}
	if r.Result == nil || r.Result.Tree == nil || string(r.Result.Tree) == "null" {
		return r.ID, p, nil
	}
	if err := new(tree.Tree).UnmarshalJSON(r.Result.Tree); err != nil {
		return "", p, err
	}
	p.tree = treeSpan(line, r.Result.Tree)
	return r.ID, p, nil
}

// named is an error of JSON with the path of keys instead of Go's names of fields.
func named(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) || wrong.Field == "" {
		return err
	}
	keys := slices.DeleteFunc(strings.Split(wrong.Field, "."), func(key string) bool { return unicode.IsUpper(rune(key[0])) }) // embedded
	return fmt.Errorf("%s: a %s is of the wrong type", strings.Join(keys, "."), wrong.Value)
}

// treeSpan is where the text of the tree is in the line.
func treeSpan(line, text []byte) span {
	before, after, found := bytes.Cut(line, append([]byte(beforeTree), text...))
	if !found || bytes.Contains(before, []byte(beforeTree)) || bytes.Contains(after, []byte(beforeTree)) {
		return unplaced
	}
	return span{len(before) + len(beforeTree), len(text)}
}

func (r *leanRecord) rank() rank {
	switch {
	case r.Error != "":
		return failed
	case r.CutShort:
		return cutShort
	}
	return succeeded
}
