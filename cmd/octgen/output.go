package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/octgen/octgen/internal/atomicfile"
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
	return writeError(path, atomicfile.Check(path))
}

func writeError(path string, err error) error {
	if err == nil {
		return nil
	}
	if cause, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("%s: %w", filepath.Dir(path), cause.Err) // not the name of the temporary file
	}
	return badInput(fmt.Errorf("cannot write %s: %w", path, err))
}

// writeFile writes a file by way of a temporary one, so that the file is either
// as before or complete; a name that ends in .gz is compressed. When ctx ends,
// writing stops and nothing is left behind. "" and "-" are standard output.
func (a *app) writeFile(ctx context.Context, path string, write func(w io.Writer) error) error {
	if path == "" || path == "-" {
		if err := write(stopping{ctx, a.stdout}); err != nil {
			return err
		}
		return a.stdout.Flush()
	}
	f, err := atomicfile.Create(path)
	if err != nil {
		return writeError(path, err)
	}
	return f.Finish(atomicfile.Pack(stopping{ctx, f}, path, write))
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

// print prints v in JSON or, without asJSON, what text writes on standard output.
func (a *app) print(asJSON bool, v any, text func(w io.Writer)) error {
	if asJSON {
		return a.printJSON(v)
	}
	text(a.stdout)
	return a.stdout.Flush()
}

// printJSON prints v as the one object on standard output.
func (a *app) printJSON(v any) error {
	e := json.NewEncoder(a.stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	return a.stdout.Flush()
}

// writeCSV writes a header and n lines, to which row appends the fields.
func writeCSV(w io.Writer, header []string, n int, row func(line []string, i int) []string) error {
	out := csv.NewWriter(w)
	err := out.Write(header)
	for i, line := 0, header; i < n && err == nil; i++ {
		line = row(line[:0], i)
		err = out.Write(line)
	}
	out.Flush()
	return cmp.Or(err, out.Error())
}
