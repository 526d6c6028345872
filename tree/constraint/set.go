package constraint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// Rates are the options of constraints on the rates of predictions.
type Rates struct {
	Recall    []string `json:"recall,omitempty" sep:"none" placeholder:"CLASS>=R" group:"Constraints" help:"Minimum recall of a class on the training set (repeatable)."`
	Precision []string `json:"precision,omitempty" sep:"none" placeholder:"CLASS>=R" group:"Constraints" help:"Minimum precision of a class on the training set (repeatable)."`
	Share     []string `json:"share,omitempty" sep:"none" placeholder:"CLASS<=S" group:"Constraints" help:"Maximum fraction of the training set predicted as the class (repeatable)."`
	Fair      []string `json:"fair,omitempty" sep:"none" placeholder:"METRIC:COLUMN<=D" group:"Constraints" help:"Maximum difference of a fairness metric between the levels of a column, or two of them (COLUMN@A,B): statistical-parity, equal-opportunity, predictive-equality, equalized-odds (repeatable). The column is not used as a feature, see --group."`
	Positive  string   `json:"positive,omitempty" placeholder:"CLASS" group:"Constraints" help:"Positive class of --fair, sensitivity and specificity (default: the second of two classes)."`
}

// Structural are the options of constraints on leaves and splits.
type Structural struct {
	LeafPurity  float64  `json:"leaf_purity,omitempty" above:"0" max:"1" placeholder:"R" group:"Constraints" help:"Minimum fraction of a leaf's training rows that belong to its class."`
	MaxFeatures int      `json:"max_features,omitempty" min:"1" placeholder:"F" group:"Constraints" help:"Maximum number of columns used in splits."`
	FeatureCost []string `json:"feature_cost,omitempty" sep:"none" placeholder:"COLUMN=C,..." group:"Constraints" help:"Costs of columns, paid once if a tree uses the column, in units of the baseline error."`
	Forbid      []string `json:"forbid,omitempty" sep:"none" placeholder:"COLUMN,..." group:"Constraints" help:"Columns not allowed in splits."`
}

// Univariate are the options of constraints that only univariate trees have.
type Univariate struct {
	Monotone   []string `json:"monotone,omitempty" sep:"none" placeholder:"COLUMN=+1,..." group:"Constraints" help:"Monotone columns: +1, no leaf left of a split on the column has a higher class than a leaf right of it; -1, no lower class."`
	ClassOrder []string `json:"class_order,omitempty" sep:"none" placeholder:"CLASS,..." group:"Constraints" help:"Order of the classes for --monotone, lowest first (default: numeric order)."`
}

// Options are the constraints as flags and keys of specs have them: methods embed those of
// the parts that their trees can hold. The zero value has none.
type Options struct {
	Rates
	Structural
	Fix     string     `json:"fix,omitempty"`      // name of the file that FixTree was read of
	FixTree *tree.Tree `json:"fix_tree,omitempty"` // nil for none
	Univariate
}

// Without returns the options without one constraint of their Set, numbered from 0 in its order. It
// shares no slice that it changed.
func (o Options) Without(k int) Options {
	next := func(n int, remove func(i int)) {
		if 0 <= k && k < n {
			remove(k)
		}
		k -= n
	}
	for _, texts := range []*[]string{&o.Recall, &o.Precision, &o.Share, &o.Fair} {
		next(len(*texts), func(i int) { *texts = slices.Delete(slices.Clone(*texts), i, i+1) })
	}
	only := func(there bool, remove func(int)) {
		if there {
			next(1, remove)
		}
	}
	only(o.LeafPurity != 0, func(int) { o.LeafPurity = 0 })
	only(o.MaxFeatures != 0, func(int) { o.MaxFeatures = 0 })
	for _, texts := range []*[]string{&o.FeatureCost, &o.Forbid, &o.Monotone} {
		only(len(*texts) > 0, func(int) { *texts = nil })
	}
	only(o.FixTree != nil, func(int) { o.Fix, o.FixTree = "", nil })
	return o
}

// Set is any number of constraints, all to be kept at once. Its zero value, and nil, have
// none.
type Set struct{ list []given }

// given is a constraint with the flag that asked for it, and what the flag was given.
type given struct {
	constraint
	flag, text string
}

// kind is a kind of constraint.
type kind struct {
	flag string
	rule bool                              // of splits, which a tree keeps or breaks whatever the rows
	read func(o *Options) ([]given, error) // the error is of the last one
}

