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

// index locates the records of a folder: for each task the one that counts.
type index struct {
	tasks   []listedTask // of the plan; none if the folder has lost the list
	files   []recordFile
	at      map[string]place // by id
	damaged []Damage
}

// recordFile is a file of records.
type recordFile struct {
	path    string // in the folder
	last    time.Time
	lines   int
	strange int // additional lines that belong to no task
	done    int // tasks whose valid record is here
	failed  int // of these, with an error
}

// readIndex reads the files of records of a folder: its journals in order of their names, then
// results.jsonl, which contains everything collected before. Of several records of a task, the
// highest rank counts; of equal ones the last in a file and the first file, so that the order of
// writing does not matter.
//
// Lines that are not a complete record of a task of the plan count as damaged. Lines of
// results.jsonl are read only if no journal has a result of their task, since journals take
// precedence.
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

// journals returns the sorted paths of the journals of a folder.
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

// add adds a file's records, if the file exists. Records of unknown tasks count as damage if tasks
// are known.
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
			damaged = append(damaged, Damage{f.path, r.line, fmt.Sprintf("no task in %[2]s has the id %[1]q", r.id, tasksFile)})
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

// mostOpen is the maximum number of files that a reader has open at a time.
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

// indexed is a file of records in an index.
type indexed struct {
	path    string
	last    time.Time
	passed  int // lines that were skipped
	records []indexedRecord
	damaged []Damage
}

// indexedRecord is a line that is a record.
type indexedRecord struct {
	id   string
	line int // 1, 2, ...
	place
}

// place is the position of a record.
type place struct {
	file   int
	at     int64
	length int
	tree   span
	rank   rank
}

// rank orders records of one task: a result counts before one that was cut short, and that before
// an error.
type rank int

const (
	failed rank = iota
	cutShort
	succeeded
)

// readFiles reads files of records with all processors, nil for missing files.
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

// readFile reads a file of records, nil if it does not exist. It skips lines whose id is old; nil
// skips none.
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

// beginning returns the id at the beginning of a line in octgen's format; otherwise an id of no
// task.
func beginning(line []byte) string {
	rest, ok := bytes.CutPrefix(line, []byte(`{"id":"`))
	id, _, closed := bytes.Cut(rest, []byte(`"`))
	if !ok || !closed {
		return ""
	}
	return string(id)
}

// span is the position of a part of a line. The zero span means none.
type span struct{ at, length int }

// unplaced is the span of a tree that is not in octgen's format.
var unplaced = span{-1, 0}

// beforeTree is the text before a tree: a key that is never the first of a result.
const beforeTree = `,"tree":`

// leanRecord is a Record with its tree as text, which most readers of records do not need.
type leanRecord struct {
	Record
	Result *leanResult `json:"result"`
}

type leanResult struct {
	fit.Result
	Tree json.RawMessage `json:"tree"`
}

// indexRecord reads a whole line, so that later readers of the record find no damage.
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

// named returns a JSON error with the path of keys instead of Go field names.
func named(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) || wrong.Field == "" {
		return err
	}
	keys := slices.DeleteFunc(strings.Split(wrong.Field, "."), func(key string) bool { return unicode.IsUpper(rune(key[0])) }) // embedded
	return fmt.Errorf("%s: a %s is of the wrong type", strings.Join(keys, "."), wrong.Value)
}

// treeSpan returns the position of the tree's text in the line.
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
