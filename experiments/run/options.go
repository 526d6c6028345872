package run

import (
	"regexp"
	"time"
)

// Options says where and how to run a plan.
type Options struct {
	Dir     string         // folder of the results; made if it is not there
	Workers int            // tasks at a time; 0: what the spec says
	Resume  bool           // go on where Dir has results already
	Retry   bool           // as Resume, and run the tasks again whose result is an error or was cut short, or whose tree is missing or damaged
	Only    *regexp.Regexp // tasks by name; nil: all
	Shard   Shard          // part of the tasks, in a folder that others share; zero: all, alone
	Batch   Batch          // a batch of jobs, in a folder that Submit divided; zero: none
	Version string         // of octgen: results of two versions are not mixed
	Notify  func(Event)    // nil for none; calls do not overlap

	// Stop, once it is closed, is the end that a scheduler announces: no task begins any
	// more, and those that run have Grace to come to their end. One that is not done
	// then ends with its best tree if it has had the whole time of this run, as no other
	// run would give it more, and is left to the next run otherwise.
	Stop  <-chan struct{}
	Grace time.Duration

	scheduler string // whose jobs share the folder
}

// goesOn says whether the run goes on where there are results.
func (o *Options) goesOn() bool { return o.Resume || o.Retry }
