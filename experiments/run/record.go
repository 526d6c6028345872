package run

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"

	"github.com/octgen/octgen/experiments/generate"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/internal/atomicfile"
	"github.com/octgen/octgen/tree"
)

// Record is the outcome of a task: a line of results.jsonl. If proof or a work limit ended the
// task, everything in it except the provenance and the fields whose names end in "seconds" is the
// same for any number of workers; if a time limit ended it, Result's limit shows that.
type Record struct {
	ID     string      `json:"id"`
	Data   string      `json:"data"`
	Method string      `json:"method"`
	Split  string      `json:"split"`
	Error  string      `json:"error,omitempty"`
	Result *fit.Result `json:"result,omitempty"` // without its tree, which is trees/ID.json; with it in the journals of a shared folder

	Recovery *generate.Recovery `json:"recovery,omitempty"`      // of the true tree; nil for files
	Trace    []TracePoint       `json:"trace_seconds,omitempty"` // of the solver's progress, if one ran

	CutShort   bool        `json:"cut_short,omitempty"` // by Options.Stop: the best tree until then
	Provenance *Provenance `json:"provenance,omitempty"`

	Histograms []tree.Histogram `json:"histograms,omitempty"` // of the training set, at each branch node of the tree

	panicked *panicked // if Error comes from a panic
}

// setError stores a task's error in its record, with the file of its stack if it panicked.
func (r *Record) setError(err error) {
	if err == nil {
		return
	}
	r.Error = spec.Plain(err)
	if errors.As(err, &r.panicked) {
		r.Error += "; this is a bug in octgen: please report it with " + panicsFolder + "/" + r.ID + ".txt"
	}
}

// journal is a file of records, open for appending.
type journal struct {
	file *os.File
	size int64 // of the complete lines

	write func([]byte) (int, error) // file.Write; tests simulate a full disk
}

// openJournal opens or creates the file and returns the last records in it. It cuts off a partial
// last line of a crash. Damaged lines are an error, unless passOver is set.
func openJournal(path string, passOver bool) (*journal, []Record, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, nil, err
	}
	records, size, damaged, err := readRecords(f, path)
	if len(damaged) > 0 && !passOver {
		err = errors.Join(err, damaged[0].err())
	}
	if err == nil {
		err = f.Truncate(size)
	}
	if err == nil {
		_, err = f.Seek(size, io.SeekStart)
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return &journal{file: f, size: size, write: f.Write}, records, nil
}

var errNoID = errors.New("no id")

// readRecords returns the last record of each id (a repeated task has several), the size of the
// complete lines, and the damaged lines.
func readRecords(r io.Reader, path string) (records []Record, size int64, damaged []Damage, err error) {
	at := make(map[string]int) // by id
	size, damaged, err = eachLine(r, path, func(line []byte, _ int64) error {
		var rec Record
		if err := json.Unmarshal(line, &rec); err != nil {
			return err
		}
		if rec.ID == "" {
			return errNoID
		}
		if i, ok := at[rec.ID]; ok {
			records[i] = rec
		} else {
			at[rec.ID] = len(records)
			records = append(records, rec)
		}
		return nil
	})
	return records, size, damaged, err
}

// eachLine calls do with every complete line of a journal, without its end, and its position, and
// returns the size of all of them. The line is valid until do returns. An error of do marks the
// line as damaged and gives the reason.
func eachLine(r io.Reader, path string, do func(line []byte, at int64) error) (size int64, damaged []Damage, err error) {
	buffer := bufio.NewReaderSize(r, 1<<16)
	var line []byte
	for number := 1; ; number++ {
		line = line[:0]
		for {
			part, more := buffer.ReadSlice('\n')
			line = append(line, part...)
			if more == nil {
				break
			}
			if errors.Is(more, io.EOF) {
				return size, damaged, nil // a partial line of a crash, or one being written
			}
			if !errors.Is(more, bufio.ErrBufferFull) {
				return size, damaged, more
			}
		}
		if err := do(line[:len(line)-1], size); err != nil {
			damaged = append(damaged, Damage{path, number, err.Error()})
		}
		size += int64(len(line))
	}
}

// append adds a record with one write and a sync. After an error the file contains the complete
// lines that it contained before.
func (j *journal) append(r *Record) error {
	line, err := json.Marshal(r)
	if err != nil { // such as an infinite figure: an error of the task, not of the disk
		r.Result, r.Error = nil, fmt.Sprintf("the result cannot be written as JSON: %v", err)
		if line, err = json.Marshal(r); err != nil {
			return err
		}
	}
	line = append(line, '\n')
	_, err = j.write(line)
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		_, seek := j.file.Seek(j.size, io.SeekStart)
		return errors.Join(err, j.file.Truncate(j.size), seek)
	}
	j.size += int64(len(line))
	return nil
}

// Damage is a line of a journal that is not a record. It is skipped, so that its task, unless
// another line has it, has no result. A partial last line of a crash is not damage.
type Damage struct {
	File string `json:"file"`
	Line int    `json:"line"` // 1, 2, ...
	Why  string `json:"why"`
}

// err returns the damage as an error, for readers that need the whole file.
func (d *Damage) err() error {
	return fmt.Errorf("%s:%d: the line is not a result (%s); remove it and repeat the task with --resume", d.File, d.Line, d.Why)
}

// shownDamages is the maximum number of damages listed.
const shownDamages = 5

