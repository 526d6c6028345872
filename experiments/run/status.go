package run

import (
	"path/filepath"
	"strings"
	"time"
)

// Status says how far the run in a folder is. Its JSON form is what `octgen status
// --json` prints: a contract.
type Status struct {
	Name    string         `json:"name"`    // of the experiment
	Version string         `json:"version"` // of octgen
	Shards  int            `json:"shards"`  // that share the folder; 0: one process at a time
	Tasks   int            `json:"tasks"`   // of the whole plan
	Done    int            `json:"done"`    // with a result, an error too
	Failed  int            `json:"failed"`  // of these, with an error
	Missing int            `json:"missing"` // without a result
	Methods []MethodStatus `json:"methods"` // in the order of the spec
	Writers []WriterStatus `json:"writers"` // that have results, in the order of their names
	Damaged []Damage       `json:"damaged,omitempty"`
}

// MethodStatus counts the tasks of a method.
type MethodStatus struct {
	Method string `json:"method"`
	Tasks  int    `json:"tasks"`
	Done   int    `json:"done"`
	Failed int    `json:"failed"`
}

// WriterStatus counts what a process, or results.jsonl, adds to what is done: a result
// that several have is that of one of them.
type WriterStatus struct {
	Name   string    `json:"name"`    // of the file, without .jsonl
	Done   int       `json:"done"`    //
	Failed int       `json:"failed"`  //
	Last   time.Time `json:"changed"` // when it wrote its last result
}

// ReadStatus reads how far the run in a folder is. Processes may be writing to it.
func ReadStatus(dir string) (*Status, error) {
	m, err := manifestOf(dir)
	if err != nil {
		return nil, err
	}
	x, err := readIndex(dir)
	if err != nil {
		return nil, err
	}
	s := &Status{Name: m.Name, Version: m.Version, Shards: m.Shards, Tasks: m.Tasks, Done: len(x.at), Methods: x.byMethod(), Writers: []WriterStatus{}, Damaged: x.damaged}
	for i := range x.files {
		f := &x.files[i]
		s.Failed += f.failed
		if f.lines > 0 {
			s.Writers = append(s.Writers, WriterStatus{strings.TrimSuffix(filepath.Base(f.path), ".jsonl"), f.done, f.failed, f.last})
		}
	}
	s.Missing = s.Tasks - s.Done
	return s, nil
}

// byMethod counts the tasks of each method, in the plan's order.
func (x *index) byMethod() []MethodStatus {
	all := []MethodStatus{}
	at := make(map[string]int)
	for i := range x.tasks {
		t := &x.tasks[i]
		k, ok := at[t.method]
		if !ok {
			k = len(all)
			at[t.method] = k
			all = append(all, MethodStatus{Method: t.method})
		}
		all[k].Tasks++
		p, ok := x.at[t.id]
		if !ok {
			continue
		}
		all[k].Done++
		if p.rank == failed {
			all[k].Failed++
		}
	}
	return all
}
