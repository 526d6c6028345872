package fit

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// claimed says of which trees none is better, "" where it is not proved of all univariate trees within limits.
func (j *job) claimed(res *Result) string {
	info := j.p.Method.Info()
	proved := res.Status == mio.Optimal.String() && res.Objective != nil && res.Bound != nil && verify.Same(*res.Objective, *res.Bound)
	if !proved || !info.Univariate && !info.Rewards || res.Formulation != nil && res.Formulation.Scope != "" {
		return ""
	}
	text := "no tree" + limitsOf(info.Shape, j.data.Dataset)
	if res.Constraints != nil {
		text += " that holds the constraints"
	}
	if e := j.data.Encoder; e != nil {
		if prefixes := e.Prefixes(); prefixes != nil {
			text += fmt.Sprintf(" whose sets of %s follow the order of mean outcomes", problem.Listed(prefixes))
		}
	}
	return text + " " + better(res, info.Shape, j.given)
}

// limitsOf lists the limits of a shape.
func limitsOf(s *problem.Shape, ds *dataset.Dataset) string {
	text := ""
	if s.Depth != problem.NoDepth {
		text = fmt.Sprintf(" of depth %d", s.Depth)
	}
	var limits []string
	if s.MinLeaf > slices.Min(ds.Weight) {
		of := "of weight %v"
		if uniform(ds) && ds.Weight[0] == ds.Count[0] {
			of = "of %v rows"
		}
		limits = append(limits, "leaves "+fmt.Sprintf(of, s.MinLeaf)+" or more")
	}
	if s.MaxSplits > 0 {
		limits = append(limits, fmt.Sprintf("at most %d splits", s.MaxSplits))
	}
	if limits != nil {
		text += " with " + strings.Join(limits, " and ")
	}
	return text
}

// better is what a better tree would have.
func better(res *Result, s *problem.Shape, ds *dataset.Dataset) string {
	priced := s.Alpha > 0 || slices.ContainsFunc(res.Constraints, func(c Constraint) bool { return c.Limit == nil })
	switch {
	case res.Train.Reward != nil && priced:
		return "has more reward after the price of its splits"
	case res.Train.Reward != nil:
		return "has more reward"
	case priced:
		return "has a lower objective"
	case res.Train.Numbers != nil:
		switch ds.Quantile {
		case 0:
			return "has a smaller squared error"
		case 0.5:
			return "has a smaller absolute error"
		}
		return fmt.Sprintf("has a smaller loss of the quantile %v", ds.Quantile)
	case res.Train.Cost != nil:
		return "costs less"
	case !uniform(ds):
		return "has less error weight"
	}
	return "has fewer errors"
}

// uniform reports whether all source rows have one weight.
func uniform(ds *dataset.Dataset) bool {
	for i, w := range ds.Weight {
		if w*ds.Count[0] != ds.Weight[0]*ds.Count[i] {
			return false
		}
	}
	return true
}

// recorded returns the tree of a result with what is known of it, for those who read the tree alone.
func (j *job) recorded(res *Result) *tree.Tree {
	t := *res.Tree
	t.Fit = &tree.Fit{Method: res.Method, Status: res.Status, Claim: res.Claim, Objective: res.Objective, Bound: res.Bound, Gap: res.Gap}
	if file := res.Data.File; file != "" && file != "-" {
		t.Fit.Data = filepath.Base(file)
	}
	if s := res.Test; s != nil && s.Reward == nil && s.Numbers == nil && s.Rows > 0 {
		t.Fit.Test = &tree.FitTest{Rows: s.Rows, Errors: s.Errors}
	}
	if n := res.Train.Numbers; n != nil {
		t.Fit.RMSE, t.Fit.MeanRMSE = &n.RMSE, &n.Mean
	}
	if s := res.Test; s != nil && s.Numbers != nil {
		t.Fit.Test = &tree.FitTest{Rows: s.Rows, RMSE: &s.Numbers.RMSE}
	}
	return &t
}
