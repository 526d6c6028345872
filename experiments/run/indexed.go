package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/sync/errgroup"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/tree"
)

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
