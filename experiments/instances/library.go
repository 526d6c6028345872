package instances

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"fmt"
	"io"
	"os"
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
	Version string // of octgen, which the files name
	Skip    func(name string, why error)
	Done    func(in *Instance) // after its files are written
}

// columns are those of instances.csv.
var columns = []string{
	"name", "data", "method", "form", "encoding", "depth", "alpha", "max_splits", "min_leaf", "data_rows",
	"rows", "columns", "binaries", "nonzeros", "lazy_rows", "status", "objective", "found_by", "sha256",
}

// Write writes the library of a spec into a folder, which is made: NAME.mps.gz and, where
// a point is known, NAME.sol of each instance; octgen.solu, instances.csv, README.md and
// the spec.
func Write(ctx context.Context, s *spec.Spec, o Options) error {
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return err
	}
	var solu, table bytes.Buffer
	rows := csv.NewWriter(&table)
	if err := rows.Write(columns); err != nil {
		return err
	}
	n := 0
	err := Each(ctx, s, o.Skip, func(in *Instance) error {
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
	for _, f := range []struct {
		name string
		text []byte
	}{
		{"octgen.solu", solu.Bytes()}, {"instances.csv", table.Bytes()},
		{"README.md", readme(s, o, n)}, {"spec.yaml", s.Text},
	} {
		if err := put(filepath.Join(o.Dir, f.name), f.text); err != nil {
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
		fmt.Sprintf("data %s, %d rows; form %s, encoding %s, depth %d, alpha %v, min-leaf %v, max-splits %d",
			in.Data, in.Rows, in.Spec.Form, in.Spec.Encoding, in.Spec.Depth, in.Spec.Alpha, in.Spec.MinLeaf, in.Spec.MaxSplits),
	}}
	var mp *mps.Map
	hash := sha256.New()
	err = atomicfile.Write(filepath.Join(o.Dir, in.Name+".mps.gz"), func(w io.Writer) error {
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

// status is MIPLIB's word for what is known.
func (in *Instance) status() string {
	switch {
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
	objective := ""
	if in.Point != nil {
		objective = number(in.Objective)
	}
	return []string{
		in.Name, in.Data, in.Method, s.Form, s.Encoding, strconv.Itoa(s.Depth), number(s.Alpha), strconv.Itoa(s.MaxSplits), number(s.MinLeaf), strconv.Itoa(in.Rows),
		strconv.Itoa(m.NumRows()), strconv.Itoa(m.NumCols()), strconv.Itoa(m.NumDiscrete()), strconv.Itoa(m.NumNonzeros()), strconv.Itoa(m.NumLazy()),
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
| NAME.mps.gz | the program: a minimization in free MPS with names; an objective's constant is the cost of the column octgen_one, fixed at 1; after a comment "octgen lazy N" the last N rows are lazy, rows like others to solvers that do not know of such |
| octgen.solu | a line for each: =opt= with the objective that an exact search of all trees, which solves no program, has proved; =best= with that of the best point known; =unkn= |
| NAME.sol | a point with that objective: =obj= and its value, then columns and values |
| instances.csv | sizes, what the program is of, and the sha256 of the MPS file as it is before compression |

An objective that is =opt= is that of a tree, in floating point: hold solvers to it within
their tolerances. To check a point: octgen model check NAME.mps.gz NAME.sol.
`, s.Name, n, o.Version, s.SHA256)
	return b.Bytes()
}
