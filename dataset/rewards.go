package dataset

import (
	"fmt"
	"math"
	"strings"
)

// Rewards in place of classes: row i has the reward r_ik if action k is taken there, for
// every action k, whatever was done. The classes of such data are the actions. Policies
// are trees that choose an action; which is best is a question of costs:
//
//	sum_i w_i r_i,a(i)  =  sum_i w_i max_k r_ik  -  sum_i c_i,a(i),
//	c_ik = w_i (max_l r_il - r_ik) >= 0,
//
// so that the policy of the greatest reward is that of the least cost, and a constant
// added to all rewards of a row changes nothing (Zhou, Athey & Wager 2023).

// NewRewards returns the dataset of rows x (n, p row-major) with the rewards of the
// actions (n, K row-major), all weights and counts 1. It takes over the slices. The error
// of Validate is returned.
func NewRewards(x, reward []float64, features, actions []string) (*Dataset, error) {
	k := len(actions)
	if k == 0 || len(reward)%k != 0 {
		return nil, fmt.Errorf("dataset: %d rewards of %d actions; want one of each action per row", len(reward), k)
	}
	d := &Dataset{X: x, Weight: ones(len(reward) / k), Count: ones(len(reward) / k), Features: features, Classes: actions}
	d.setRewards(reward)
	return d, d.Validate()
}

// setRewards gives the rows of d, whose weights are there, their rewards: Y becomes the
// action of the greatest reward, the first of equal ones, Cost what is lost against it.
func (d *Dataset) setRewards(reward []float64) {
	n, k := len(d.Weight), d.K()
	d.Reward, d.Y, d.Cost = reward, make([]int, n), make([]float64, n*k)
	for i := range n {
		r := d.RewardsOf(i)
		best := 0
		for a, v := range r {
			if v > r[best] {
				best = a
			}
		}
		d.Y[i] = best
		for a, v := range r {
			d.Cost[i*k+a] = d.Weight[i] * (r[best] - v)
		}
	}
}

// RewardsOf returns the rewards (K) of the actions on row i, shared; nil where the data
// have classes.
func (d *Dataset) RewardsOf(i int) []float64 {
	if d.Reward == nil {
		return nil
	}
	k := d.K()
	return d.Reward[i*k : (i+1)*k : (i+1)*k]
}

// BestReward returns sum_i w_i max_k r_ik, which no policy exceeds.
func (d *Dataset) BestReward() float64 {
	sum := 0.0
	for i, y := range d.Y {
		sum += d.Weight[i] * d.Reward[i*d.K()+y]
	}
	return sum
}

// validateRewards returns the first breach of the rules of Reward.
func (d *Dataset) validateRewards() error {
	if d.Reward == nil {
		return nil
	}
	n, k := d.N(), d.K()
	if len(d.Reward) != n*k {
		return fmt.Errorf("dataset: %d rewards; want %d rows x %d actions = %d", len(d.Reward), n, k, n*k)
	}
	total := 0.0
	for i := range n {
		for a, v := range d.RewardsOf(i) {
			if !(math.Abs(v) <= MaxAbs) {
				return fmt.Errorf("dataset: row %d, action %q: the reward %v is not a finite number of size at most %g", i, d.Classes[a], v, MaxAbs)
			}
			total += d.Weight[i] * math.Abs(v)
		}
	}
	if math.IsInf(total, 0) {
		return fmt.Errorf("dataset: the rewards are too large to be added up")
	}
	return nil
}

// rewardsOf appends the rewards of a record to dst.
func rewardsOf(dst []float64, record []string, columns []int, t *records) ([]float64, error) {
	for _, column := range columns {
		s := strings.TrimSpace(record[column])
		v, kind := t.notation.classify(s)
		switch kind {
		case number:
		case missing:
			text := ""
			if s != "" {
				text = fmt.Sprintf(", for %q is among the texts of --na-values", s)
			}
			return dst, t.cellError(column, "the reward is missing%s; every action needs one in every row: leave such rows out of the file, or estimate it", text)
		default:
			return dst, t.cellError(column, "the reward %q is not a finite number of size at most %g", s, MaxAbs)
		}
		dst = append(dst, v)
	}
	return dst, nil
}

// ActionRewards is an action and its reward if it is taken in all rows.
type ActionRewards struct {
	Action string  `json:"action"`
	Mean   float64 `json:"mean_reward"` // by weight
	Best   int     `json:"best_rows"`   // rows where no action has more, the first of equal ones
}

// actionRewards describes the rewards of d.
func (d *Dataset) actionRewards() []ActionRewards {
	all, weight := make([]ActionRewards, d.K()), 0.0
	for k, name := range d.Classes {
		all[k].Action = name
	}
	for i, y := range d.Y {
		weight += d.Weight[i]
		all[y].Best++
		for k, v := range d.RewardsOf(i) {
			all[k].Mean += d.Weight[i] * v
		}
	}
	for k := range all {
		all[k].Mean /= weight
	}
	return all
}