// kinds are all of them, in the order of reports and of binding: fix comes after forbid, whose
// columns the fixed splits may not use. A new one is a type in a file, an option in Rates,
// Structural or Univariate, and a line here.
var kinds = []kind{
	{"recall", false, func(o *Options) ([]given, error) { return each(o.Recall, parseRecall) }},
	{"precision", false, func(o *Options) ([]given, error) { return each(o.Precision, parsePrecision) }},
	{"share", false, func(o *Options) ([]given, error) { return each(o.Share, parseShare) }},
	{"fair", false, func(o *Options) ([]given, error) {
		return each(o.Fair, func(text string) (constraint, error) { return parseFair(text, o.Positive) })
	}},
	{"leaf-purity", false, func(o *Options) ([]given, error) {
		return one(o.LeafPurity != 0, number(o.LeafPurity), &purity{o.LeafPurity})
	}},
	{"max-features", false, func(o *Options) ([]given, error) {
		return one(o.MaxFeatures != 0, fmt.Sprint(o.MaxFeatures), &maxFeatures{o.MaxFeatures})
	}},
	{"feature-cost", false, func(o *Options) ([]given, error) { return joined(o.FeatureCost, parseFeatureCost) }},
	{"forbid", true, func(o *Options) ([]given, error) { return joined(o.Forbid, parseForbid) }},
	{"monotone", true, func(o *Options) ([]given, error) {
		return joined(o.Monotone, func(texts []string) (constraint, error) { return parseMonotone(texts, o.ClassOrder) })
	}},
	{"fix", true, func(o *Options) ([]given, error) {
		return one(o.FixTree != nil, quote(o.Fix), &fix{o.Fix, o.FixTree})
	}},
}

// each reads a constraint of every text.
func each(texts []string, parse func(string) (constraint, error)) ([]given, error) {
	var all []given
	for _, text := range texts {
		c, err := parse(text)
		all = append(all, given{constraint: c, text: text})
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

// joined reads one constraint of all texts.
func joined(texts []string, parse func([]string) (constraint, error)) ([]given, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	c, err := parse(texts)
	return []given{{constraint: c, text: strings.Join(texts, ",")}}, err
}

// one is a constraint that needs no reading.
func one(asked bool, text string, c constraint) ([]given, error) {
	if !asked {
		return nil, nil
	}
	return []given{{constraint: c, text: text}}, nil
}

// Error is a text that is no constraint, or not of the data.
type Error struct {
	Flag string // without dashes
	Text string // "" where the text is not to blame
	Err  error
}

func (e *Error) Error() string {
	if e.Text == "" {
		return fmt.Sprintf("--%s: %v", e.Flag, e.Err)
	}
	return fmt.Sprintf("--%s %s: %v", e.Flag, e.Text, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Parse reads the options. The error is an *[Error].
func Parse(o Options) (*Set, error) {
	s := &Set{}
	for _, k := range kinds {
		all, err := k.read(&o)
		for i := range all {
			all[i].flag = k.flag
		}
		if err != nil {
			return nil, &Error{k.flag, all[len(all)-1].text, err}
		}
		s.list = append(s.list, all...)
	}
	return s, nil
}

// Flag is that of the first constraint, "" for none.
func (s *Set) Flag() string {
	if s.Empty() {
		return ""
	}
	return s.list[0].flag
}

// Groups lists the columns that the constraints compare rows by; texts that are none are
// passed over.
func (r *Rates) Groups() []string {
	var all []string
	for _, text := range r.Fair {
		if c, err := parseFair(text, "any"); err == nil {
			all = append(all, c.(*fair).column)
		}
	}
	return all
}

// Texts are the constraints as they are reported.
func (s *Set) Texts() []string {
	if s == nil {
		return nil
	}
	var all []string
	for _, c := range s.list {
		all = append(all, c.String())
	}
	return all
}

// Empty reports whether there are none.
func (s *Set) Empty() bool { return s == nil || len(s.list) == 0 }

// Fixes reports whether splits are to stay, which a tree without them breaks whatever it
// answers.
func (s *Set) Fixes() bool {
	return s != nil && slices.ContainsFunc(s.list, func(c given) bool { return c.flag == "fix" })
}

// OnlyForbids reports whether there is nothing but columns that no split may use.
func (s *Set) OnlyForbids() bool {
	return s == nil || !slices.ContainsFunc(s.list, func(c given) bool { return c.flag != "forbid" })
}

// On binds the constraints to d. The error is an *[Error] that names a constraint of a
// class, a column or a level that d has not.
func (s *Set) On(d *dataset.Dataset) (*On, error) {
	o := &On{Data: d}
	if s.Empty() {
		return o, nil
	}
	o.Columns = columnsOf(d)
	if whole(d) {
		o.step = 1
	}
	for _, c := range s.list {
		b, err := c.bind(o)
		if err != nil {
			return nil, &Error{c.flag, c.text, err}
		}
		o.list = append(o.list, b)
	}
	return o, nil
}
