package atomicfile_test

import (
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octgen/octgen/internal/atomicfile"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// holds fails unless the folder has one file only, of that name and content.
func holds(t *testing.T, dir, name, want string) {
	t.Helper()
	got, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil || string(got) != want {
		t.Errorf("%s: %q, %v; want %q", name, got, err, want)
	}
	if all, err := os.ReadDir(dir); len(all) != 1 {
		t.Errorf("left behind: %v, %v", all, err)
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	if err := atomicfile.Write(path, text("one")); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, "a", "one")
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Write(path, text("two")); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, "a", "two")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("permissions %v, %v; want those before", info.Mode(), err)
	}
	stop := errors.New("stop")
	err := atomicfile.Write(path, func(w io.Writer) error { return errors.Join(text("half")(w), stop) })
	if !errors.Is(err, stop) {
		t.Error(err)
	}
	holds(t, dir, "a", "two")
	if err := atomicfile.Check(path); err != nil {
		t.Error(err)
	}
	holds(t, dir, "a", "two")
}

// TestWriteLink: a link stays one, and what it leads to is replaced.
func TestWriteLink(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	link := filepath.Join(other, "link")
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "a"), nil, 0o600), os.Symlink(filepath.Join(dir, "a"), link)); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Write(link, text("one")); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, "a", "one")
	holds(t, other, "link", "one")
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}
}

func TestWriteCompressed(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.gz")
	if err := atomicfile.Write(path, text("one")); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(z); err != nil || string(got) != "one" || z.Name != "" || !z.ModTime.IsZero() {
		t.Errorf("%q, %v, header %+v", got, err, z.Header)
	}
}

// TestErrors name the folder, never the temporary file.
func TestErrors(t *testing.T) {
	dir := t.TempDir()
	for _, do := range []func(string) error{
		atomicfile.Check, func(path string) error { return atomicfile.Write(path, text("one")) },
	} {
		if err := do(dir); err == nil || err.Error() != "it is a folder" {
			t.Error(err)
		}
		missing := filepath.Join(dir, "no")
		if err := do(filepath.Join(missing, "a")); err == nil || !strings.HasPrefix(err.Error(), missing+": ") || strings.Contains(err.Error(), "tmp:") {
			t.Error(err)
		}
	}
	if special, err := atomicfile.Special(os.DevNull); err != nil || !special {
		t.Errorf("%s: special %v, %v", os.DevNull, special, err)
	}
	if err := atomicfile.Write(os.DevNull, text("one")); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s became %v, %v", os.DevNull, info.Mode(), err)
	}
}

// TestWriteNew: of several at once one writes the file, and none writes over it.
func TestWriteNew(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	errs := make(chan error)
	for range 8 {
		go func() { errs <- atomicfile.WriteNew(path, text("one")) }()
	}
	wrote := 0
	for range 8 {
		switch err := <-errs; {
		case err == nil:
			wrote++
		case !errors.Is(err, fs.ErrExist):
			t.Error(err)
		}
	}
	if wrote != 1 {
		t.Errorf("%d wrote it", wrote)
	}
	if err := atomicfile.WriteNew(path, text("two")); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	holds(t, dir, "a", "one")
	stop := errors.New("stop")
	if err := atomicfile.WriteNew(filepath.Join(dir, "b"), func(io.Writer) error { return stop }); !errors.Is(err, stop) {
		t.Error(err)
	}
	holds(t, dir, "a", "one")
}
