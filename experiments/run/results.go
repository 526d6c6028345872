package run

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/internal/atomicfile"
	"github.com/octgen/octgen/tree"
)

// Results are the results in a folder.
type Results struct {
	Spec    *spec.Spec
	Version string   // of octgen that made them
	Tasks   int      // of the whole plan
	Records []Record // the last record of each task with one
}

// Read reads the results of a folder. It returns ErrFolder if the folder has no results, has lost
// its spec or has another one.
func Read(dir string) (*Results, error) {
	m, err := manifestOf(dir)
	if err != nil {
		return nil, err
	}
	s, err := spec.Load(filepath.Join(dir, specFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s has lost its %s; restore it with octgen run SPEC --resume --out %[2]s, where SPEC is the original spec (sha256 %[4]s)", ErrFolder, dir, specFile, m.Spec)
	}
	if err != nil {
		return nil, err
	}
	if s.SHA256 != m.Spec {
		return nil, fmt.Errorf("%w: %s in %s is not the spec of the results (sha256 %s, expected %s); restore it with octgen run SPEC --resume --out %[3]s", ErrFolder, specFile, dir, s.SHA256, m.Spec)
	}
	path := filepath.Join(dir, ResultsFile)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) && m.shared() {
		return nil, fmt.Errorf("%w: the results of the processes that share %s are not collected yet; run octgen collect %[2]s", ErrFolder, dir)
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

// Status is the progress of the run in a folder. Its JSON form is the output of `octgen status
// --json`: a contract.
type Status struct {
	Name    string         `json:"name"`    // of the experiment
	Version string         `json:"version"` // of octgen
	Shards  int            `json:"shards"`  // that share the folder; 0: one process at a time
	Tasks   int            `json:"tasks"`   // of the whole plan
	Done    int            `json:"done"`    // with a result, including errors
	Failed  int            `json:"failed"`  // of these, with an error
	Missing int            `json:"missing"` // without a result
	Methods []MethodStatus `json:"methods"` // in the order of the spec
	Writers []WriterStatus `json:"writers"` // with results, sorted by name
	Damaged []Damage       `json:"damaged,omitempty"`
}

// MethodStatus counts the tasks of a method.
type MethodStatus struct {
	Method string `json:"method"`
	Tasks  int    `json:"tasks"`
	Done   int    `json:"done"`
	Failed int    `json:"failed"`
}

// WriterStatus counts the results that a process, or results.jsonl, contributes: a result that
// several have is attributed to one of them.
type WriterStatus struct {
	Name   string    `json:"name"`    // of the file, without .jsonl
	Done   int       `json:"done"`    //
	Failed int       `json:"failed"`  //
	Last   time.Time `json:"changed"` // time of its last result
}

// ReadStatus reads the progress of the run in a folder. Processes may be writing to it.
func ReadStatus(dir string) (*Status, error) {
	m, err := manifestOf(dir)
	if err != nil {
		return nil, err
	}
	x, err := readIndex(dir)
	if err != nil {
		return nil, err
	}
	s := &Status{Name: m.Name, Version: m.Version, Shards: m.Shards, Tasks: m.Tasks, Done: len(x.at), Methods: x.byMethod(), Writers: []WriterStatus{}, Damaged: x.damaged}
	for i := range x.files {
		f := &x.files[i]
		s.Failed += f.failed
		if f.lines > 0 {
			s.Writers = append(s.Writers, WriterStatus{strings.TrimSuffix(filepath.Base(f.path), ".jsonl"), f.done, f.failed, f.last})
		}
	}
	s.Missing = s.Tasks - s.Done
	return s, nil
}

// byMethod counts the tasks of each method, in the plan's order.
func (x *index) byMethod() []MethodStatus {
	all := []MethodStatus{}
	at := make(map[string]int)
	for i := range x.tasks {
		t := &x.tasks[i]
		k, ok := at[t.method]
		if !ok {
			k = len(all)
			at[t.method] = k
			all = append(all, MethodStatus{Method: t.method})
		}
		all[k].Tasks++
		p, ok := x.at[t.id]
		if !ok {
			continue
		}
		all[k].Done++
		if p.rank == failed {
			all[k].Failed++
		}
	}
	return all
}

// Gathered describes the collected results.
type Gathered struct {
	Version string // of octgen that made the results
	Damaged []Damage
}

// Collect makes results.jsonl and the trees of a shared folder from its journals and from what was
// collected before: one record of each task, in the plan's order. The choice among several records
// does not depend on the order of writing. Processes may continue to write to the folder, but only
// one may collect at a time; later results are for the next collection. A folder that is not
// shared, or has another schema, gives ErrFolder.
func Collect(dir string) (_ *Gathered, err error) {
	m, err := manifestOf(dir)
	if err != nil {
		return nil, err
	}
	if m.SchemaVersion != schemaVersion {
		return nil, fmt.Errorf("%w: %s has schema version %d, but this octgen collects version %d; collect it with octgen %s, which made it", ErrFolder, dir, m.SchemaVersion, schemaVersion, m.Version)
	}
	if !m.shared() {
		return nil, fmt.Errorf("%w: %s is not shared by several processes, so there is nothing to collect; octgen report %[2]s writes its tables", ErrFolder, dir)
	}
	unlock, err := lock(filepath.Join(dir, lockFile), fmt.Sprintf("another process collects in %s", dir))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	x, err := readIndex(dir)
	if err != nil {
		return nil, err
	}
	if err := x.gathers(dir); err != nil {
		return nil, err
	}
	trees := filepath.Join(dir, TreesFolder)
	if err := errors.Join(os.MkdirAll(trees, 0o777), sweepFolder(trees, halfWritten())); err != nil {
		return nil, err
	}
	return &Gathered{m.Version, x.damaged}, x.gather(dir, x.ordered())
}

// gathers returns an error for a folder whose list of tasks is lost, without which records cannot
// be placed, and for one whose results.jsonl belongs to another run, since it would be lost.
func (x *index) gathers(dir string) error {
	if len(x.tasks) == 0 {
		return fmt.Errorf("%w: %s has lost its %s; restore it with octgen run SPEC --resume --out %[2]s --shard 0/1", ErrFolder, dir, tasksFile)
	}
	for i := range x.files {
		if f := &x.files[i]; filepath.Base(f.path) == ResultsFile && f.strange > 0 && f.lines == 0 {
			return fmt.Errorf("%w: none of the %d records of %s belongs to a task in %s, so the file belongs to another run: move it and collect again", ErrFolder, f.strange, f.path, tasksFile)
		}
	}
	return nil
}

// ordered returns the ids that have records, in the plan's order.
func (x *index) ordered() []string {
	ids := make([]string, 0, len(x.at))
	for i := range x.tasks {
		if _, ok := x.at[x.tasks[i].id]; ok {
			ids = append(ids, x.tasks[i].id)
		}
	}
	return ids
}

// gather writes the trees of the records, then results.jsonl, which refers to them.
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
				_, _ = out.Write(append(line, '\n')) // Flush returns the errors
			}
		}
		return out.Flush()
	})
	if err != nil {
		return fmt.Errorf("cannot collect the results of %s: %w; its journals are intact: fix the cause and collect again", dir, err)
	}
	return nil
}

