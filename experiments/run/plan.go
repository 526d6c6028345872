package run

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/experiments/generate"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/internal/atomicfile"
	"github.com/octgen/octgen/tree"
)

// Plan is a spec with its data: the tasks to run.
type Plan struct {
	Spec  *spec.Spec
	Data  []PlanData
	Tasks []Task // by data, split, method, in the order of the spec
}

// Task is one method on one split of one data.
type Task struct {
	ID     string // hex; a function of data, split, method and options
	Data   string
	Split  string // such as 2.3: repeat 2, fold 3
	Method string

	method     *spec.Method
	split      *split
	positive   string  // class whose rates are compared between groups, if the method names none
	validation float64 // fraction of the training set used by a tuned method to choose alpha, 0 for its default
}

// TimeLimit returns the time limit of the task's fit, 0 for none.
func (t *Task) TimeLimit() time.Duration { return t.method.TimeLimit() }

// Threads returns the number of threads of the task's method, 0 if it is not set.
func (t *Task) Threads() int { return t.method.Threads() }

// Name returns the name that patterns match: data/method/split.
func (t *Task) Name() string { return t.Data + "/" + t.Method + "/" + t.Split }

// split holds the datasets of a part while tasks need them.
type split struct {
	part  part
	mu    sync.Mutex
	left  int // remaining tasks that need it
	train *dataset.Dataset
	test  *dataset.Dataset
	err   error
	read  bool
}

// get reads the part unless another task did.
func (s *split) get() (train, test *dataset.Dataset, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.read {
		s.train, s.test, s.err = s.part.load()
		s.read = true
	}
	return s.train, s.test, s.err
}

// done releases the part when no remaining task needs it.
func (s *split) done() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left--; s.left == 0 {
		s.train, s.test, s.read = nil, nil, false
	}
}

// NewPlan reads the data of a spec and lists its tasks; only limits the plan to the named data.
// Data that cannot be read or divided give a *spec.Error.
func NewPlan(s *spec.Spec, only ...string) (*Plan, error) {
	p := &Plan{Spec: s}
	trees, err := ReadTrees(s)
	if err != nil {
		return nil, err
	}
	for i := range s.Data {
		d := &s.Data[i]
		if len(only) > 0 && !slices.Contains(only, d.Name) {
			continue
		}
		src, err := open(s, d)
		if err != nil {
			return nil, err
		}
		p.Data = append(p.Data, PlanData{d.Name, src.sha})
		for _, part := range src.parts {
			sp := &split{part: part}
			for j := range s.Methods {
				m := &s.Methods[j]
				p.Tasks = append(p.Tasks, Task{
					ID: taskID(s, src, part.label, m, trees[m.TreeFile()]), Data: d.Name, Split: part.label, Method: m.Name, method: m, split: sp, positive: d.Positive, validation: validation(s, src),
				})
			}
		}
	}
	for _, file := range slices.Sorted(maps.Keys(trees)) {
		p.Data = append(p.Data, PlanData{file, trees[file]})
	}
	return p, nil
}

// ReadTrees reads the tree files that methods of a spec name, searched like data, and returns their
// hashes by name. Errors are *spec.Error.
func ReadTrees(s *spec.Spec) (sha map[string]string, err error) {
	sha = make(map[string]string)
	for i := range s.Methods {
		m := &s.Methods[i]
		file := m.TreeFile()
		if file == "" {
			continue
		}
		path, err := find(s, file)
		if err != nil {
			return nil, m.TreeMistake(err)
		}
		if sha[file], err = m.ReadTree(path); err != nil {
			return nil, err
		}
	}
	return sha, nil
}

// validation returns the validation fraction of the spec relative to the training rows, which are
// all that is divided for data with their own test rows.
func validation(s *spec.Spec, src *source) float64 {
	if src.data.HasTest() {
		return s.Evaluate.Validation
	}
	return s.Evaluate.ValidationPart()
}

