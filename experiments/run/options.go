package run

import "regexp"

// Options says where and how to run a plan.
type Options struct {
	Dir     string         // folder of the results; made if it is not there
	Workers int            // tasks at a time; 0: what the spec says
	Resume  bool           // go on where Dir has results already
	Retry   bool           // as Resume, and run the tasks again whose result is an error or whose tree is missing or damaged
	Only    *regexp.Regexp // tasks by name; nil: all
	Shard   Shard          // part of the tasks, in a folder that others share; zero: all, alone
	Version string         // of octgen: results of two versions are not mixed
	Notify  func(Event)    // nil for none; calls do not overlap
}

// goesOn says whether the run goes on where there are results.
func (o *Options) goesOn() bool { return o.Resume || o.Retry }
