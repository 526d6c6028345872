package run

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/experiments/spec"
)

// Plan is a spec with its data found: the tasks to run.
type Plan struct {
	Spec  *spec.Spec
	Data  []PlanData
	Tasks []Task // by data, split, method, in the order of the spec
}

// Task is one method on one split of one data.
type Task struct {
	ID     string // hex; the same for the same data, split, method and options
	Data   string
	Split  string // such as 2.3: repeat 2, fold 3
	Method string

	method     *spec.Method
	split      *split
	positive   string  // class whose rates are compared between groups, where the method names none
	validation float64 // part of the training rows that a tuned method chooses by, 0 for its default
}

// TimeLimit is that of the task's fit, 0 for none.
func (t *Task) TimeLimit() time.Duration { return t.method.TimeLimit() }

// Threads is how many threads the task's method asks for, 0 where it leaves that open.
func (t *Task) Threads() int { return t.method.Threads() }

// Name is what patterns are matched with: data/method/split.
func (t *Task) Name() string { return t.Data + "/" + t.Method + "/" + t.Split }

// split holds the datasets of a part while tasks need them.
type split struct {
	part  part
	mu    sync.Mutex
	left  int // tasks that will need it
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

// done lets go of the part once no task is left that needs it.
func (s *split) done() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left--; s.left == 0 {
		s.train, s.test, s.read = nil, nil, false
	}
}

// NewPlan finds and reads the data of a spec and lists its tasks; only, where it is
// there, names the data to which that is limited. Data that cannot be
// read or divided are *spec.Error.
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

// ReadTrees finds and reads the tree files that methods of a spec name, which are looked
// for as data are, and returns their hashes by name. Errors are *spec.Error.
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

// validation is what the spec says of validation parts, as a part of the training
// rows: all that data with test rows of their own are divided into.
func validation(s *spec.Spec, src *source) float64 {
	if src.data.HasTest() {
		return s.Evaluate.Validation
	}
	return s.Evaluate.ValidationPart()
}

// taskID is a hash of all that a task's result depends on, with that of the tree that an
// option names, "" for none, and of the names that it is shown under.
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
		panic(err) // texts and finite numbers
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
