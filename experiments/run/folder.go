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

	"github.com/octgen/octgen/internal/atomicfile"
)

// folder is a run's folder, held by this process.
type folder struct {
	dir     string
	version string // of octgen
	unlock  func() error
	journal *journal
	done    map[string]*Record
	truths  map[string]bool // files of true trees that this run wrote
}

// openFolder takes the folder for this process. Where it holds results, resume
// must be set and they must be of the same spec, data and version.
func openFolder(p *Plan, dir, version string, resume bool) (_ *folder, err error) {
	if err := refuseStrange(dir, p.Spec.Text); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(dir, TreesFolder), 0o777); err != nil {
		return nil, err
	}
	unlock, err := lock(filepath.Join(dir, lockFile))
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, unlock())
		}
	}()
	if err := sweep(dir); err != nil {
		return nil, err
	}
	want := manifest{schemaVersion, p.Spec.Name, p.Spec.SHA256, version, p.Data, len(p.Tasks)}
	if err := admit(dir, p.Spec.Text, want, resume); err != nil {
		return nil, err
	}
	j, records, err := openJournal(filepath.Join(dir, ResultsFile))
	if err != nil {
		return nil, err
	}
	f := &folder{dir: dir, version: version, unlock: unlock, journal: j, done: make(map[string]*Record), truths: make(map[string]bool)}
	for i := range records {
		f.done[records[i].ID] = &records[i]
	}
	return f, nil
}

// refuseStrange refuses a folder that holds something other than a run.
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
		case slices.Contains([]string{lockFile, TreesFolder, truthFolder}, name):
		case halfWritten.MatchString(name): // of a run that crashed as it began
		case name == specFile && holds(filepath.Join(dir, name), spec):
		case strange == "":
			strange = name
		}
	}
	if strange != "" {
		return fmt.Errorf("%w: %s holds other things (%s) and no run; choose an empty folder, or a new one, with --out", ErrFolder, dir, strange)
	}
	return nil
}

// holds says whether the file has this content.
func holds(path string, text []byte) bool {
	had, err := os.ReadFile(path)
	return err == nil && bytes.Equal(had, text)
}

// admit compares the folder's manifest with that of the run, or writes it. A spec
// that the folder has lost is written again.
func admit(dir string, spec []byte, want manifest, resume bool) error {
	had, err := readManifest(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return errors.Join(
			writeSpec(dir, spec),
			writeJSON(filepath.Join(dir, manifestFile), want),
		)
	}
	if err != nil {
		return err
	}
	if !resume {
		return fmt.Errorf("%w: %s holds results of %q; continue with --resume, or choose another folder with --out", ErrFolder, dir, had.Name)
	}
	if err := had.refuse(want, dir); err != nil {
		return err
	}
	if holds(filepath.Join(dir, specFile), spec) {
		return nil
	}
	return writeSpec(dir, spec) // lost or damaged: it is the one that the manifest has the hash of
}

func writeSpec(dir string, spec []byte) error {
	return atomicfile.Write(filepath.Join(dir, specFile), func(w io.Writer) error { _, err := w.Write(spec); return err })
}

func writeJSON(path string, v any) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(v)
	})
}

func (f *folder) close() error { return errors.Join(f.journal.file.Close(), f.unlock()) }

// put makes a result durable: first the tree, or the stack of a panic, then the line
// that says it is there. Those of the task's earlier result go.
func (f *folder) put(r *Record) error {
	if err := f.putPanic(r); err != nil {
		return err
	}
	if f.done[r.ID] != nil && (r.Result == nil || r.Result.Tree == nil) {
		if err := remove(f.treePath(r.ID)); err != nil {
			return err
		}
	}
	if r.Result != nil && r.Result.Tree != nil {
		if err := putTree(f.treePath(r.ID), r.Result.Tree); err != nil {
			return err
		}
		short := *r.Result
		short.Tree = nil
		r.Result = &short
	}
	return f.journal.append(r)
}

// putPanic writes what a bug report needs, or takes away that of an earlier result
// of the task.
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
	return os.WriteFile(path, []byte(text), 0o666)
}

func (f *folder) treePath(id string) string { return treePath(f.dir, id) }

// putTruth makes the true tree durable, once per run: the bytes are always the same.
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
