package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/octgen/octgen/dataset"
	runs "github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/slurm"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/internal/atomicfile"
	"github.com/octgen/octgen/internal/dataflags"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/solfile"
	"github.com/octgen/octgen/tree"
)

// version is set by the linker: -ldflags "-X main.version=...".
var version = "dev"

// app is what a command has to work with.
type app struct {
	args []string // of the command line

	ctx    context.Context
	stdin  io.Reader
	stdout *bufio.Writer // run flushes it, and tells what could not be written; where a user waits, or reads stderr between, the command does
	stderr io.Writer

	command func(a *app, args []string, stdout io.Writer) int // runs a command; for a worker

	// Of a request to a worker; else nil.
	work     context.Context // ends early what ctx does not end
	release  func()
	memory   *memory                // in place of files
	progress func(e *solvers.Event) // told of fits
}

// memory is what a command finds in place of files.
type memory struct {
	files map[string][]byte
	frame *dataset.Frame // nil for none
}

// Exit codes, a contract.
const (
	exitDone        = 0   // done; a limit with a tree included
	exitFailed      = 1   // infeasible, or a check disagrees
	exitUsage       = 2   // wrong usage, bad input, missing solver
	exitNoTree      = 3   // no tree or point, and none ruled out: a limit or an interrupt came first, or the engine cannot decide
	exitInterrupted = 130 // interrupted; the best tree or point was printed and saved
)

// errInterrupted, errPointSoFar and errStopped say that an interrupt ended the work,
// with a result.
var (
	errInterrupted = errors.New("interrupted; the tree is the best one found until then")
	errPointSoFar  = errors.New("interrupted; the point is the best one found until then")
	errStopped     = errors.New("interrupted; what is done is kept, and --resume goes on")
)

// errLeft says that an interrupt ended the waiting, not the jobs.
var errLeft = errors.New("interrupted; the jobs go on: octgen run with --scheduler slurm --wait waits for them, scancel ends them")

// errNoPoint says that a limit or an interrupt came before any point of a model
// was found.
var errNoPoint = errors.New("no point was found")

// inputError is a mistake of the user's: in the arguments or in a file.
type inputError struct{ error }

func (e inputError) Unwrap() error { return e.error }

// badInput marks err as a mistake of the user's; nil stays nil.
func badInput(err error) error {
	if err == nil {
		return nil
	}
	return inputError{err}
}

// exitCode maps an error to the exit code.
func exitCode(err error) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errInterrupted), errors.Is(err, errPointSoFar), errors.Is(err, errStopped), errors.Is(err, errLeft), errors.Is(err, runs.ErrStopped):
		return exitInterrupted
	case errors.Is(err, fit.ErrNoTree), errors.Is(err, errNoPoint), errors.Is(err, context.Canceled):
		return exitNoTree
	case errors.Is(err, fit.ErrCheck), errors.Is(err, fit.ErrInfeasible), errors.Is(err, fit.ErrSolver):
		return exitFailed
	case is[inputError](err), errors.Is(err, fit.ErrInput), errors.Is(err, runs.ErrFolder), errors.Is(err, slurm.ErrCluster), is[*dataset.Error](err),
		is[*solvers.OptionError](err), is[*solvers.UnavailableError](err), is[*solvers.LicenceError](err), is[*mps.FormatError](err), is[*solfile.FormatError](err):
		return exitUsage
	}
	return exitFailed
}

// is says whether err is or wraps an error of that type.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// message is the text of err for people: without the names of packages and of
// error kinds in front, which say nothing to them.
func message(err error) string {
	if err == nil {
		return ""
	}
	if errors.Is(err, context.Canceled) && !errors.Is(err, fit.ErrNoTree) {
		return "interrupted; nothing was written"
	}
	return shortened(plainText(err.Error()))
}

// mostQuoted is the length in bytes above which a message shortens what it quotes.
const mostQuoted = 300

// shortened cuts long texts in quotes: a field may be as long as its file.
func shortened(text string) string {
	parts := strings.SplitAfter(text, "\"")
	for i, part := range parts {
		if i%2 == 1 && len(part) > mostQuoted {
			parts[i] = strings.ToValidUTF8(part[:mostQuoted/5], "") + fmt.Sprintf("... (%d bytes)\"", len(part)-1)
		}
	}
	return strings.Join(parts, "")
}

// plainText drops package names and error kinds.
func plainText(text string) string {
	check := fit.ErrCheck.Error() + ": "
	text, failed := strings.CutPrefix(text, check)
	for _, prefix := range []string{fit.ErrInput.Error(), "formulate", "dataset", "tree", "mps", "solfile"} {
		text = strings.TrimPrefix(text, prefix+": ")
	}
	if failed {
		return check + text
	}
	return text
}

// The flags of data and of values.
type (
	dataFlags = dataflags.Data
	delimiter = dataflags.Delimiter
	duration  = fit.Duration
)

// input is a data file that may be read more than once; standard input is kept
// in memory for that.
type input struct {
	path string
	kept []byte    // of standard input, once read
	from io.Reader // nil where - is the name of a file

	frame *dataset.Frame // instead, a table in memory
}

func (a *app) input(path string) *input {
	in := &input{path: path, from: a.stdin}
	if m := a.memory; m != nil {
		if m.frame != nil && m.frame.Name == path {
			in.frame = m.frame
		}
		in.kept = m.files[path]
	}
	return in
}

// open returns the bytes of the input.
func (in *input) open() (io.ReadCloser, error) {
	switch {
	case in.frame != nil:
		return nil, fmt.Errorf("the table %q is for training", in.path)
	case in.kept != nil:
	case in.path != "-" || in.from == nil:
		return os.Open(in.path)
	default:
		b, err := io.ReadAll(in.from)
		if err != nil {
			return nil, fmt.Errorf("standard input: %w", err)
		}
		in.kept = b
	}
	return io.NopCloser(bytes.NewReader(in.kept)), nil
}