// taskID returns a hash of everything on which a task's result depends, including the hash of the
// tree that an option names, "" for none, and of the displayed names.
func taskID(s *spec.Spec, src *source, label string, m *spec.Method, tree string) string {
	e := s.Evaluate
	if src.data.HasTest() {
		e = spec.Evaluate{Validation: e.Validation}
	}
	of := []any{src.data.Name, src.sha, src.data.Args, e, label, m.Name, m.Args}
	if tree != "" {
		of = append(of, tree)
	}
	key, err := json.Marshal(of)
	if err != nil {
		panic(err) // texts and finite numbers cannot fail
	}
	sum := sha256.Sum256(key)
	return fmt.Sprintf("%x", sum[:8])
}

// Matching returns the tasks of a shard whose names match, all for nil.
func (p *Plan) Matching(only *regexp.Regexp, of Shard) []*Task {
	var tasks []*Task
	for i := range p.Tasks {
		if t := &p.Tasks[i]; of.has(i) && (only == nil || only.MatchString(t.Name())) {
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// Shard is a part of a plan for one of several processes that share a folder: the tasks whose
// number in the plan modulo Of is Index. The zero Shard is the whole plan, in a folder that is not
// shared.
type Shard struct {
	Index int // 0 .. Of-1
	Of    int // number of shards
}

// ParseShard parses i/N, such as 0/4 for the first of four shards. Anything else is fit.ErrInput.
func ParseShard(text string) (Shard, error) {
	before, after, _ := strings.Cut(text, "/")
	i, err := strconv.Atoi(before)
	n, err2 := strconv.Atoi(after)
	switch {
	case err != nil || err2 != nil || n < 1 || i < 0:
		return Shard{}, fmt.Errorf("%w: %q is not a shard; want i/N, such as 0/4 for the first of four", fit.ErrInput, text)
	case i >= n:
		return Shard{}, fmt.Errorf("%w: there is no shard %q: shards are counted from 0, the last of %d is %d/%d", fit.ErrInput, text, n, n-1, n)
	}
	return Shard{i, n}, nil
}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Of) }

// has reports whether the task with this number in the plan belongs to the shard.
func (s Shard) has(number int) bool { return s.Of == 0 || number%s.Of == s.Index }

// name returns the name of the shard's files.
func (s Shard) name() string { return fmt.Sprintf("shard-%d-of-%d", s.Index, s.Of) }

// source is a data source that gives the parts of splits.
type source struct {
	data  *spec.Data
	sha   string // of the file's bytes, or of the generator's settings, hex
	parts []part
}

// part is a split of a source.
type part struct {
	label string // such as 2.3: repeat 2, fold 3
	load  func() (train, test *dataset.Dataset, err error)
	truth *truth // for generated data; nil for files
}

// open reads the data and draws its splits.
func open(s *spec.Spec, d *spec.Data) (*source, error) {
	if d.Generate != "" {
		return openGenerated(s, d)
	}
	return openFile(s, d)
}

func openFile(s *spec.Spec, d *spec.Data) (*source, error) {
	path, err := find(s, d.File)
	if err != nil {
		return nil, d.Mistake(err)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, d.Mistake(err)
	}
	defer f.Close() // read-only: closing has nothing to report
	load, err := loadOptions(s, d)
	if err != nil {
		return nil, d.Mistake(err)
	}
	splitter, err := dataset.NewSplitter(f, path, load)
	if err != nil {
		return nil, d.Mistake(err)
	}
	sha, err := hash(splitter.All(), load.CostMatrix)
	if err != nil {
		return nil, d.Mistake(err)
	}
	if err := d.CheckPositive(splitter.All().Classes); err != nil {
		return nil, err
	}
	for i := range s.Methods {
		if err := s.Methods[i].CheckConstraints(d.Name, splitter.All()); err != nil {
			return nil, err
		}
	}
	src := &source{data: d, sha: sha}
	return src, divide(s, src, part{}, splitter.All(), func(train, test []int) (*dataset.Dataset, *dataset.Dataset, error) {
		a, b, err := splitter.Split(train, test, d.Unknown)
		for _, part := range []*dataset.Dataset{a, b} {
			if part != nil {
				part.Source.File = d.File // results do not depend on its path
			}
		}
		return a, b, err
	})
}

// loadOptions returns the options of the data, with the path of a cost matrix, searched like data.
func loadOptions(s *spec.Spec, d *spec.Data) (dataset.LoadOptions, error) {
	load := d.Load
	if !dataset.CostFile(load.CostMatrix) {
		return load, nil
	}
	path, err := find(s, load.CostMatrix)
	if err != nil {
		return load, fmt.Errorf("cost matrix: %w", err)
	}
	load.CostMatrix = path
	return load, nil
}

// hash returns the hex hash of the data's file, and of the file of their cost matrix, if any.
func hash(ds *dataset.Dataset, costs string) (string, error) {
	if !dataset.CostFile(costs) {
		return ds.Source.SHA256, nil
	}
	text, err := os.ReadFile(costs)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sha256.Sum256(append([]byte(ds.Source.SHA256), text...))), nil
}