// gatheredAtOnce is the number of records in memory at a time.
const gatheredAtOnce = 512

// gatherSome writes the trees of some records with all processors, and returns their lines.
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
			if lines[i], err = takeTree(dir, id, line, p.tree); err != nil {
				return fmt.Errorf("the record of %s in %s: %w", id, path, err)
			}
			return nil
		})
	}
	return lines, g.Wait()
}

// takeTree moves the tree of a journal's line to the trees, or removes that of another result of
// the task, and returns the line for results.jsonl.
func takeTree(dir, id string, line []byte, at span) ([]byte, error) {
	path := treePath(dir, id)
	switch at {
	case span{}:
		return line, remove(path)
	case unplaced:
		return takeUnplaced(path, line)
	}
	end := at.at + at.length
	var t tree.Tree
	if err := t.UnmarshalJSON(line[at.at:end]); err != nil {
		return nil, err
	}
	return append(line[:at.at-len(beforeTree)], line[end:]...), keepTree(path, &t)
}

// takeUnplaced is takeTree for a line that is not in octgen's format.
func takeUnplaced(path string, line []byte) ([]byte, error) {
	var r Record
	if err := json.Unmarshal(line, &r); err != nil {
		return nil, err
	}
	if err := keepTree(path, r.Result.Tree); err != nil {
		return nil, err
	}
	r.dropTree()
	return json.Marshal(&r)
}

// keepTree writes a tree unless the file has it. It writes a new file in place: the next collection
// finds and replaces a partial file of a crash, since results.jsonl, which refers to trees, is
// written last.
func keepTree(path string, t *tree.Tree) error {
	var text bytes.Buffer
	if err := t.WriteJSON(&text); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err == nil {
		if _, err = f.Write(text.Bytes()); err != nil {
			return errors.Join(err, f.Close(), os.Remove(path))
		}
		return f.Close()
	}
	if errors.Is(err, fs.ErrExist) && holds(path, text.Bytes()) {
		return nil
	}
	return atomicfile.Write(path, func(w io.Writer) error { _, err := w.Write(text.Bytes()); return err })
}
