package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// writer says where a process puts its results.
type writer struct {
	dir     string
	journal string // path in dir
	lock    string // path in dir; "" where no other process has such a journal
	what    string // it runs, for those who find it held
	shared  bool   // others write to the folder at the same time, to journals of their own
	before  string // how the names of journals begin that earlier processes wrote for the same tasks; "" for none
}

// writerOf is the writer of a run with these options.
func writerOf(o *Options) writer {
	w := writer{dir: o.Dir, journal: ResultsFile, lock: lockFile, what: "runs"}
	switch base := filepath.Join(journalsFolder, o.Shard.name()); {
	case o.Batch.Submission > 0:
		w = writer{dir: o.Dir, journal: filepath.Join(journalsFolder, o.Batch.journal()+".jsonl"), shared: true, before: o.Batch.prefix()}
	case o.Shard.Of > 0:
		w = writer{dir: o.Dir, journal: base + ".jsonl", lock: base + ".lock", what: fmt.Sprintf("runs shard %v", o.Shard), shared: true}
	}
	return w
}

func (w *writer) path() string { return filepath.Join(w.dir, w.journal) }

// take takes the writer's lock for this process.
func (w *writer) take() (unlock func() error, err error) {
	if w.lock == "" {
		return func() error { return nil }, nil
	}
	return lock(filepath.Join(w.dir, w.lock), fmt.Sprintf("another process %s in %s", w.what, w.dir))
}

// ready puts the writer's place in order: what a crash left under way goes, but where
// others write it is theirs. A journal that is there is gone on with only by one who
// says so.
func (w *writer) ready(o *Options) error {
	if !w.shared {
		return sweep(w.dir)
	}
	_, err := os.Stat(w.path())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && w.lock == "":
		return fmt.Errorf("%w: %s is there already, though each process that runs a batch makes one of its own; run the batch again", ErrFolder, w.path())
	case err == nil && !o.goesOn():
		return fmt.Errorf("%w: %s has results of shard %v; go on with --resume", ErrFolder, w.dir, o.Shard)
	}
	return err
}

// earlier returns the records of earlier processes for the same tasks.
func (w *writer) earlier() ([]Record, error) {
	if w.before == "" {
		return nil, nil
	}
	paths, err := journals(w.dir)
	if err != nil {
		return nil, err
	}
	var all []Record
	for _, path := range paths {
		if !strings.HasPrefix(filepath.Base(path), w.before) {
			continue
		}
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		records, _, _, err := readRecords(f, path)
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
		all = append(all, records...)
	}
	return all, nil
}
