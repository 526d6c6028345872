package external

import (
	"bytes"
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/octgen/octgen/internal/lazy"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/solfile"
)

// The names of the files in a solve's folder.
const (
	modelFile    = "model.mps"
	solutionFile = "out.sol"
	logFile      = "log.txt"
)

// program is what is known of one optimizer's executable, or of its Python package.
type program struct {
	name    string // under which it is registered
	binary  string // file name of the executable
	pack    *pack  // nil for an executable
	title   string // of the optimizer
	format  solfile.Format
	dialect mps.Dialect
	caps    solvers.Capabilities

	probe  invocation            // prints the banner and ends
	banner func() *regexp.Regexp // identifies the optimizer; its group is the version

	// options are the fields of solvers.Options in the order in which they are passed. A raw
	// option is refused if it is one of them, does not match rawOK, or is one of the names,
	// between blanks, that the adapter relies on.
	options []option
	rawOK   func() *regexp.Regexp
	relied  string

	// adapt returns the model in the form that the optimizer takes, with the
	// same columns in the same order, or nil where it shows the model to be
	// infeasible; a nil adapt changes nothing.
	adapt func(m *mio.Model) (*mio.Model, error)

	// prepare says how to run the executable, and writes what it needs beside
	// the model and the start.
	prepare func(j *job) (invocation, error)

	// scan takes in a line of the log.
	scan func(line string, r *record)

	// answer reads what the solver left in the folder. The record's verdict is
	// used where it returns nil.
	answer func(j *job, r *record) (*mio.Solution, error)

	// improving reads the last of the points that the solver writes as it finds
	// them; nil where it writes none.
	improving func(j *job) (*mio.Solution, error)

	// boundAtEnd: the log has the final bound. Without it the bound of a proved
	// optimum is the optimum.
	boundAtEnd bool

	// refusal is a line of the log that refuses a raw option, its group being
	// the name; fatal one that says why nothing was solved, as for the want of a
	// licence.
	refusal, fatal func() *regexp.Regexp

	// exitOK says which exit codes are not a crash; nil means 0 only.
	exitOK func(code int) bool
}

// job is one solve.
type job struct {
	*program
	path  string // of the executable
	dir   string
	m     *mio.Model
	mp    *mps.Map
	opt   *solvers.Options
	began time.Time

	tracked *tracked
}

func (j *job) file(name string) string { return filepath.Join(j.dir, name) }

func (j *job) startFile() string { return "start" + j.format.StartExt() }

// rawName is the usual form of a raw option's name: nothing that a script or an
// option parser could take for something else.
var rawName = lazy.Regexp(`^[A-Za-z][A-Za-z0-9_]*$`)

// rawValue is the form of raw values.
var rawValue = lazy.Regexp(`^[-+.A-Za-z0-9_]+$`)

// record is what the lines of a log have said so far. Objectives are those of
// the file, which is always minimized.
type record struct {
	objective float64 // of the incumbent; +Inf without one
	bound     float64 // -Inf without one
	nodes     int64
	iter      int64
	start     bool // the start was taken

	status mio.Status // how it ended; Unknown as long as nothing was said
	limit  mio.Limit
	words  string // the line that said so

	refused string // a raw option that it does not know
	licence string // the line that says that a licence is missing or too small
	none    bool   // a script says that there is no point
	fatal   string // the line that says why nothing was solved
	news    bool   // since the last event
}

func newRecord() *record { return &record{objective: math.Inf(1), bound: math.Inf(-1)} }

// incumbent takes in the objective of an incumbent, where text is a number.
func (r *record) incumbent(text string) {
	if v, ok := number(text); ok && v < r.objective {
		r.objective, r.news = v, true
	}
}

// lower takes in a bound printed with at most digits significant digits.
func (r *record) lower(text string, digits int) {
	if v, ok := number(text); ok {
		if v = loosen(v, text, digits); v > r.bound {
			r.bound, r.news = v, true
		}
	}
}

// lowerFixed takes in a bound printed with that many decimals.
func (r *record) lowerFixed(text string, decimals int) {
	if v, ok := number(text); ok {
		if v -= math.Pow(10, -float64(decimals)) / 2; v > r.bound {
			r.bound, r.news = v, true
		}
	}
}

