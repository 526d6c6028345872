package run

import (
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

	"github.com/octgen/octgen/internal/atomicfile"
)

// folder is a run's folder, or a writer's part of it, locked by this process.
type folder struct {
	writer
	version string // of octgen
	unlock  func() error
	journal *journal
	done    map[string]*Record
	truths  map[string]bool // files of true trees written by this run
}

// openFolder locks the folder, or the part of it given by the options, for this process. If it
// contains results, o must allow continuing, and they must belong to the same spec, data and
// version.
func openFolder(p *Plan, o *Options) (_ *folder, err error) {
	if err := admit(p, o); err != nil {
		return nil, err
	}
	w := writerOf(o)
	for _, sub := range []string{TreesFolder, filepath.Dir(w.journal)} {
		if err := os.MkdirAll(filepath.Join(o.Dir, sub), 0o777); err != nil {
			return nil, err
		}
	}
	unlock, err := w.take()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, unlock())
		}
	}()
	if err := w.ready(o); err != nil {
		return nil, err
	}
	records, err := w.earlier()
	if err != nil {
		return nil, err
	}
	j, own, err := openJournal(w.path(), w.shared)
	if err != nil {
		return nil, err
	}
	f := &folder{writer: w, version: o.Version, unlock: unlock, journal: j, done: make(map[string]*Record), truths: make(map[string]bool)}
	for _, rec := range append(records, own...) {
		if w.shared {
			rec.dropTree()
		}
		f.done[rec.ID] = &rec
	}
	return f, nil
}

// refuseStrange returns an error for a folder that contains something other than a run.
func refuseStrange(dir string, spec []byte) error {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	strange := ""
	for _, f := range files {
		switch name := f.Name(); {
		case name == manifestFile:
			return nil
		case slices.Contains([]string{lockFile, TreesFolder, proofFolder, truthFolder, journalsFolder, tasksFile}, name):
		case halfWritten().MatchString(name): // of a run that crashed at its beginning
		case name == specFile && holds(filepath.Join(dir, name), spec):
		case strange == "":
			strange = name
		}
	}
	if strange != "" {
		return fmt.Errorf("%w: %s contains other files (%s) and no run; choose a new or empty folder with --out", ErrFolder, dir, strange)
	}
	return nil
}

// holds reports whether the file has this content.
func holds(path string, text []byte) bool {
	had, err := os.ReadFile(path)
	return err == nil && bytes.Equal(had, text)
}

// admit makes the folder that of the plan, or compares it with the plan.
func admit(p *Plan, o *Options) error {
	want := manifest{schemaVersion, p.Spec.Name, p.Spec.SHA256, o.Version, p.Data, len(p.Tasks), o.Shard.Of, o.scheduler}
	if o.Batch.Submission > 0 { // the plan is part of that of the folder
		return admitBeside(want, o)
	}
	if err := refuseStrange(o.Dir, p.Spec.Text); err != nil {
		return err
	}
	if err := os.MkdirAll(o.Dir, 0o777); err != nil {
		return err
	}
	path := filepath.Join(o.Dir, manifestFile)
	err := atomicfile.WriteNew(path, func(w io.Writer) error { return encode(w, want) })
	if errors.Is(err, fs.ErrExist) {
		err = admitBeside(want, o)
	}
	if err != nil {
		return err
	}
	return restore(p, o.Dir)
}

// restore rewrites the spec and the list of tasks if the folder has lost them.
func restore(p *Plan, dir string) error {
	if !holds(filepath.Join(dir, specFile), p.Spec.Text) { // the manifest has the hash of this text
		if err := writeSpec(dir, p.Spec.Text); err != nil {
			return err
		}
	}
	return putTasks(dir, p.Tasks)
}

// admitBeside compares the existing manifest with the wanted one.
func admitBeside(want manifest, o *Options) error {
	had, err := readManifest(o.Dir)
	if err != nil {
		return err
	}
	if o.Batch.Submission > 0 {
		want.Scheduler = had.Scheduler // this job belongs to it
	}
	if err := had.refuseSharing(want, o.Dir); err != nil {
		return err
	}
	if !had.shared() && !o.goesOn() {
		return fmt.Errorf("%w: %s contains results of %q; continue with --resume, or choose another folder with --out", ErrFolder, o.Dir, had.Name)
	}
	return had.refuse(want, o.Dir)
}

func writeSpec(dir string, spec []byte) error {
	return atomicfile.Write(filepath.Join(dir, specFile), func(w io.Writer) error { _, err := w.Write(spec); return err })
}

func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

func (f *folder) close() error { return errors.Join(f.journal.file.Close(), f.unlock()) }

// put makes a result durable: first the tree, or the stack of a panic, then the line that refers to
// it. It removes those of an earlier result of the task. In a shared folder the tree is in the
// line.
func (f *folder) put(r *Record) error {
	if err := f.putPanic(r); err != nil {
		return err
	}
	if f.shared {
		return f.journal.append(r)
	}
	if err := f.putTree(r); err != nil {
		return err
	}
	r.dropTree()
	return f.journal.append(r)
}

// putTree writes the record's tree, or removes that of an earlier result of the task.
func (f *folder) putTree(r *Record) error {
	path := treePath(f.dir, r.ID)
	if r.Result != nil && r.Result.Tree != nil {
		return putTree(path, r.Result.Tree)
	}
	if f.done[r.ID] != nil {
		return remove(path)
	}
	return nil
}

// putPanic writes the stack for a bug report, or removes that of an earlier result of the task.
func (f *folder) putPanic(r *Record) error {
	path := filepath.Join(f.dir, panicsFolder, r.ID+".txt")
	if r.panicked == nil {
		return remove(path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	text := fmt.Sprintf("octgen %s, %s %s/%s\ntask %s %s/%s/%s of %s\n%s\n\n%s",
		f.version, runtime.Version(), runtime.GOOS, runtime.GOARCH,
		r.ID, r.Data, r.Method, r.Split, specFile, r.panicked.Error(), r.panicked.stack)
	return atomicfile.Write(path, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
}

// putTruth makes the true tree durable, once per run: its bytes are always the same.
func (f *folder) putTruth(of *truth) error {
	if of == nil || of.tree == nil || f.truths[of.file()] {
		return nil
	}
	dir := filepath.Join(f.dir, truthFolder)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := putTree(filepath.Join(dir, of.file()), of.tree); err != nil {
		return err
	}
	f.truths[of.file()] = true
	return nil
}

// writer describes where a process puts its results.
type writer struct {
	dir     string
	journal string // path in dir
	lock    string // path in dir; "" if no other process can use this journal
	what    string // description for others who find the lock taken
	shared  bool   // others write to the folder at the same time, to their own journals
	before  string // prefix of the journals of earlier processes for the same tasks; "" for none
}

// writerOf returns the writer of a run with these options.
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

// ready prepares the writer's files: it removes partial files of a crash unless the folder is
// shared, whose files may belong to others. It continues an existing journal only if the options
// allow it.
func (w *writer) ready(o *Options) error {
	if !w.shared {
		return sweep(w.dir)
	}
	_, err := os.Stat(w.path())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && w.lock == "":
		return fmt.Errorf("%w: %s exists already, but each process that runs a batch creates its own; run the batch again", ErrFolder, w.path())
	case err == nil && !o.goesOn():
		return fmt.Errorf("%w: %s has results of shard %v; continue with --resume", ErrFolder, w.dir, o.Shard)
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
