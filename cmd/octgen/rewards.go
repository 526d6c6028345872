package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree/score"
)

// withoutRewards refuses data with rewards for what is of classes only.
func withoutRewards(ds *dataset.Dataset, what string) error {
	if ds.Reward == nil {
		return nil
	}
	return badInput(fmt.Errorf("%s of classes, not of rewards of actions: `octgen fit --method policy`, `octgen check` and `octgen predict` say what a tree earns", what))
}

// policyResult is what a policy comes to beside the best single action.
func policyResult(res *fit.Result, m problem.Method) string {
	r := res.Train.Reward
	text := fmt.Sprintf("mean reward %s; best single action %s %s", asIs(r.Mean), printable(r.Action), asIs(r.Single.Mean))
	proved := res.Status == mio.Optimal.String() && res.Objective != nil && res.Bound != nil && verify.Same(*res.Objective, *res.Bound)
	if p, ok := m.(*problem.Policy); ok && proved {
		within := []string{"depth"}
		if p.MinLeaf > 1 {
			within = append(within, "least leaf")
		}
		if p.MaxSplits > 0 {
			within = append(within, "most splits")
		}
		more := "has more"
		if p.Alpha > 0 {
			more = "has more after the price of its splits"
		}
		text += "; no tree of this " + problem.Listed(within) + " " + more
	}
	if res.Test != nil && res.Test.Reward != nil {
		t := res.Test.Reward
		text += fmt.Sprintf("; on test rows %s, %s %s", asIs(t.Mean), printable(t.Action), asIs(t.Single.Mean))
	}
	return text
}

// printRewards prints what a policy earns; of test rows, by which it was not chosen, with
// standard errors.
func printRewards(w io.Writer, name string, s *fit.Scores, test bool) {
	r := s.Reward
	text := fmt.Sprintf("reward %s of %s, mean %s", asIs(r.Total), count(int(s.Rows), "row", "rows"), asIs(r.Mean))
	if test {
		text += standardError(r.Earned)
	} else {
		text += fmt.Sprintf(", %s, depth %d, %s", count(s.Splits, "split", "splits"), s.Depth, count(s.FeaturesUsed, "feature", "features"))
	}
	label(w, name, text)
	text = fmt.Sprintf("best single action %s: mean %s", printable(r.Action), asIs(r.Single.Mean))
	if test {
		text = fmt.Sprintf("best single action of the training rows %s: mean %s", printable(r.Action), asIs(r.Single.Mean))
		text += standardError(r.Single)
	}
	text += "; the tree earns " + asIs(r.Gain.Mean) + " more"
	if r.Gain.Mean < 0 {
		text = strings.Replace(text, asIs(r.Gain.Mean)+" more", asIs(-r.Gain.Mean)+" less", 1)
	}
	if test {
		text += standardError(r.Gain)
	}
	label(w, "", text)
}

// standardError is that of a mean.
func standardError(e score.Earned) string {
	if e.SE == nil {
		return ""
	}
	return " (standard error " + asIs(*e.SE) + ")"
}

// rewardText takes the objective of a policy apart.
func rewardText(s *fit.Scores, alpha float64) string {
	text := asIs(*s.Objective) + ", total reward"
	if alpha > 0 {
		text = fmt.Sprintf("%s = reward %s - %s x %s", asIs(*s.Objective), asIs(s.Reward.Total), asIs(alpha), count(s.Splits, "split", "splits"))
	}
	return text
}
