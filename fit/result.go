package fit

import (
	"encoding/json"
	"math"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
	"github.com/octgen/octgen/tree/score"
)

// Result is the outcome of a fit. Its JSON form is the object that
// `octgen fit --json` prints: a contract. Parts that do not apply to a method
// are nil and left out; numbers that are not known (a bound before one was
// proved) are nil too.
type Result struct {
	Method string `json:"method"`

	// Engine found the tree; Prover proved Bound, nil where there is none. Status is
	// "optimal" with a proof only, whoever made it; where the check fails, "feasible" for a
	// tree that stands nevertheless (see Kept), else "unknown". Objective and Bound are in
	// units of the objective, null where they are unknown.
	Engine    string   `json:"engine"`
	Prover    *string  `json:"prover"`
	Status    string   `json:"status"`
	Objective *float64 `json:"objective"`
	Bound     *float64 `json:"bound"`
	Gap       *float64 `json:"gap"`
	Claim     string   `json:"claim,omitempty"` // what is proved of all trees within limits: "no tree of depth 3 has fewer errors"
	Limit     string   `json:"limit"`           // what ended it before a proof; "" for nothing

	// Unproved is why the status is "feasible" or "no solution" though no limit ended the
	// fit: weights too far apart for a proof, an engine that proves nothing, a solver that
	// gave up. It is "" where a limit came first, and with a proof.
	Unproved string `json:"unproved,omitempty"`

	Data        Data         `json:"data"`
	Formulation *Formulation `json:"formulation,omitempty"`
	Solver      *Solver      `json:"solver,omitempty"`
	Search      *SearchPart  `json:"search,omitempty"` // of the exact search, where it ran
	Heuristic   *Heuristic   `json:"heuristic,omitempty"`
	Tuning      *Tuning      `json:"tuning,omitempty"`
	Train       *Scores      `json:"train,omitempty"` // on all training rows, the validation part of the tuned methods included
	Test        *Scores      `json:"test,omitempty"`
	Constraints []Constraint `json:"constraints,omitempty"`
	Baseline    *Baseline    `json:"baseline,omitempty"`
	Check       *Check       `json:"check,omitempty"`
	CrossCheck  *CrossCheck  `json:"cross_check,omitempty"`
	Proof       *Proof       `json:"proof,omitempty"`
	Seconds     float64      `json:"seconds"`
	Tree        *tree.Tree   `json:"tree,omitempty"`

	of *problem.Problem // whose result it is
}

// Proof is a proof file that was written and checked.
type Proof struct {
	File      string  `json:"file"`
	Bytes     int     `json:"bytes"`     // without compression
	Optimal   bool    `json:"optimal"`   // whether it shows that no tree is better
	Value     int64   `json:"value"`     // of the tree, in the unit of the file
	Bound     int64   `json:"bound"`     // that no tree is below
	Intervals int64   `json:"intervals"` // of cuts that it closes
	Seconds   float64 `json:"seconds"`   // to write and check it
}

// Data describes the training data.
type Data struct {
	File     string `json:"file"`
	Rows     int    `json:"rows"`     // training rows, after dropping and splitting
	Features int    `json:"features"` // after encoding
	Classes  int    `json:"classes"`
	SHA256   string `json:"sha256"` // of the whole file

	CostMatrix [][]float64 `json:"cost_matrix,omitempty"` // true by predicted class, of a file that was read; nil without one

	*dataset.Reading // what was read of the file; nil for data made in memory, parts of files and files read with a tree
}

// DescribeData returns the Data of ds.
func DescribeData(ds *dataset.Dataset) Data {
	d := Data{File: ds.Source.File, Rows: ds.N(), Features: ds.P(), Classes: ds.K(), SHA256: ds.Source.SHA256, Reading: ds.Reading}
	if ds.Reading != nil && ds.Encoder != nil {
		d.CostMatrix = ds.Encoder.CostMatrix
	}
	return d
}

// Formulation describes the program that was built.
type Formulation struct {
	Form         string   `json:"form"`
	Encoding     string   `json:"encoding"`
	Tightenings  []string `json:"tightenings,omitempty"`
	Margin       string   `json:"margin,omitempty"` // of oct-h, whose rows keep it: all, or those counted right
	Scope        string   `json:"scope,omitempty"`  // within what an optimum is one, where not among all trees
	Columns      int      `json:"columns"`
	Rows         int      `json:"rows"`
	Nonzeros     int      `json:"nonzeros"`
	Binaries     int      `json:"binaries"`
	CoefMin      float64  `json:"coef_min"` // least absolute value in the matrix
	CoefMax      float64  `json:"coef_max"` // largest
	BuildSeconds float64  `json:"build_seconds"`
}

