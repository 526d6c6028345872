package run

import "github.com/octgen/octgen/solvers"

// Event is news of a run.
type Event struct {
	Kind     EventKind
	Task     *Task
	Record   *Record        // of Finished
	Progress *solvers.Event // of Solving
	Todo     []*Task        // of Planned: the tasks to run
	Earlier  []*Record      // of Planned: the results that there are, in the order of tasks
	Workers  int            // of Planned: how many run at a time
	Done     int            // tasks with a result, earlier runs included
	Total    int            // tasks of this run, those with a result included
}

// EventKind says what an Event tells.
type EventKind int

// The kinds of events.
const (
	Planned  EventKind = iota // before the first task
	Started                   // a task begins
	Solving                   // its solver has news
	Finished                  // its result is on the disk
)