// work takes in counts of nodes and iterations, "" for none.
func (r *record) work(nodes, iter string) {
	if n, err := strconv.ParseInt(nodes, 10, 64); err == nil && n > r.nodes {
		r.nodes, r.news = n, true
	}
	if n, err := strconv.ParseInt(iter, 10, 64); err == nil && n > r.iter {
		r.iter, r.news = n, true
	}
}

// ended takes in a line that says how it ended.
func (r *record) ended(line string, status mio.Status, limit mio.Limit) {
	r.status, r.limit, r.words = status, limit, strings.TrimSpace(line)
}

// event is the record for Options.Progress. Elapsed is left to the caller.
func (r *record) event(j *job) solvers.Event {
	e := solvers.Event{Objective: math.NaN(), Bound: j.mp.ModelObjective(r.bound), Nodes: r.nodes, Iter: r.iter}
	if !math.IsInf(r.objective, 0) {
		e.Objective = j.mp.ModelObjective(r.objective)
	}
	if e.Objective-e.Bound == 0 || j.mp.Sign*(e.Objective-e.Bound) > 0 || math.IsNaN(e.Objective) {
		e.Gap = mio.Gap(e.Objective, e.Bound)
		e.Elapsed = time.Since(j.began)
		return e
	}
	e.Bound = e.Objective // digits that were cut
	e.Gap, e.Elapsed = mio.Gap(e.Objective, e.Bound), time.Since(j.began)
	return e
}

// number parses a finite number below 1e20, which stands for infinity.
func number(text string) (float64, bool) {
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && math.Abs(v) < 1e20
}

// loosen moves a number that was printed with at most digits significant digits
// down by half a unit of its last one, if it has that many: then others may
// have been cut.
func loosen(v float64, text string, digits int) float64 {
	mantissa := strings.TrimLeft(text, "+-")
	if e := strings.IndexAny(mantissa, "eE"); e >= 0 {
		mantissa = mantissa[:e]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	figures := strings.TrimRight(strings.TrimLeft(whole+fraction, "0"), "0")
	if len(figures) < digits || v == 0 {
		return v
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(v)))-float64(digits-1))
	return v - unit/2
}

// phrase is what the beginning of a line, or a part of it, means.
type phrase struct {
	text   string
	status mio.Status
	limit  mio.Limit
}

// judge takes in the first phrase that the line contains.
func (r *record) judge(line string, phrases []phrase) bool {
	for _, p := range phrases {
		if strings.Contains(line, p.text) {
			r.ended(line, p.status, p.limit)
			return true
		}
	}
	return false
}

const (
	tailLines = 20       // of the log in errors
	maxLine   = 4096     // bytes of a line that are looked at
	maxLog    = 64 << 20 // bytes of a log that are kept and handed on
)

// log takes an optimizer's output: into the record, line by line, to
// Options.Log and to a file, as it comes.
type log struct {
	job    *job
	record *record
	file   *os.File // nil once it fails
	handOn bool     // to Options.Log
	size   int
	part   []byte // of a line that is not complete
	last   []string
}

func newLog(j *job, r *record) *log {
	l := &log{job: j, record: r, handOn: j.opt.Log != nil}
	if f, err := os.OpenFile(j.file(logFile), os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		l.file = f
	}
	return l
}

func (l *log) close() {
	if l.file != nil {
		_ = l.file.Close() // it is for people, where the run fails
	}
}

// take takes the next bytes of output.
func (l *log) take(b []byte) {
	l.copy(b)
	for len(b) > 0 {
		end := bytes.IndexAny(b, "\n\r")
		line := b
		if end >= 0 {
			line = b[:end]
		}
		if room := maxLine - len(l.part); room > 0 {
			l.part = append(l.part, line[:min(room, len(line))]...)
		}
		if end < 0 {
			break
		}
		l.line()
		b = b[end+1:]
	}
	if l.record.news && l.job.opt.Progress != nil {
		l.record.news = false
		l.job.opt.Progress(l.record.event(l.job))
	}
}

// finish takes what is left of a last line without an end.
func (l *log) finish() {
	if len(l.part) > 0 {
		l.take([]byte("\n"))
	}
}

