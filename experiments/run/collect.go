package run

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/octgen/octgen/internal/atomicfile"
	"github.com/octgen/octgen/tree"
)

// Gathered says what was gathered.
type Gathered struct {
	Version string // of octgen that made the results
	Damaged []Damage
}

// Collect makes results.jsonl and the trees of a shared folder from its journals and
// from what was gathered before: one record of each task, in the plan's order. Which of
// several records counts does not depend on who wrote first. Processes may go on
// writing to the folder meanwhile, but one at a time gathers; what they write later is
// for the next time. A folder that is not shared, or is of another schema, is ErrFolder.
func Collect(dir string) (_ *Gathered, err error) {
	m, err := manifestOf(dir)
	if err != nil {
		return nil, err
	}
	if m.SchemaVersion != schemaVersion {
		return nil, fmt.Errorf("%w: %s is of schema version %d, this octgen gathers %d; gather it with octgen %s, which made it", ErrFolder, dir, m.SchemaVersion, schemaVersion, m.Version)
	}
	if !m.shared() {
		return nil, fmt.Errorf("%w: %s is not shared by several processes, so there is nothing to gather; octgen report %[2]s makes its tables", ErrFolder, dir)
	}
	unlock, err := lock(filepath.Join(dir, lockFile), fmt.Sprintf("another process collects in %s", dir))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	tasks, err := readTasks(dir)
	if err != nil {
		return nil, err
	}
	x, err := readIndex(dir)
	if err != nil {
		return nil, err
	}
	ids, err := x.ordered(tasks)
	if err != nil {
		return nil, err
	}
	trees := filepath.Join(dir, TreesFolder)
	if err := errors.Join(os.MkdirAll(trees, 0o777), sweepFolder(trees, halfWritten)); err != nil {
		return nil, err
	}
	return &Gathered{m.Version, x.damaged}, x.gather(dir, ids)
}

// ordered are the ids that have records, in the order of tasks. One that is none of
// these is an error.
func (x *index) ordered(tasks []listedTask) ([]string, error) {
	ids := make([]string, 0, len(x.at))
	for i := range tasks {
		if _, ok := x.at[tasks[i].id]; ok {
			ids = append(ids, tasks[i].id)
		}
	}
	if len(ids) == len(x.at) {
		return ids, nil
	}
	known := make(map[string]bool, len(ids))
	for _, id := range ids {
		known[id] = true
	}
	var strange []string
	for id, p := range x.at {
		if !known[id] {
			strange = append(strange, fmt.Sprintf("%s in %s", id, x.files[p.file].path))
		}
	}
	slices.Sort(strange)
	return nil, fmt.Errorf("%w: %d records are of no task in %s, such as that of %s; were files of another run put there?", ErrFolder, len(strange), tasksFile, strange[0])
}

// gather writes the trees of the records, then results.jsonl, which says that they are
// there.
func (x *index) gather(dir string, ids []string) error {
	err := atomicfile.Write(filepath.Join(dir, ResultsFile), func(w io.Writer) error {
		from := &reader{index: x, files: make(map[int]*os.File)}
		defer from.close()
		out := bufio.NewWriterSize(w, 1<<16)
		for some := range slices.Chunk(ids, gatheredAtOnce) {
			lines, err := x.gatherSome(dir, some, from)
			if err != nil {
				return err
			}
			for _, line := range lines {
				_, _ = out.Write(append(line, '\n')) // errors stay until Flush
			}
		}
		return out.Flush()
	})
	if err != nil {
		return fmt.Errorf("cannot gather what %s has: %w; its journals are whole: put that right and collect again", dir, err)
	}
	return nil
}

// gatheredAtOnce is how many records are in memory at a time.
const gatheredAtOnce = 512

// gatherSome writes the trees of some records, by all processors, and returns their
// lines.
func (x *index) gatherSome(dir string, ids []string, from *reader) ([][]byte, error) {
	lines := make([][]byte, len(ids))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	gathered := filepath.Join(dir, ResultsFile)
	for i, id := range ids {
		p := x.at[id]
		path := x.files[p.file].path
		line, err := from.line(p)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("the record of %s in %s: %w", id, path, err), g.Wait())
		}
		if lines[i] = line; path == gathered {
			continue
		}
		g.Go(func() error {
			var err error
			if lines[i], err = takeTree(dir, line); err != nil {
				return fmt.Errorf("the record of %s in %s: %w", id, path, err)
			}
			return nil
		})
	}
	return lines, g.Wait()
}

// takeTree puts the tree of a journal's line where trees are, or takes away that of
// another result of the task, and returns the line as results.jsonl has it.
func takeTree(dir string, line []byte) ([]byte, error) {
	var r Record
	if err := json.Unmarshal(line, &r); err != nil {
		return nil, err
	}
	path := treePath(dir, r.ID)
	if r.Result == nil || r.Result.Tree == nil {
		return line, remove(path)
	}
	if err := keepTree(path, r.Result.Tree); err != nil {
		return nil, err
	}
	r.dropTree()
	return json.Marshal(&r)
}

// keepTree writes a tree unless the file has it.
func keepTree(path string, t *tree.Tree) error {
	var text bytes.Buffer
	if err := t.WriteJSON(&text); err != nil {
		return err
	}
	if holds(path, text.Bytes()) {
		return nil
	}
	return atomicfile.Write(path, func(w io.Writer) error { _, err := w.Write(text.Bytes()); return err })
}
