package constraint

import "github.com/octgen/octgen/tree"

// Value is what a constraint comes to for a tree on data.
type Value struct {
	Text  string      `json:"text"`
	Limit *float64    `json:"limit"` // nil: it is a price, which nothing limits
	Value *float64    `json:"value"` // nil where no row has its rate
	Held  bool        `json:"held"`
	Note  string      `json:"note,omitempty"`  // what Value alone does not say; of rules of splits, see [Rule], all of it
	Rates []GroupRate `json:"rates,omitempty"` // of fairness
}

// GroupRate is a rate of a level of a group.
type GroupRate struct {
	Level string   `json:"level"`
	Rate  string   `json:"rate"`  // what it is the rate of: predicted, true-positive, false-positive
	Rows  float64  `json:"rows"`  // source rows that it is over
	Value *float64 `json:"value"` // by weight; nil where there are no such rows
}

// predictions are what a tree makes of the rows of a dataset.
type predictions struct {
	tree  *tree.Tree
	leaf  []int // (n)
	class []int // (n)
}

// heldWithin is tolerance with room for the order in which sums are added up: searches and
// programs keep to tolerance, and what they keep is held.
const heldWithin = tolerance * (1 + 1e-3)

// atLeast and atMost are the values of constraints with limits from below and above.
func atLeast(v, limit float64) Value {
	return Value{Limit: &limit, Value: &v, Held: v >= limit-heldWithin}
}

func atMost(v, limit float64) Value {
	return Value{Limit: &limit, Value: &v, Held: v <= limit+heldWithin}
}