// Solver is what the solver said, as it said it. Name is the solver or search
// that answered, or "none" if the data or the start did. Status is "optimal" only
// with a proof. Objective is the solver's; the tree may be better than its
// incumbent, see Scores.Objective. Bound is what it proved itself, whatever others
// did; Gap is that of the two.
type Solver struct {
	Name           string       `json:"name"`
	Version        string       `json:"version,omitempty"`
	Status         string       `json:"status"`
	Limit          string       `json:"limit,omitempty"`
	Raw            string       `json:"raw,omitempty"`
	Note           string       `json:"note,omitempty"` // which of its claims is refuted or was bettered, and by what
	Objective      *float64     `json:"objective,omitempty"`
	Bound          *float64     `json:"bound,omitempty"`
	Gap            *float64     `json:"gap,omitempty"`
	Nodes          int64        `json:"nodes"`
	Seconds        float64      `json:"seconds"`
	Start          string       `json:"start,omitempty"` // which tree it started from
	StartObjective *float64     `json:"start_objective,omitempty"`
	StartSeconds   *float64     `json:"start_seconds,omitempty"` // that the heuristics took, all of them
	Search         *exact.Stats `json:"search,omitempty"`        // counters of the exact search
	StartGain      *float64     `json:"start_gain,omitempty"`    // by how much the tree's objective is below the start's: what the solver added

	// Told says that Note, or without a solver Raw, has the reason of Result.Unproved.
	Told bool `json:"-"`
}

