package instances

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/internal/atomicfile"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers/solfile"
)

// Options are the options of writing a library.
type Options struct {
	Dir     string
	Plain   bool   // do not compress the models
	Version string // version of octgen, named in the files
	Skip    func(name string, why error)
	Done    func(in *Instance) // called after the instance's files are written
}

// columns are the columns of instances.csv.
var columns = []string{
	"name", "data", "method", "form", "encoding", "depth", "alpha", "max_splits", "min_leaf", "data_rows",
	"rows", "columns", "binaries", "nonzeros", "lazy_rows", "indicators", "status", "objective", "found_by", "sha256",
}

// Write writes the library of a spec: for each instance NAME.mps.gz and, if a point is known,
// NAME.sol; also octgen.solu, instances.csv, README.md and the spec. It checks the spec before it
// writes anything, and the folder appears only when it is complete; until then, and if writing
// fails, the previous folder remains. It replaces an empty folder or a library; any other folder is
// an error that wraps fit.ErrInput.
func Write(ctx context.Context, s *spec.Spec, o Options) error {
	f, err := begin(o.Dir)
	if err != nil {
		return err
	}
	o.Dir = f.work
	return f.end(write(ctx, s, o))
}

// write writes the files into an existing folder.
func write(ctx context.Context, s *spec.Spec, o Options) error {
	all, err := plan(ctx, s)
	if err != nil {
		return err
	}
	var solu, table bytes.Buffer
	rows := csv.NewWriter(&table)
	if err := rows.Write(columns); err != nil {
		return err
	}
	n := 0
	err = each(ctx, all, o.Skip, func(in *Instance) error {
		n++
		sum, err := in.write(s, o)
		if err != nil {
			return err
		}
		fmt.Fprintln(&solu, in.solu())
		if err := rows.Write(in.row(sum)); err != nil {
			return err
		}
		if o.Done != nil {
			o.Done(in)
		}
		return nil
	})
	if err != nil {
		return err
	}
	rows.Flush()
	for i, text := range [][]byte{solu.Bytes(), table.Bytes(), readme(s, o, n), s.Text} {
		if err := put(filepath.Join(o.Dir, fixed[i]), text); err != nil {
			return err
		}
	}
	return nil
}

func put(path string, text []byte) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// write writes the files of one instance, and returns the checksum of the uncompressed model, which
// does not depend on the compressor.
func (in *Instance) write(s *spec.Spec, o Options) (sum string, err error) {
	m := in.Model.WithName(in.Name)
	opts := mps.Options{Comments: []string{
		"made by octgen " + o.Version,
		fmt.Sprintf("instance %s of the library %s", in.Name, s.Name),
		fmt.Sprintf("data %s, %d rows", in.Data, in.Rows),
	}}
	opts.Comments = append(opts.Comments, in.Lines...)
	var mp *mps.Map
	hash := sha256.New()
	err = atomicfile.Write(filepath.Join(o.Dir, in.Name+o.ending()), func(w io.Writer) error {
		b := bufio.NewWriter(w)
		if mp, err = mps.Write(io.MultiWriter(b, hash), m, opts); err != nil {
			return err
		}
		return b.Flush()
	})
	if err != nil || in.Point == nil {
		return fmt.Sprintf("%x", hash.Sum(nil)), err
	}
	err = atomicfile.Write(filepath.Join(o.Dir, in.Name+".sol"), func(w io.Writer) error {
		return solfile.WriteStart(w, solfile.HiGHS, m, mp, in.Point, solfile.StartOptions{}) // MIPLIB's format
	})
	return fmt.Sprintf("%x", hash.Sum(nil)), err
}

// ending returns the ending of the model files.
func (o *Options) ending() string {
	if o.Plain {
		return ".mps"
	}
	return ".mps.gz"
}

// status returns MIPLIB's status word.
func (in *Instance) status() string {
	switch {
	case in.Infeasible:
		return "inf"
	case in.Point == nil:
		return "unkn"
	case in.Proved:
		return "opt"
	}
	return "best"
}

