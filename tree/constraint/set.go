package constraint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// Options are the constraints as flags and keys of specs have them. The zero value has
// none.
type Options struct {
	Recall      []string   `json:"recall,omitempty"`    // CLASS>=r
	Precision   []string   `json:"precision,omitempty"` // CLASS>=r
	Share       []string   `json:"share,omitempty"`     // CLASS<=s
	Fair        []string   `json:"fair,omitempty"`      // METRIC:COLUMN[@A,B]<=d
	Positive    string     `json:"positive,omitempty"`  // class whose rates Fair compares
	LeafPurity  float64    `json:"leaf_purity,omitempty"`
	MaxFeatures int        `json:"max_features,omitempty"` // 0 for no limit
	FeatureCost []string   `json:"feature_cost,omitempty"` // COLUMN=c,...
	Forbid      []string   `json:"forbid,omitempty"`       // COLUMN,...
	Fix         string     `json:"fix,omitempty"`          // name of the file that FixTree was read of
	FixTree     *tree.Tree `json:"fix_tree,omitempty"`     // nil for none
	Monotone    []string   `json:"monotone,omitempty"`     // COLUMN=+1,...
	ClassOrder  []string   `json:"class_order,omitempty"`  // CLASS,...
}

// Set is any number of constraints, all to be kept at once. Its zero value, and nil, have
// none.
type Set struct{ list []constraint }

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
	for _, kind := range []struct {
		flag  string
		texts []string
		parse func(string) (constraint, error)
	}{
		{"recall", o.Recall, parseRecall},
		{"precision", o.Precision, parsePrecision},
		{"share", o.Share, parseShare},
		{"fair", o.Fair, func(text string) (constraint, error) { return parseFair(text, o.Positive) }},
	} {
		for _, text := range kind.texts {
			c, err := kind.parse(text)
			if err != nil {
				return nil, &Error{kind.flag, text, err}
			}
			s.list = append(s.list, c)
		}
	}
	if o.LeafPurity != 0 {
		s.list = append(s.list, &purity{o.LeafPurity})
	}
	if o.MaxFeatures != 0 {
		s.list = append(s.list, &maxFeatures{o.MaxFeatures})
	}
	for _, kind := range []struct {
		flag  string
		texts []string
		parse func([]string) (constraint, error)
	}{
		{"feature-cost", o.FeatureCost, parseFeatureCost},
		{"forbid", o.Forbid, parseForbid},
		{"monotone", o.Monotone, func(texts []string) (constraint, error) { return parseMonotone(texts, o.ClassOrder) }},
	} {
		if len(kind.texts) == 0 {
			continue
		}
		c, err := kind.parse(kind.texts)
		if err != nil {
			return nil, &Error{kind.flag, strings.Join(kind.texts, ","), err}
		}
		s.list = append(s.list, c)
	}
	if o.FixTree != nil {
		s.list = append(s.list, &fix{o.Fix, o.FixTree})
	}
	return s, nil
}

// Groups lists the columns that the constraints of the options compare rows by; texts
// that are none are passed over.
func (o *Options) Groups() []string {
	var all []string
	for _, text := range o.Fair {
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
	return s != nil && slices.ContainsFunc(s.list, func(c constraint) bool { _, is := c.(*fix); return is })
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
			flag, rest, _ := strings.Cut(c.String(), ":")
			if _, ok := c.(*fair); ok {
				flag, rest = "fair", c.String()
			}
			if at := strings.IndexAny(flag, "<>"); at >= 0 {
				flag, rest = flag[:at], flag[at+2:]
			}
			return nil, &Error{flag, rest, err}
		}
		o.list = append(o.list, b)
	}
	return o, nil
}
