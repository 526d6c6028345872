package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// distinct returns an error if the file at path, which is to be written, is one
// of the others, which are read or written too.
func distinct(path string, others ...string) error {
	if path == "" || path == "-" {
		return nil
	}
	info, err := os.Stat(path)
	for _, other := range others {
		if other == "" || other == "-" {
			continue
		}
		same := filepath.Clean(path) == filepath.Clean(other)
		if o, oerr := os.Stat(other); err == nil && oerr == nil {
			same = same || info.Mode().IsRegular() && os.SameFile(info, o)
		}
		if same {
			return badInput(fmt.Errorf("%s would be overwritten: it is used as %s, too", path, other))
		}
	}
	return nil
}

// checkOutput returns an error if a file cannot be written at path; it leaves
// nothing behind. Work that takes long begins with it.
func checkOutput(path string) error {
	if path == "" || path == "-" {
		return nil
	}
	target, special, err := outputTarget(path)
	if err == nil && !special {
		var tmp *os.File
		if tmp, err = createBeside(target); err == nil {
			err = errors.Join(tmp.Close(), os.Remove(tmp.Name()))
		}
	}
	return writeError(path, err)
}

func writeError(path string, err error) error {
	if err == nil {
		return nil
	}
	if cause := (*fs.PathError)(nil); errors.As(err, &cause) {
		err = fmt.Errorf("%s: %w", filepath.Dir(path), cause.Err) // not the name of the temporary file
	}
	return badInput(fmt.Errorf("cannot write %s: %w", path, err))
}

// outputTarget follows links. Special says that the target is no regular file,
// such as a pipe, and is to be written to as it is.
func outputTarget(path string) (target string, special bool, err error) {
	target, err = filepath.EvalSymlinks(path)
	if err != nil {
		target = path
	}
	switch info, err := os.Stat(target); {
	case err != nil:
		return target, false, nil // new, or the folder's fault
	case info.IsDir():
		return target, false, errors.New("it is a folder")
	default:
		return target, !info.Mode().IsRegular(), nil
	}
}

// createBeside creates a file in the folder of target, with the permissions of
// target or, if there is none, of a new file.
func createBeside(target string) (*os.File, error) {
	dir, base := filepath.Split(target)
	for k := 0; ; k++ {
		name := filepath.Join(dir, fmt.Sprintf(".%s.%d-%d.tmp", base, os.Getpid(), k))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) && k < 1000 {
			continue
		}
		if info, statErr := os.Stat(target); err == nil && statErr == nil {
			err = f.Chmod(info.Mode().Perm())
		}
		return f, err
	}
}

// writeFile writes a file by way of a temporary one, so that the file is either
// as before or complete; a name that ends in .gz is compressed. When ctx ends,
// writing stops and nothing is left behind. "" and "-" are standard output.
func (a *app) writeFile(ctx context.Context, path string, write func(w io.Writer) error) error {
	if path == "" || path == "-" {
		return write(stopping{ctx, a.stdout})
	}
	target, special, err := outputTarget(path)
	if err != nil {
		return writeError(path, err)
	}
	var f *os.File
	if special {
		f, err = os.OpenFile(target, os.O_WRONLY, 0)
	} else {
		f, err = createBeside(target)
	}
	if err != nil {
		return writeError(path, err)
	}
	err = errors.Join(pack(stopping{ctx, f}, path, write), f.Close())
	if special {
		return err
	}
	if err == nil {
		err = os.Rename(f.Name(), target)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// pack calls write with w, compressed if the name says so. The gzip header has
// neither time nor name: same content, same bytes.
func pack(w io.Writer, name string, write func(w io.Writer) error) error {
	if !strings.HasSuffix(name, ".gz") {
		return write(w)
	}
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return err
	}
	if err := write(z); err != nil {
		return err
	}
	return z.Close()
}

// stopping is a writer that fails once ctx has ended.
type stopping struct {
	ctx context.Context
	w   io.Writer
}

func (s stopping) Write(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.w.Write(p)
}

// printJSON prints v as the one object on standard output.
func (a *app) printJSON(v any) error {
	out := bufio.NewWriter(a.stdout)
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	return out.Flush()
}