// solu returns the line of octgen.solu.
func (in *Instance) solu() string {
	line := "=" + in.status() + "= " + in.Name
	if in.Point != nil {
		line += " " + number(in.Objective)
	}
	return line
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// row returns the line of instances.csv.
func (in *Instance) row(sum string) []string {
	m, s := in.Model, in.Spec
	objective, most := "", ""
	if in.Point != nil {
		objective = number(in.Objective)
	}
	if s.MaxSplits > 0 {
		most = strconv.Itoa(s.MaxSplits)
	}
	return []string{
		in.Name, in.Data, in.Method, s.Form, s.Encoding, strconv.Itoa(in.Depth), number(s.Alpha), most, number(s.MinLeaf), strconv.Itoa(in.Rows),
		strconv.Itoa(m.NumRows()), strconv.Itoa(m.NumCols()), strconv.Itoa(m.NumDiscrete()), strconv.Itoa(m.NumNonzeros()), strconv.Itoa(m.NumLazy()), strconv.Itoa(len(m.Indicators())),
		in.status(), objective, in.Tree, sum,
	}
}

// readme describes the files.
func readme(s *spec.Spec, o Options, n int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `# %s

%d models of optimal decision trees, made by octgen %s from the spec spec.yaml
(sha256 %s).
The same spec, data and version give the same files.

| file | contents |
|---|---|
| NAME%s | the model: a minimization in free MPS with names. The constant of an objective is the cost of the variable octgen_one, fixed at 1. After a comment "octgen lazy N", the last N constraints are lazy; solvers without lazy constraints read them as ordinary ones. Gurobi, CPLEX, SCIP and Xpress read constraints in a section INDICATORS; HiGHS, CBC and GLPK do not |
| octgen.solu | one line per model: =opt= with the objective proved by an exact search of all trees, which does not use the model, or by rows with equal features; =best= with the objective of the best point known; =inf= if the search has proved infeasibility; =unkn= |
| NAME.sol | a point with that objective: =obj= and its value, then variables and values |
| instances.csv | sizes, the problem of each model (max_splits is empty for no limit), and the sha256 of the uncompressed MPS file |

An =opt= objective is that of a tree, in floating point: compare solvers with it within
their tolerances. To check a point: octgen model check NAME%[5]s NAME.sol.
For a solver that does not read compressed files, run gunzip first.
`, s.Name, n, o.Version, s.SHA256, o.ending())
	return b.Bytes()
}

// fixed are the files that every library has in addition to those of its instances.
var fixed = []string{"octgen.solu", tableName, "README.md", "spec.yaml"}

const tableName = "instances.csv"

// folder is the target folder of a library: until the library is complete, its files are in a
// temporary folder next to it.
type folder struct {
	path, work string
	ended      func() // work is no longer a temporary folder
}

// begin creates the temporary folder of a library for path. A path that contains anything other
// than a library is an error that wraps fit.ErrInput.
func begin(path string) (*folder, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if err := replaceable(path); err != nil {
		return nil, fmt.Errorf("%w: %w", fit.ErrInput, err)
	}
	parent, base := filepath.Split(path)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return nil, fmt.Errorf("%w: cannot write %s: %w", fit.ErrInput, path, err)
	}
	for k := 0; ; k++ {
		f := &folder{path: path, work: filepath.Join(parent, fmt.Sprintf(".%s.%d-%d.tmp", base, os.Getpid(), k))}
		f.ended, err = atomicfile.Mkdir(f.work)
		switch {
		case errors.Is(err, fs.ErrExist) && k < 1000:
		case err != nil:
			return nil, fmt.Errorf("%w: cannot write %s: %w", fit.ErrInput, path, errors.Unwrap(err))
		default:
			return f, nil
		}
	}
}

// replaceable returns an error for an existing path, unless it is an empty folder or contains only
// the files of a library.
func replaceable(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is a file; name a folder for the library", path)
	}
	if here, err := os.Stat("."); err == nil && os.SameFile(here, info) {
		return fmt.Errorf("%s is the current folder, which the library would replace: name another folder", path)
	}
	entries, err := os.ReadDir(path)
	if err != nil || len(entries) == 0 {
		return err
	}
	ours := filesOf(path)
	for _, e := range entries {
		if !ours[e.Name()] || !e.Type().IsRegular() {
			return fmt.Errorf("%s contains %s, which is not part of a complete library: name a new or empty folder, or that of a library to be replaced", path, e.Name())
		}
	}
	return nil
}

// filesOf returns the names of files that a library in a folder may have; none if it has no table
// of instances.
func filesOf(path string) map[string]bool {
	f, err := os.Open(filepath.Join(path, tableName))
	if err != nil {
		return nil
	}
	defer f.Close() // read-only: closing has nothing to report
	table := csv.NewReader(f)
	table.FieldsPerRecord = -1
	lines, err := table.ReadAll()
	if err != nil || len(lines) == 0 || len(lines[0]) == 0 || lines[0][0] != columns[0] {
		return nil
	}
	ours := map[string]bool{}
	for _, name := range fixed {
		ours[name] = true
	}
	for _, l := range lines[1:] {
		for _, ending := range []string{".mps", ".mps.gz", ".sol"} {
			ours[l[0]+ending] = true
		}
	}
	return ours
}

// end moves the library into place or, if err is not nil, removes its files.
func (f *folder) end(err error) error {
	defer f.ended()
	if err == nil {
		err = f.replace()
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(f.work))
	}
	return nil
}

// replace renames the new folder to its final path and removes the old one.
func (f *folder) replace() error {
	if err := replaceable(f.path); err != nil { // files that appeared in the meantime remain
		return fmt.Errorf("%w: %w", fit.ErrInput, err)
	}
	old := f.work + ".old"
	switch err := os.Rename(f.path, old); {
	case errors.Is(err, fs.ErrNotExist):
		return os.Rename(f.work, f.path)
	case err != nil:
		return err
	}
	if err := os.Rename(f.work, f.path); err != nil {
		return errors.Join(err, os.Rename(old, f.path))
	}
	return os.RemoveAll(old)
}