// readInput returns what read makes of an input. All errors are the user's.
func readInput[T any](in *input, read func(r io.Reader) (T, error)) (v T, err error) {
	r, err := in.open()
	if err != nil {
		return v, badInput(err)
	}
	defer r.Close() // read-only: closing has nothing to report
	v, err = read(r)
	return v, badInput(err)
}

// load reads training data.
func (in *input) load(opts dataset.LoadOptions) (*dataset.Dataset, error) {
	if in.frame != nil {
		ds, err := dataset.FromFrame(in.frame, opts)
		return ds, badInput(err)
	}
	return readInput(in, func(r io.Reader) (*dataset.Dataset, error) { return dataset.Read(r, in.path, opts) })
}

// loadHoldout sets a stratified part of the rows aside for testing; see
// dataset.Splitter for what is learned from which rows.
func (in *input) loadHoldout(opts dataset.LoadOptions, fraction float64, seed uint64, unknown dataset.UnknownPolicy) (train, test *dataset.Dataset, err error) {
	s, err := readInput(in, func(r io.Reader) (*dataset.Splitter, error) { return dataset.NewSplitter(r, in.path, opts) })
	if err != nil {
		return nil, nil, err
	}
	trainRows, testRows, err := s.All().Holdout(fraction, seed)
	if err != nil {
		return nil, nil, badInput(err)
	}
	train, test, err = s.Split(trainRows, testRows, unknown)
	if err != nil {
		return nil, nil, badInput(fmt.Errorf("--holdout: %w (--unknown other admits new categories; another --seed or --holdout divides the rows differently)", err))
	}
	train.Reading, train.Encoder.HeldOut = s.All().Reading, test.Line
	return train, test, nil
}

// encode reads labelled data with the encoder of a tree.
func (in *input) encode(e *dataset.Encoder, opts dataset.EncodeOptions) (*dataset.Dataset, error) {
	return readInput(in, func(r io.Reader) (*dataset.Dataset, error) { return e.Read(r, in.path, opts) })
}

// rows reads data to predict.
func (in *input) rows(e *dataset.Encoder, opts dataset.EncodeOptions) (*dataset.Rows, error) {
	return readInput(in, func(r io.Reader) (*dataset.Rows, error) { return e.ReadRows(r, in.path, opts) })
}

// readOwn reads what octgen wrote; errors name the file.
func readOwn[T any](in *input, read func(r io.Reader) (T, error)) (T, error) {
	return readInput(in, func(r io.Reader) (T, error) {
		v, err := read(r)
		if err != nil && in.path != "-" {
			err = fmt.Errorf("%s: %s", in.path, message(err))
		}
		return v, err
	})
}

// readTree reads a tree.json; "-" is standard input.
func (a *app) readTree(path string) (*tree.Tree, error) { return readOwn(a.input(path), tree.ReadJSON) }

// readTreeForData is readTree for trees that must know how to read raw data.
func (a *app) readTreeForData(path string) (*tree.Tree, error) {
	t, err := a.readTree(path)
	if err == nil && t.Encoder == nil {
		err = noEncoder(path)
	}
	return t, err
}

func noEncoder(path string) error {
	return badInput(fmt.Errorf("%s: the tree has no encoder, so it cannot read raw data", path))
}

// oneStdin refuses two inputs from standard input.
func oneStdin(what, path, other, otherPath string) error {
	if path == "-" && otherPath == "-" {
		return badInput(fmt.Errorf("only one of the %s and the %s can come from standard input", what, other))
	}
	return nil
}

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

// figure writes a number with six digits, "none" where there is none.
func figure(v float64) string {
	if math.Abs(v) < 1e-9 {
		v = 0 // what is left of rounding
	}
	return asIs(v)
}

// asIs is figure for what may be small in truth, since its unit is the user's: costs and
// rewards.
func asIs(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "none"
	}
	return strconv.FormatFloat(v+0, 'g', 6, 64)
}

func percent(gap float64) string {
	if math.IsNaN(gap) || math.IsInf(gap, 0) {
		return "none"
	}
	return strconv.FormatFloat(math.Round(gap*1e4)/1e2, 'f', -1, 64) + " %"
}

// count writes a number of things.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func errorCount(n float64) string {
	if n == 1 {
		return "1 error"
	}
	return figure(n) + " errors"
}

// label prints a line of a report, none without a text.
func label(w io.Writer, name, text string) {
	if text != "" {
		fmt.Fprintf(w, "%-11s %s\n", name, text)
	}
}

// ended is a status with what stopped the work before a proof, "" for nothing.
func ended(status, limit string) string {
	if limit == "" {
		return status
	}
	return status + ", " + limitNames[limit]
}

// limitNames says what stopped a solve.
var limitNames = map[string]string{
	"time": "stopped by the time limit", "nodes": "stopped by the node limit", "interrupt": "interrupted",
	"iterations": "stopped by the iteration limit", "memory": "out of memory", "cutoff": "stopped by the cutoff", "gap": "stopped at the gap asked for",
}

// exact writes a number with the digits that count in a comparison.
func exact(v float64) string { return strconv.FormatFloat(v, 'g', 12, 64) }

func total(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum
}

// roughly writes a duration as people say it.
func roughly(d time.Duration) string {
	s := int(max(0, d).Round(time.Second).Seconds())
	switch {
	case s < 60:
		return fmt.Sprintf("%d s", s)
	case s < 3600:
		return fmt.Sprintf("%d min %02d s", s/60, s%60)
	}
	return fmt.Sprintf("%d h %02d min", s/3600, s/60%60)
}