// DamageText lists the damaged lines and what to do, "" for none.
func DamageText(all []Damage) string {
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	if len(all) == 1 {
		b.WriteString("skipped 1 line that is not a result: ")
	} else {
		fmt.Fprintf(&b, "skipped %d lines that are not results: ", len(all))
	}
	for i, d := range all[:min(len(all), shownDamages)] {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s:%d (%s)", d.File, d.Line, d.Why)
	}
	if more := len(all) - shownDamages; more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	b.WriteString("; octgen run --resume repeats the missing tasks")
	return b.String()
}

// panicsFolder contains the stacks of tasks that panicked, ID.txt.
const panicsFolder = "panics"

// panicked is the error of a task that panicked: a bug in octgen, whose report needs the stack.
type panicked struct {
	value any
	stack []byte
}

// newPanicked is for the deferred function that recovered value.
func newPanicked(value any) *panicked { return &panicked{value, debug.Stack()} }

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

// Provenance describes where and with which program a record was made. Tables and trees do not
// depend on it.
type Provenance struct {
	Host      string `json:"host"`
	Processor string `json:"processor"`          // model, or the architecture if unknown
	Cores     int    `json:"cores"`              // granted to the process
	Job       string `json:"job,omitempty"`      // of the scheduler
	Array     string `json:"array,omitempty"`    // job and index of the job's array, 12_3
	Restarts  int    `json:"restarts,omitempty"` // of the job, by requeueing
	Version   string `json:"octgen"`             // of octgen
	Go        string `json:"go"`                 // version that built it
	Binary    string `json:"binary_sha256"`      // of the program's file
	System    string `json:"system"`             // operating system and architecture
}

// provenance returns the provenance of this process.
func provenance(version string) *Provenance {
	p := fixed()
	p.Version = version
	p.Cores = grantedCores()
	p.Job = os.Getenv("SLURM_JOB_ID")
	if array := os.Getenv("SLURM_ARRAY_JOB_ID"); array != "" {
		p.Array = array + "_" + os.Getenv("SLURM_ARRAY_TASK_ID")
	}
	p.Restarts = number("SLURM_RESTART_COUNT")
	return &p
}

// fixed is the part that is constant while the process runs.
var fixed = sync.OnceValue(func() Provenance {
	host, _ := os.Hostname() // "" if unknown
	return Provenance{Host: host, Processor: cmp.Or(processor(), runtime.GOARCH), Go: runtime.Version(), Binary: binaryHash(), System: runtime.GOOS + "/" + runtime.GOARCH}
})

// grantedCores returns the number of processors that the process may use, or that the scheduler
// granted, if fewer.
func grantedCores() int {
	granted := number("SLURM_CPUS_PER_TASK")
	if granted == 0 {
		granted = number("SLURM_CPUS_ON_NODE")
	}
	if granted == 0 {
		return runtime.NumCPU()
	}
	return min(granted, runtime.NumCPU())
}

// number returns an environment variable as a number, 0 if it is not a number.
func number(name string) int {
	n, _ := strconv.Atoi(os.Getenv(name)) // 0 if it is not a number
	return n
}

// processor returns the model of the first processor, "" if unknown.
func processor() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer f.Close() // read-only: closing has nothing to report
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.Join(strings.Fields(value), " ")
		}
	}
	return ""
}

// binaryHash returns the SHA-256 of the program's file, "" if it cannot be read.
func binaryHash() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close() // read-only: closing has nothing to report
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func treePath(dir, id string) string { return filepath.Join(dir, TreesFolder, id+".json") }

func putTree(path string, t *tree.Tree) error {
	file, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	err = t.WriteJSON(file)
	if err == nil {
		err = file.Sync()
	}
	return file.Finish(err)
}

// dropTree removes the tree from a record that is stored without it.
func (r *Record) dropTree() {
	if r.Result != nil && r.Result.Tree != nil {
		short := *r.Result
		short.Tree = nil
		r.Result = &short
	}
}

// HasTree reports whether the task made a tree: figures of a tree exist only with a tree.
func (r *Record) HasTree() bool { return r.Result != nil && r.Result.Train != nil }

// LostTree returns what is wrong with a record's tree, nil if it is intact and belongs to the
// record, or if the task made none.
func LostTree(dir string, r *Record) error {
	if !r.HasTree() {
		return nil
	}
	t, err := ReadTree(dir, r.ID)
	if err != nil {
		return err
	}
	return belongs(t, r.Result.Train)
}

// belongs compares a tree with its task's figures.
func belongs(t *tree.Tree, s *fit.Scores) error {
	errors, counted := 0.0, true
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if !n.Leaf() {
			continue
		}
		counted = counted && n.Count != nil
		for c, rows := range n.Count {
			if c != n.Class {
				errors += rows
			}
		}
	}
	switch {
	case t.Splits() != s.Splits || t.Depth() != s.Depth:
		return fmt.Errorf("it has %d splits and depth %d, the task's result %d and %d", t.Splits(), t.Depth(), s.Splits, s.Depth)
	case counted && math.Abs(errors-s.Errors) > 1e-6*max(1, s.Errors):
		return fmt.Errorf("its leaves have %.6g errors, the task's result %.6g", errors, s.Errors)
	}
	return nil
}

// ReadTree reads the tree of a task.
func ReadTree(dir, id string) (*tree.Tree, error) {
	f, err := os.Open(treePath(dir, id))
	if err != nil {
		return nil, err
	}
	defer f.Close() // read-only: closing has nothing to report
	return tree.ReadJSON(f)
}
