package run

import (
	"fmt"
	"path/filepath"
)

// journalsFolder holds the results of a shared folder, a file for each process that
// writes some: NAME.jsonl. Their records hold the trees, so that a record and its tree
// are there together or not at all; Collect makes results.jsonl and trees of them.
const journalsFolder = "journals"

// writer says where a process puts its results.
type writer struct {
	dir     string
	journal string // path in dir
	lock    string // path in dir
	what    string // it runs, for those who find it held
	shared  bool   // others write to the folder at the same time, to journals of their own
}

// writerOf is the writer of a run with these options.
func writerOf(o *Options) writer {
	if o.Shard.Of == 0 {
		return writer{o.Dir, ResultsFile, lockFile, "runs", false}
	}
	base := filepath.Join(journalsFolder, o.Shard.name())
	return writer{o.Dir, base + ".jsonl", base + ".lock", fmt.Sprintf("runs shard %v", o.Shard), true}
}

func (w *writer) path() string { return filepath.Join(w.dir, w.journal) }

// take takes the writer's lock for this process.
func (w *writer) take() (unlock func() error, err error) {
	return lock(filepath.Join(w.dir, w.lock), fmt.Sprintf("another process %s in %s", w.what, w.dir))
}