// copy hands on the bytes, up to the size that logs may have.
func (l *log) copy(b []byte) {
	if l.size < maxLog && l.size+len(b) >= maxLog {
		b = append(b[:maxLog-l.size:maxLog-l.size], "\n[the rest of the log is left out]\n"...)
		defer func() { l.size = maxLog }()
	} else if l.size >= maxLog {
		return
	}
	l.size += len(b)
	if l.handOn {
		if _, err := l.job.opt.Log.Write(b); err != nil {
			l.handOn = false
		}
	}
	if l.file != nil {
		if _, err := l.file.Write(b); err != nil {
			l.close()
			l.file = nil
		}
	}
}

// line takes the line that is complete.
func (l *log) line() {
	line := strings.TrimRight(strings.ToValidUTF8(string(l.part), "?"), " \t")
	l.part = l.part[:0]
	if line == "" {
		return
	}
	if len(l.last) == tailLines {
		l.last = append(l.last[:0], l.last[1:]...)
	}
	l.last = append(l.last, line)
	p, r := l.job.program, l.record
	if p.refusal != nil && r.refused == "" {
		if found := p.refusal().FindStringSubmatch(line); found != nil {
			r.refused, r.fatal = found[1], line
			return
		}
	}
	if p.fatal != nil && r.fatal == "" && p.fatal().MatchString(line) {
		r.fatal = strings.TrimSpace(line)
		return
	}
	p.scan(line, r)
}

// tail returns the last lines, without control characters.
func (l *log) tail() []string {
	out := make([]string, len(l.last))
	for i, line := range l.last {
		out[i] = strings.Map(func(r rune) rune {
			if r < ' ' && r != '\t' || r == 0x7f {
				return '?'
			}
			return r
		}, line[:min(len(line), 200)])
	}
	return out
}

// An optimizer gets a little less than the time that is left, to write its solution
// in the rest, and is stopped where it has not ended shortly after that.
const (
	// reserve is the most that is left for the end of a small solve, its share of the
	// time, and what every nonzero of the model adds to it.
	reserve        = 200 * time.Millisecond
	reserveShare   = 10
	reserveNonzero = 200 * time.Nanosecond
)

// deadline is the end of the time limit; ok is false without one.
func (j *job) deadline() (end time.Time, ok bool) {
	return j.began.Add(j.opt.TimeLimit), j.opt.TimeLimit > 0
}

// own is the optimizer's own time limit in seconds, at least a millisecond; 0 without
// a limit.
func (j *job) own() float64 {
	end, limited := j.deadline()
	if !limited {
		return 0
	}
	left := time.Until(end)
	small := min(reserve, left/reserveShare)
	large := min(time.Duration(j.m.NumNonzeros())*reserveNonzero, left/4)
	return math.Max((left - small - large).Seconds(), 0.001)
}

// seconds formats a time limit, which must not be 0.
func seconds(s float64) string { return format(math.Max(s, 0.001)) }

// wholeSeconds formats a time limit for optimizers that count whole seconds: rounded
// down, for what is killed may leave no incumbent, but one at least.
func wholeSeconds(s float64) string {
	return strconv.FormatFloat(math.Max(1, math.Floor(math.Min(s, 1e6))), 'f', 0, 64)
}

// format formats a number as all optimizers read it.
func format(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// over says what has ended the time before the optimizer runs, mio.NoLimit for nothing.
func (j *job) over(ctx context.Context) mio.Limit {
	end, limited := j.deadline()
	switch {
	case ctx.Err() != nil:
		return mio.LimitInterrupt
	case limited && !time.Now().Before(end):
		return mio.LimitTime
	}
	return mio.NoLimit
}

// timely is a writer that takes nothing once the time is over.
type timely struct {
	to  io.Writer
	job *job
	ctx context.Context
}

// Write fails with an overError once the time is over.
func (w *timely) Write(b []byte) (int, error) {
	if limit := w.job.over(w.ctx); limit != mio.NoLimit {
		return 0, &overError{limit}
	}
	return w.to.Write(b)
}

// overError is the end of the time while a file was written.
type overError struct{ limit mio.Limit }

func (e *overError) Error() string { return "no time is left (" + e.limit.String() + ")" }