// divider returns datasets of the rows of the two parts of a split; without test rows the second is nil.
type divider func(train, test []int) (*dataset.Dataset, *dataset.Dataset, error)

// divide adds the splits of all to the source, as parts of whole: with its truth, and its label as
// a prefix of theirs. The rows of a split are drawn when it is loaded, so that a plan with many
// splits has no lists of rows.
func divide(s *spec.Spec, src *source, whole part, all *dataset.Dataset, split divider) error {
	tests, err := draw(&s.Evaluate, all, uint64(s.Evaluate.Seed)) // other seeds give the same number
	if err != nil {
		return src.data.Mistake(fmt.Errorf("cannot be divided as evaluate says: %w", err))
	}
	folds := len(tests)
	for r := range s.Evaluate.Repeats {
		for f := range folds {
			p := part{label: whole.label + strconv.Itoa(r+1), truth: whole.truth}
			if folds > 1 {
				p.label += "." + strconv.Itoa(f+1)
			}
			p.load = func() (*dataset.Dataset, *dataset.Dataset, error) {
				tests, err := draw(&s.Evaluate, all, uint64(s.Evaluate.Seed)+uint64(r))
				if err != nil {
					return nil, nil, err
				}
				return split(all.Complement(tests[f]), tests[f])
			}
			src.parts = append(src.parts, p)
		}
	}
	return nil
}

// draw returns the test rows of each split of one repeat; none of the only split of whole data.
func draw(e *spec.Evaluate, all *dataset.Dataset, seed uint64) ([][]int, error) {
	if e.Whole {
		return [][]int{nil}, nil
	}
	if !e.Stratified {
		all = oneClass(all)
	}
	if e.Folds > 0 {
		return all.Folds(e.Folds, seed)
	}
	_, test, err := all.Holdout(e.Holdout, seed)
	return [][]int{test}, err
}

// oneClass returns a dataset with as many rows, all of one class, whose stratified divisions are
// unstratified.
func oneClass(ds *dataset.Dataset) *dataset.Dataset {
	return &dataset.Dataset{Y: make([]int, ds.N()), Classes: []string{""}}
}

// openGenerated lists the parts: a replicate with test rows is one part, others are divided.
func openGenerated(s *spec.Spec, d *spec.Data) (*source, error) {
	settings := fmt.Appendf(nil, "%s %+v", d.Generate, d.Generator)
	src := &source{data: d, sha: fmt.Sprintf("%x", sha256.Sum256(settings))}
	for r := range d.Replicates {
		g, of := d.Generator.Replicate(r), &truth{data: d.Name, replicate: r + 1}
		if d.HasTest() {
			src.parts = append(src.parts, part{label: fmt.Sprint(r + 1), truth: of, load: func() (train, test *dataset.Dataset, err error) {
				train, test, of.tree, err = g.Data()
				return train, test, err
			}})
			continue
		}
		all, _, tree, err := g.Data()
		if err != nil {
			return nil, d.Mistake(err)
		}
		of.tree = tree
		whole := part{truth: of}
		if d.Replicates > 1 {
			whole.label = fmt.Sprintf("%d.", r+1)
		}
		split := func(train, test []int) (*dataset.Dataset, *dataset.Dataset, error) {
			if len(test) == 0 {
				return all.Subset(train), nil, nil
			}
			return all.Subset(train), all.Subset(test), nil
		}
		if err := divide(s, src, whole, all, split); err != nil {
			return nil, err
		}
	}
	return src, nil
}

