package report

import (
	"github.com/octgen/octgen/experiments/metric"
)

// judge is the figure of test rows by which methods are compared in words, in the overview
// and in plots: of policies their reward, of data that all have costs the cost, else the
// share of wrong rows.
type judge struct {
	metric string
	name   string // in sentences
	title  string // at their beginning
	short  string
	unit   string    // of a figure: " %", or none
	axis   string    // with the unit
	train  [2]string // the figure on training rows, and what it is called with its unit
	points string    // of a difference, after it
	per    string    // what a difference is in, after "difference"
	digits int       // after the point
	more   bool      // more is better
}

var (
	byError  = judge{metric.TestError, "test error", "Test error", "error", " %", "test error, %", [2]string{"train_error", "training error, %"}, " percentage points", ", percentage points", 2, false}
	byCost   = judge{"test_cost", "test cost per row", "Test cost per row", "cost", "", "test cost per row", [2]string{"train_cost", "training cost per row"}, "", " in cost per row", 4, false}
	byReward = judge{"test_reward", "test reward per row", "Test reward per row", "reward", "", "test reward per row", [2]string{"train_reward", "training reward per row"}, "", " in reward per row", 4, true}
)

// judge is what the methods of the experiment are judged by.
func (s *Summary) judge() *judge {
	costs, measured := true, func(r *Row) bool { return r.N > 0 }
	for i := range s.Spec.Data {
		costs = costs && s.Spec.Data[i].Load.CostMatrix != ""
	}
	switch {
	case costs && s.has(byCost.metric, measured):
		return &byCost
	case s.has(byReward.metric, measured) && !s.has(byError.metric, measured):
		return &byReward
	}
	return &byError
}

// better is a figure such that less of it is better.
func (j *judge) better(v float64) float64 {
	if j.more {
		return -v
	}
	return v
}

// most is how the best figure is called.
func (j *judge) most() string {
	if j.more {
		return "the greatest"
	}
	return "the least"
}

// side is where the better differences are.
func (j *judge) side() string {
	if j.more {
		return "right"
	}
	return "left"
}

// value is a figure with its unit.
func (j *judge) value(v float64) string { return number(v, j.digits) + j.unit }
