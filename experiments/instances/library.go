package instances

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"github.com/octgen/octgen/experiments/spec"
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