// Whole returns all rows of a file, or all training points of each replicate of generated data.
// Data that cannot be read give a *spec.Error.
func Whole(s *spec.Spec, d *spec.Data) ([]*dataset.Dataset, error) {
	if d.Generate == "" {
		path, err := find(s, d.File)
		if err != nil {
			return nil, d.Mistake(err)
		}
		load, err := loadOptions(s, d)
		if err != nil {
			return nil, d.Mistake(err)
		}
		ds, err := dataset.Load(path, load)
		if err != nil {
			return nil, d.Mistake(err)
		}
		ds.Source.File = d.File // results do not depend on its path
		return []*dataset.Dataset{ds}, nil
	}
	var all []*dataset.Dataset
	for r := range d.Replicates {
		train, _, _, err := d.Generator.Replicate(r).Data()
		if err != nil {
			return nil, d.Mistake(err)
		}
		all = append(all, train)
	}
	return all, nil
}

// find returns the path of a file named in a spec: the name itself if absolute, otherwise in the
// folder of the spec, in $OCTGEN_DATA, or in ../shared/data.
func find(s *spec.Spec, file string) (string, error) {
	if filepath.IsAbs(file) {
		return file, nil
	}
	dirs := []string{filepath.Dir(s.File)}
	if env := os.Getenv("OCTGEN_DATA"); env != "" {
		dirs = append(dirs, env)
	}
	dirs = append(dirs, filepath.Join("..", "shared", "data"))
	for _, dir := range dirs {
		path := filepath.Join(dir, file)
		switch _, err := os.Stat(path); {
		case err == nil:
			return path, nil
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
	}
	return "", fmt.Errorf("no file %s in %q", file, dirs)
}

// truth is the true tree of a dataset.
type truth struct {
	data      string
	replicate int        // 1, 2, ...
	tree      *tree.Tree // nil until the data are drawn
}

func (of *truth) file() string { return fmt.Sprintf("%s-%d.json", of.data, of.replicate) }

// recovery compares the tree of a result with the true one, if both exist.
func (of *truth) recovery(res *fit.Result) *generate.Recovery {
	if of == nil || of.tree == nil || res == nil || res.Tree == nil {
		return nil
	}
	r := generate.Recover(of.tree, res.Tree)
	return &r
}

// tasksFile lists the tasks of the plan, one per line, in the plan's order, so that collecting
// results or reading the status does not need the data.
const tasksFile = "tasks.csv"

var tasksHeader = []string{"id", "data", "method", "split"}

// listedTask is a line of tasks.csv.
type listedTask struct{ id, data, method, split string }

// putTasks writes tasks.csv unless it exists.
func putTasks(dir string, tasks []Task) error {
	path := filepath.Join(dir, tasksFile)
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		c := csv.NewWriter(w)
		_ = c.Write(tasksHeader) // Error returns the errors
		for i := range tasks {
			t := &tasks[i]
			_ = c.Write([]string{t.ID, t.Data, t.Method, t.Split})
		}
		c.Flush()
		return c.Error()
	})
}

// readTasks reads tasks.csv. For a folder without it, begun by an older octgen, it returns none
// without an error.
func readTasks(dir string) ([]listedTask, error) {
	path := filepath.Join(dir, tasksFile)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close() // read-only: closing has nothing to report
	c := csv.NewReader(f)
	c.FieldsPerRecord = len(tasksHeader)
	var tasks []listedTask
	for {
		line, err := c.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w; remove the file and continue with --resume, which rewrites it", ErrFolder, path, err)
		}
		tasks = append(tasks, listedTask{line[0], line[1], line[2], line[3]})
	}
	return tasks[min(1, len(tasks)):], nil // without the header
}
