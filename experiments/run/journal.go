package run

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/octgen/octgen/experiments/generate"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/tree"
)

// Record is the outcome of a task: a line of results.jsonl. Everything in it but
// the provenance and the fields whose names end in "seconds" is the same for any number of workers
// where proof or a work limit ended the task; one that time ended says so in
// Result's limit.
type Record struct {
	ID     string      `json:"id"`
	Data   string      `json:"data"`
	Method string      `json:"method"`
	Split  string      `json:"split"`
	Error  string      `json:"error,omitempty"`
	Result *fit.Result `json:"result,omitempty"` // without its tree, which is trees/ID.json; with it in the journals of a shared folder

	Recovery *generate.Recovery `json:"recovery,omitempty"`      // of the tree that made the data; nil for files
	Trace    []TracePoint       `json:"trace_seconds,omitempty"` // of the solver's progress, if one ran

	CutShort   bool        `json:"cut_short,omitempty"` // by Options.Stop: the best tree until then
	Provenance *Provenance `json:"provenance,omitempty"`

	Histograms []tree.Histogram `json:"histograms,omitempty"` // of the training rows, at each branch node of the tree

	panicked *panicked // where Error is of a panic
}

// setError keeps a task's error in its record, with the file of its stack where it
// panicked.
func (r *Record) setError(err error) {
	if err == nil {
		return
	}
	r.Error = spec.Plain(err)
	if errors.As(err, &r.panicked) {
		r.Error += "; a mistake in octgen: please report it with " + panicsFolder + "/" + r.ID + ".txt"
	}
}

// journal is a file of records, open for appending.
type journal struct {
	file *os.File
	size int64 // of the whole lines

	write func([]byte) (int, error) // file.Write; tests have a full disk
}

// openJournal opens or makes the file and returns the last records in it. What a crash
// left of a last line is cut off. Damaged lines are an error, or, where one is to pass
// over them, none.
func openJournal(path string, passOver bool) (*journal, []Record, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, nil, err
	}
	records, size, damaged, err := readRecords(f, path)
	if len(damaged) > 0 && !passOver {
		err = errors.Join(err, damaged[0].err())
	}
	if err == nil {
		err = f.Truncate(size)
	}
	if err == nil {
		_, err = f.Seek(size, io.SeekStart)
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return &journal{file: f, size: size, write: f.Write}, records, nil
}

var errNoID = errors.New("no id")

// readRecords returns the last record of each id, as a task that was run again has
// several, the size of the whole lines, and those that are none.
func readRecords(r io.Reader, path string) (records []Record, size int64, damaged []Damage, err error) {
	at := make(map[string]int) // of an id
	size, damaged, err = eachLine(r, path, func(line []byte, _ int64) error {
		var rec Record
		if err := json.Unmarshal(line, &rec); err != nil {
			return err
		}
		if rec.ID == "" {
			return errNoID
		}
		if i, ok := at[rec.ID]; ok {
			records[i] = rec
		} else {
			at[rec.ID] = len(records)
			records = append(records, rec)
		}
		return nil
	})
	return records, size, damaged, err
}

// eachLine calls do with every whole line of a journal, without its end, and with where
// it begins, and returns the size of all of them. The line is do's only until it
// returns. An error of do's says what is wrong with the line, which is damaged.
func eachLine(r io.Reader, path string, do func(line []byte, at int64) error) (size int64, damaged []Damage, err error) {
	buffer := bufio.NewReaderSize(r, 1<<16)
	var line []byte
	for number := 1; ; number++ {
		line = line[:0]
		for {
			part, more := buffer.ReadSlice('\n')
			line = append(line, part...)
			if more == nil {
				break
			}
			if errors.Is(more, io.EOF) {
				return size, damaged, nil // what a crash left of a line, or what is being written
			}
			if !errors.Is(more, bufio.ErrBufferFull) {
				return size, damaged, more
			}
		}
		if err := do(line[:len(line)-1], size); err != nil {
			damaged = append(damaged, Damage{path, number, err.Error()})
		}
		size += int64(len(line))
	}
}

// append adds a record: one write and a sync. After an error the file holds the
// whole lines that it held before.
func (j *journal) append(r *Record) error {
	line, err := json.Marshal(r)
	if err != nil { // such as an infinite figure: the task's mistake, not the disk's
		r.Result, r.Error = nil, fmt.Sprintf("the result cannot be written as JSON: %v", err)
		if line, err = json.Marshal(r); err != nil {
			return err
		}
	}
	line = append(line, '\n')
	_, err = j.write(line)
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		_, seek := j.file.Seek(j.size, io.SeekStart)
		return errors.Join(err, j.file.Truncate(j.size), seek)
	}
	j.size += int64(len(line))
	return nil
}
