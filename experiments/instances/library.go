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

// Options say how a library is written.
type Options struct {
	Dir     string
	Plain   bool   // the models are not compressed
	Version string // of octgen, which the files name
	Skip    func(name string, why error)
	Done    func(in *Instance) // after its files are written
}

// columns are those of instances.csv.
var columns = []string{
	"name", "data", "method", "form", "encoding", "depth", "alpha", "max_splits", "min_leaf", "data_rows",
	"rows", "columns", "binaries", "nonzeros", "lazy_rows", "indicators", "status", "objective", "found_by", "sha256",
}

// Write writes the library of a spec: NAME.mps.gz and, where a point is known, NAME.sol of
// each instance; octgen.solu, instances.csv, README.md and the spec. The spec is checked
// before anything is written, and the folder appears when it is complete: until then, and
// where that fails, it is as before. What it replaces is an empty folder or a library;
// another one is an error that wraps fit.ErrInput.
func Write(ctx context.Context, s *spec.Spec, o Options) error {
	f, err := begin(o.Dir)
	if err != nil {
		return err
	}
	o.Dir = f.work
	return f.end(write(ctx, s, o))
}

// write writes the files into a folder that is there.
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

// write writes the files of one instance, and returns the sum of the model's before it is
// compressed, which does not hang on the compressor.
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
		return solfile.WriteStart(w, solfile.HiGHS, m, mp, in.Point, solfile.StartOptions{}) // MIPLIB's form
	})
	return fmt.Sprintf("%x", hash.Sum(nil)), err
}

// ending is that of the models' files.
func (o *Options) ending() string {
	if o.Plain {
		return ".mps"
	}
	return ".mps.gz"
}

// status is MIPLIB's word for what is known.
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

// solu is the line of octgen.solu.
func (in *Instance) solu() string {
	line := "=" + in.status() + "= " + in.Name
	if in.Point != nil {
		line += " " + number(in.Objective)
	}
	return line
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// row is the line of instances.csv.
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

// readme says what the files are.
func readme(s *spec.Spec, o Options, n int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `# %s

%d programs of optimal decision trees, made by octgen %s of the spec spec.yaml
(sha256 %s).
The same spec, data and version give the same files.

| file | holds |
|---|---|
| NAME%s | the program: a minimization in free MPS with names; an objective's constant is the cost of the column octgen_one, fixed at 1; after a comment "octgen lazy N" the last N rows are lazy, rows like others to solvers that do not know of such; rows in a section INDICATORS are read by Gurobi, CPLEX, SCIP and Xpress, not by HiGHS, CBC and GLPK |
| octgen.solu | a line for each: =opt= with the objective that an exact search of all trees, which solves no program, or rows that no tree tells apart have proved; =best= with that of the best point known; =inf= where the search has proved that there is no point; =unkn= |
| NAME.sol | a point with that objective: =obj= and its value, then columns and values |
| instances.csv | sizes, what the program is of (max_splits is empty for no limit), and the sha256 of the MPS file as it is before compression |

An objective that is =opt= is that of a tree, in floating point: hold solvers to it within
their tolerances. To check a point: octgen model check NAME%[5]s NAME.sol.
A program that reads no compressed files reads what gunzip makes of them.
`, s.Name, n, o.Version, s.SHA256, o.ending())
	return b.Bytes()
}

// fixed are the files that every library has, beside those of its instances.
var fixed = []string{"octgen.solu", tableName, "README.md", "spec.yaml"}

const tableName = "instances.csv"

// folder is where a library is put when it is complete: until then its files are in
// another folder beside.
type folder struct {
	path, work string
	ended      func() // work is no temporary folder any more
}

// begin makes the folder in which a library for path is written. A path that holds anything
// but a library is an error that wraps fit.ErrInput.
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

// replaceable refuses a path that is there, unless it is an empty folder or one with the
// files of a library and no others.
func replaceable(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is a file; a library is written to a folder", path)
	}
	if here, err := os.Stat("."); err == nil && os.SameFile(here, info) {
		return fmt.Errorf("%s is the folder that this is run in, and a library replaces its folder whole: name another", path)
	}
	entries, err := os.ReadDir(path)
	if err != nil || len(entries) == 0 {
		return err
	}
	ours := filesOf(path)
	for _, e := range entries {
		if !ours[e.Name()] || !e.Type().IsRegular() {
			return fmt.Errorf("%s holds %s, which is of no complete library: name an empty folder, a new one, or that of a library, which is replaced whole", path, e.Name())
		}
	}
	return nil
}

// filesOf names the files that a library in a folder may have; none where it has no table
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

// end puts the library in its place or, where err is not nil, removes what there is of it.
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

// replace renames the new folder to its place, and removes what was there.
func (f *folder) replace() error {
	if err := replaceable(f.path); err != nil { // what came there in the meantime stays
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