// Known is v, nil for what is no number.
func Known(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// ValueOr is *v, none for nil.
func ValueOr(v *float64, none float64) float64 {
	if v == nil {
		return none
	}
	return *v
}

// Heuristic says how a native method went.
type Heuristic = problem.Outcome

// SearchPart is what the exact search proved.
type SearchPart struct {
	Status  string   `json:"status"`
	Limit   string   `json:"limit,omitempty"`
	Bound   *float64 `json:"bound"`
	Seconds float64  `json:"seconds"`
}

// Tuning says how a tuned method came to its tree.
type Tuning struct {
	Path             string          `json:"path"`                   // alpha, splits or pruning
	TrainRows        int             `json:"train_rows"`             // rows that trees were fitted to
	ValidationRows   int             `json:"validation_rows"`        // rows that chose one
	Alpha            float64         `json:"alpha"`                  // midpoint of the chosen tree's interval
	AlphaLow         float64         `json:"alpha_low"`              // the interval's ends
	AlphaHigh        float64         `json:"alpha_high"`             //
	Objective        float64         `json:"objective"`              // of the chosen tree on the training part, at Alpha
	ValidationErrors float64         `json:"validation_errors"`      // of the chosen tree, in rows
	Solves           int             `json:"solves"`                 // problems that were solved
	Work             int64           `json:"work,omitempty"`         // of the native searches, in their units
	Proved           bool            `json:"proved"`                 // every tree of the envelope is proved best for its interval
	Refit            bool            `json:"refit"`                  // the tree was fitted once more, to all rows
	RefitProved      bool            `json:"refit_proved,omitempty"` // and is proved best there
	Mu               float64         `json:"mu,omitempty"`           // margin of the chosen tree's splits, oct-h-tuned
	Margins          []MarginChoice  `json:"margins,omitempty"`      // where the margin was chosen, too; the widest first
	Envelope         []EnvelopePoint `json:"envelope"`               // by ascending alpha; of the margin chosen
}

// MarginChoice is the best that validation found at one margin.
type MarginChoice struct {
	Mu                    float64 `json:"mu"`
	ValidationErrors      float64 `json:"validation_errors"`       // in rows
	ValidationErrorWeight float64 `json:"validation_error_weight"` // what is compared
	Chosen                bool    `json:"chosen,omitempty"`
}

// EnvelopePoint is a tree that is best on the training part for an interval of
// alpha, of all that were found.
type EnvelopePoint struct {
	AlphaLow              float64 `json:"alpha_low"`
	AlphaHigh             float64 `json:"alpha_high"`
	ErrorWeight           float64 `json:"error_weight"` // on the training part, with the price of columns; here and below, with costs the excess over the least cost of each row, of numbers the loss as a part of that of a single leaf
	Complexity            int     `json:"complexity"`   // splits; oct-h-tuned: features over all splits
	ValidationErrors      float64 `json:"validation_errors"`
	ValidationErrorWeight float64 `json:"validation_error_weight"` // what is compared
	Proved                bool    `json:"proved"`                  // best of all trees, throughout its interval
	Chosen                bool    `json:"chosen,omitempty"`
}

// CrossCheck is the exact native search's word on the same problem.
type CrossCheck struct {
	Status    string  `json:"status"` // optimal, or feasible where a limit came first
	Limit     string  `json:"limit,omitempty"`
	Objective float64 `json:"objective"` // of its tree
	Bound     float64 `json:"bound"`
	Seconds   float64 `json:"seconds"`
	Agrees    bool    `json:"agrees"`
}

// Scores are a tree's figures on labelled data, recomputed row by row.
type Scores struct {
	Rows         float64  `json:"rows"`
	Errors       float64  `json:"errors"`
	ErrorWeight  float64  `json:"error_weight"`
	Accuracy     float64  `json:"accuracy"`
	AccuracySE   *float64 `json:"accuracy_se,omitempty"` // of test rows: sqrt(a (1 - a) / rows)
	Positive     string   `json:"positive,omitempty"`    // class whose recall is the sensitivity; of two the second, unless another is named
	Splits       int      `json:"splits"`
	Depth        int      `json:"depth"`
	FeaturesUsed int      `json:"features_used"`
	Objective    *float64 `json:"objective,omitempty"` // of the method, on the training data
	Cost         *float64 `json:"cost,omitempty"`      // of the answers, where the data have costs
	score.Figures
	Fairness []constraint.Fairness `json:"fairness,omitempty"` // of data with groups

	// Reward is what a policy earns; of data with rewards Errors are the rows for which
	// another action has more, and there are no other figures.
	Reward *score.Rewards `json:"reward,omitempty"`

	// Numbers are the figures of a tree that predicts numbers, of which there are no others than those of its size.
	Numbers *score.Numbers `json:"numbers,omitempty"`
}

// MarshalJSON leaves out what numbers do not have.
func (s *Scores) MarshalJSON() ([]byte, error) {
	type all Scores
	if s.Numbers == nil {
		return json.Marshal((*all)(s))
	}
	return json.Marshal(struct {
		Rows         float64        `json:"rows"`
		Splits       int            `json:"splits"`
		Depth        int            `json:"depth"`
		FeaturesUsed int            `json:"features_used"`
		Objective    *float64       `json:"objective,omitempty"`
		Numbers      *score.Numbers `json:"numbers"`
	}{s.Rows, s.Splits, s.Depth, s.FeaturesUsed, s.Objective, s.Numbers})
}

// Score evaluates t on ds, which has the tree's features and classes.
func Score(t *tree.Tree, ds *dataset.Dataset) *Scores {
	l := t.Evaluate(ds)
	s := &Scores{
		Rows: l.Rows, Errors: l.Errors, ErrorWeight: l.ErrorWeight, Accuracy: l.Accuracy,
		Splits: t.Splits(), Depth: t.Depth(), FeaturesUsed: len(t.FeaturesUsed()), Cost: costOf(l, ds),
		Reward: score.RewardsOf(t, ds), Numbers: score.NumbersOf(t, ds),
	}
	if s.Reward == nil && s.Numbers == nil {
		s.Figures = score.Of(t, ds)
	}
	return s
}

// ScoreGroups is Score with what fairness metrics come to between the groups of ds for a
// positive class, "" for [constraint.FairnessOf]'s own choice. The error is of a class
// that is none.
func ScoreGroups(t *tree.Tree, ds *dataset.Dataset, positive string) (*Scores, error) {
	s := Score(t, ds)
	if s.Numbers != nil { // of which there are no rates
		return s, nil
	}
	s.Positive = positive
	if positive == "" && ds.K() == 2 && s.Reward == nil {
		s.Positive = ds.Classes[1]
	}
	var err error
	s.Fairness, err = constraint.FairnessOf(t, ds, positive)
	return s, err
}

// costOf is what the answers cost, nil where the data have no costs, or have them of rewards.
func costOf(l tree.Losses, ds *dataset.Dataset) *float64 {
	if ds.Kind() != dataset.Costs {
		return nil
	}
	return &l.Cost
}

// Baseline is the tree that CART makes under the same limits: of its tree of the same
// depth and least leaf, the best subtree for alpha and the most splits.
type Baseline struct {
	Method     string   `json:"method"`
	Errors     float64  `json:"errors"`                // wrong training rows
	TestErrors *float64 `json:"test_errors,omitempty"` // wrong test rows
	Cost       *float64 `json:"cost,omitempty"`        // of its answers on training rows, where the data have costs
	TestCost   *float64 `json:"test_cost,omitempty"`   // on test rows

	// Of policies it is the best single action of the training rows.
	Action     string        `json:"action,omitempty"`
	Reward     *score.Earned `json:"reward,omitempty"`
	TestReward *score.Earned `json:"test_reward,omitempty"`

	// Of numbers it is the tree of the best split at each node.
	Numbers     *score.Numbers `json:"numbers,omitempty"`
	TestNumbers *score.Numbers `json:"test_numbers,omitempty"`
}

// Check is the independent check of a result.
type Check struct {
	Feasible         *bool    `json:"feasible,omitempty"`          // the solver's point satisfies the model, and the tree the limits asked for
	MaxViolation     *float64 `json:"max_violation,omitempty"`     // of the solver's point
	ObjectiveMatches *bool    `json:"objective_matches,omitempty"` // the solver's objective is the point's, and the tree's agrees with it and the bound
	ModelMatches     *bool    `json:"model_matches,omitempty"`     // decode: the solution file names the model; nil where it has no name of octgen's
	ErrorsMatch      bool     `json:"errors_match"`                // errors recomputed from the data agree with the tree's own counts
	Problem          string   `json:"problem,omitempty"`           // what failed
	Disproved        string   `json:"disproved,omitempty"`         // the solver's claim, of an optimum or a bound, that its own tree disproves, where that is what failed
}

// OK reports whether nothing failed.
func (c *Check) OK() bool { return c.Problem == "" }

// Kept reports whether the tree of a result is what it says, whatever was claimed of it:
// the check holds, or all that failed is a claim of the solver that the tree disproves.
func (r *Result) Kept() bool {
	c := r.Check
	return r.Tree != nil && c != nil && (c.OK() || c.Disproved != "") && c.ErrorsMatch && (c.Feasible == nil || *c.Feasible)
}

// Constraint is what a constraint comes to for the tree of a result. It is held on the
// training rows, of tuned methods on the training part unless the tree was fitted once
// more; what it is on others is reported, not promised.
type Constraint struct {
	Text  string   `json:"text"`
	Limit *float64 `json:"limit"` // nil: it is a price
	Train *float64 `json:"train"` // nil where no row has its rate, and without a tree; of tuned methods on the rows that trees are fitted to
	Test  *float64 `json:"test,omitempty"`
	Held  bool     `json:"held"` // on the rows of Train
	Note  string   `json:"note,omitempty"`

	Validation *float64 `json:"validation,omitempty"` // of tuned methods, on the rows that the tree was chosen by
	TestHeld   *bool    `json:"test_held,omitempty"`  // nil where there are no test rows
}

// Rule reports whether the constraint is a rule of splits that a tree keeps or breaks,
// whatever the rows: Note says what it comes to.
func (c *Constraint) Rule() bool { return constraint.Rule(c.Text) }

// describeModel is the result's formulation.
func describeModel(p *problem.Model) *Formulation {
	m := p.Model()
	coef := m.CoefRange()
	return &Formulation{
		Form: p.Form, Encoding: p.Encoding, Margin: p.Spec.Margin, Tightenings: p.Tightenings,
		Columns: m.NumCols(), Rows: m.NumRows(), Nonzeros: m.NumNonzeros(), Binaries: m.NumDiscrete(),
		CoefMin: coef.Min, CoefMax: coef.Max, BuildSeconds: p.Built.Seconds(),
	}
}

// describeSolution is the result's account of a solver.
func describeSolution(p *problem.Model, s *mio.Solution) *Solver {
	return &Solver{
		Name: s.Solver, Status: s.Status.String(), Limit: s.Limit.String(), Raw: s.Raw, Note: s.Note,
		Objective: Known(p.InUnits(s.Objective)), Bound: Known(p.InUnits(s.Bound)), Gap: Known(s.Gap),
		Nodes: s.Nodes, Seconds: s.Runtime.Seconds(),
	}
}

// describeSearch is the result's exact search.
func describeSearch(f *problem.Found) *SearchPart {
	return &SearchPart{Status: f.Status.String(), Limit: f.Limit.String(), Bound: Known(f.Bound), Seconds: f.Seconds}
}

// describeVerdict is the result's account of a verdict that was come to without a solver.
func describeVerdict(name string, v verify.Verdict, raw string) *Solver {
	return &Solver{
		Name: name, Status: v.Status.String(), Limit: v.Limit.String(), Raw: raw,
		Objective: Known(v.Objective), Bound: Known(v.Bound), Gap: Known(v.Gap),
	}
}

// soundCheck is the check of an answer that stands for itself.
func soundCheck() *Check {
	feasible, matches := true, true
	return &Check{Feasible: &feasible, ObjectiveMatches: &matches}
}
