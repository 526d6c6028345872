package problem

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/formulate/linear"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// DefaultDepth is the depth of trees where none is given; SearchDepth where a problem with several
// engines is then solved by the exact search.
const (
	DefaultDepth = 2
	SearchDepth  = 3
)

// Depth is a maximum depth, 1 to 16, or NoDepth; 0 is that of an option that was not given.
type Depth int

// NoDepth is that of trees whose depth has no limit, "none" in words.
const NoDepth Depth = tree.NoDepth

// UnmarshalText reads a number or "none".
func (d *Depth) UnmarshalText(text []byte) error {
	if strings.EqualFold(string(text), "none") {
		*d = NoDepth
		return nil
	}
	v, err := strconv.Atoi(string(text))
	if err != nil || v < 1 || v > exact.MaxDepth {
		return fmt.Errorf("%q; want a whole number, 1 to %d, or none", text, exact.MaxDepth)
	}
	*d = Depth(v)
	return nil
}

// String is the text that UnmarshalText reads.
func (d Depth) String() string {
	if d == NoDepth {
		return "none"
	}
	return strconv.Itoa(int(d))
}

// JSONSchema is the schema of a depth in a spec.
func (Depth) JSONSchema() map[string]any {
	return map[string]any{"anyOf": []any{
		map[string]any{"type": "integer", "minimum": 1, "maximum": exact.MaxDepth}, map[string]any{"const": "none"},
	}}
}

// Units are work units of the exact search; 0 for an option that was not given.
type Units int64

// autoUnits take the search seconds.
const autoUnits Units = 1_000_000_000

// UnmarshalText reads a number, in digits or as 1e9, or "auto".
func (u *Units) UnmarshalText(text []byte) error {
	if strings.EqualFold(string(text), "auto") {
		*u = autoUnits
		return nil
	}
	v, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !(v >= 0 && v <= 1e18 && v == float64(int64(v))) {
		return fmt.Errorf("%q; want a number of work units, such as 1e8, or auto", text)
	}
	*u = Units(v)
	return nil
}

// JSONSchema is the schema of work units in a spec.
func (Units) JSONSchema() map[string]any {
	return map[string]any{"anyOf": []any{map[string]any{"type": "integer", "minimum": 0}, map[string]any{"const": "auto"}}}
}

// Levels is the option depth.
type Levels struct {
	Depth Depth `placeholder:"N|none" own:"" group:"Model" help:"Maximum depth, or none for no limit (default: 3 with the engine search, else 2)."`
}

// Greatest is the depth asked for, DefaultDepth where none was.
func (l Levels) Greatest() int {
	if l.Depth == 0 {
		return DefaultDepth
	}
	return int(l.Depth)
}

// SetDepth sets the depth if none was asked for.
func (l *Levels) SetDepth(depth int) {
	if l.Depth == 0 {
		l.Depth = Depth(depth)
	}
}

// Leaves is the option min-leaf.
type Leaves struct {
	MinLeaf float64 `default:"1" min:"0" own:"" group:"Model" help:"Minimum leaf size (training weight of a leaf)."`
}

// Price are the options that keep trees small. Alpha is at most constraint.MostPrice, so that the price
// of a tree is finite, however many splits it has.
type Price struct {
	Alpha     float64 `default:"0" min:"0" max:"1e300" own:"" group:"Model" help:"Complexity penalty per split (oct-h: per feature in a split), in units of the baseline error (policy: of the reward)."`
	MaxSplits int     `min:"1" placeholder:"C" own:"" group:"Model" help:"Maximum number of splits (oct-h: of features over all splits; default: no limit but the depth)."`
}

// PerLeaf is the price of trees as others state it.
type PerLeaf struct {
	LeafPenalty float64 `min:"0" max:"1e300" placeholder:"L" own:"" group:"Model" help:"Penalty per leaf in units of the total weight (lambda of GOSDT), in place of --alpha: alpha = L * weight of the rows / baseline error."`
}

// price sets alpha by the penalty per leaf, if one was given.
func (l *PerLeaf) price(p *Price, ds *dataset.Dataset) {
	if l.LeafPenalty == 0 {
		return
	}
	total := 0.0
	for _, w := range ds.Weight {
		total += w
	}
	p.Alpha = min(l.LeafPenalty*total/tree.ErrorScale(ds), constraint.MostPrice)
	l.LeafPenalty = 0
}

// Shape are the options of the trees of a problem and of most algorithms. The zero
// value has depth [DefaultDepth], no least leaf and no price.
type Shape struct {
	Levels
	Price
	Leaves
}

// priced refuses trees that nothing keeps small.
func (s *Shape) priced(l *PerLeaf) error {
	if s.Depth == NoDepth && s.Alpha == 0 && l.LeafPenalty == 0 && s.MaxSplits == 0 {
		return wrong("depth", "none: the tree would grow until it fits all rows; give a price, --alpha or --leaf-penalty, or --max-splits, or a depth")
	}
	return nil
}

// Margin is the option of hyperplane splits.
type Margin struct {
	Mu float64 `min:"1e-5" max:"1" placeholder:"0.005" own:"" group:"Model" help:"Minimum margin of a hyperplane split, on scaled features."`
}

// mu is the margin asked for.
func (m Margin) mu() float64 {
	if m.Mu == 0 {
		return hyperplane.DefaultMu
	}
	return m.Mu
}

// Encoded is the option encoding of a problem.
type Encoded struct {
	Encoding string `placeholder:"NAME" own:"" group:"Model" help:"Encoding of the model; octgen methods lists them (default: the first; oct with a solver and no limit but the depth: ranges of the root threshold, docs/encodings.md)."`
}

// Reduced is the option without of a problem.
type Reduced struct {
	Without []string `placeholder:"NAME" group:"Model" help:"Switch off tightenings. oct, encoding threshold: continuous-last, thin-last, sibling-labels, group-points, label-pairs, blocks. oct-h, soct and served: label-order, one-row, centring, integral-labels; proofs by parts: rows, chunks, subsystems, clauses, cells."`
}

// among refuses an encoding that the form does not have.
func (e Encoded) among(form string, has []formulate.EncodingNeeds) error {
	var names []string
	for _, h := range has {
		names = append(names, string(h.Encoding))
	}
	if e.Encoding == "" || slices.Contains(names, e.Encoding) {
		return nil
	}
	return wrong("encoding", "is %q; %s has %s", e.Encoding, form, Listed(names))
}

// needsOf are the needs of a linear form's encodings.
func needsOf(form string) []formulate.EncodingNeeds {
	return slices.DeleteFunc(linear.Needs(), func(n formulate.EncodingNeeds) bool { return n.Form != form })
}

// onlyMIO names the option where it is in use: only a model has it.
func (e Encoded) onlyMIO() string {
	if e.Encoding != "" {
		return "encoding"
	}
	return ""
}

// Cache is the option of the exact search.
type Cache struct {
	CacheMB *int64 `name:"cache-mb" engine:"search" min:"0" max:"1073741824" placeholder:"256" group:"Native" help:"Cache of the exact search, in MB (0: no cache)."`
}

// onlySearch names the option where it is in use.
func (c Cache) onlySearch() string {
	if c.CacheMB != nil {
		return "cache-mb"
	}
	return ""
}

// Memory is Options.CacheMemory of package exact.
func (c Cache) Memory() int64 {
	switch {
	case c.CacheMB == nil:
		return 0
	case *c.CacheMB == 0:
		return -1
	}
	return *c.CacheMB << 20
}

// Pessimism is the option of error-based pruning.
type Pessimism struct {
	Confidence *float64 `above:"0" max:"1" placeholder:"0.25" group:"Native" help:"Confidence level of error-based pruning (c45; msmt with --pruning error-based or charged); 1: no pruning."`
}

// pruning is the confidence, 0 for the default, and whether there is none.
func (p Pessimism) pruning() (confidence float64, none bool) {
	switch {
	case p.Confidence == nil:
		return 0, false
	case *p.Confidence == 1:
		return 0, true
	}
	return *p.Confidence, false
}

// Restarted is the option restarts.
type Restarted struct {
	Restarts int `min:"0" placeholder:"N" group:"Native" help:"oc1: initial hyperplanes per node; local-search: number of restarts (default: as many as fit into one to four seconds of work)."`
}

// Criterion is the option of greedy growing.
type Criterion struct {
	Criterion string `placeholder:"NAME" group:"Native" help:"Split criterion. cart: gini (default), entropy or misclassification; oc1: twoing (default), gini, information-gain, max-minority, sum-minority or sum-of-impurity."`
}

// criterion is what a split minimises.
func (c Criterion) criterion() (tree.Criterion, error) {
	if c.Criterion == "" {
		return tree.Gini, nil
	}
	k, err := tree.ParseCriterion(c.Criterion)
	if err != nil {
		return k, wrong("criterion", ": %w", err)
	}
	return k, nil
}

// PruneSE is the option of pruning by standard errors.
type PruneSE struct {
	PruneSE *float64 `name:"prune-se" min:"0" placeholder:"S" group:"Native" help:"cart with --prune-folds (default 0), oc1 (default 0.5): prune to the smallest subtree within S standard errors of the best."`
}

// Part is a part of a whole, between 0 and 1; 0 is that of an option that was not
// given.
type Part float64

// UnmarshalText reads a decimal number or a fraction such as 1/3.
func (p *Part) UnmarshalText(text []byte) error {
	over, under, fraction := strings.Cut(string(text), "/")
	v, err := strconv.ParseFloat(over, 64)
	if fraction && err == nil {
		var d float64
		d, err = strconv.ParseFloat(under, 64)
		v /= d
	}
	if err != nil || !(v > 0 && v < 1) {
		return fmt.Errorf("%q; want a number between 0 and 1, such as 0.25 or 1/3", text)
	}
	*p = Part(v)
	return nil
}

// JSONSchema is the schema of a part in a spec.
func (Part) JSONSchema() map[string]any {
	return map[string]any{"type": []string{"string", "number"}, "exclusiveMinimum": 0, "exclusiveMaximum": 1}
}

// limits are those that a tree of this shape keeps.
func (s Shape) limits(complexity func(*tree.Tree) int) verify.Limits {
	return verify.Limits{Depth: s.Greatest(), MinLeaf: s.MinLeaf, MaxSplits: s.MaxSplits, Complexity: complexity}
}

// unchecked is embedded by methods whose options any data make right.
type unchecked struct{}

// Validate refuses nothing.
func (unchecked) Validate() error { return nil }

// An OptionError names an option that is out of range, or that does not go with
// another one or with the method.
type OptionError struct {
	Option string // as a flag, without dashes, such as max-splits
	Err    error  // what is wrong and what would be right; its text goes on after the option's name
}

func (e *OptionError) Error() string { return "--" + e.Option + e.Text() }

// Text is what follows the name of the option.
func (e *OptionError) Text() string {
	if text := e.Err.Error(); strings.HasPrefix(text, ":") {
		return text
	}
	return " " + e.Err.Error()
}

func (e *OptionError) Unwrap() error { return e.Err }

// wrong is an error of an option.
func wrong(option, format string, args ...any) error {
	return &OptionError{option, fmt.Errorf(format, args...)}
}

// Listed joins names: a, b and c.
func Listed(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// Validated are the options of methods that choose alpha themselves.
type Validated struct {
	Validation Part `placeholder:"1/3" group:"Tuning" help:"oct-tuned, oct-h-tuned, ort-tuned, cart-tuned: fraction of the training set used to choose alpha (default 1/3)."`
	Refit      bool `group:"Tuning" help:"oct-tuned, oct-h-tuned, ort-tuned, cart-tuned: refit to the whole training set with the chosen alpha."`
}

// hint says why the options are not there that a tuned method chooses.
func (Validated) hint(flag string) string {
	if flag == "alpha" || flag == "max-splits" {
		return "chooses alpha, and so the splits, on validation rows"
	}
	return ""
}

// univariateHint is Info.Hint of methods with univariate splits.
func univariateHint(flag string) string {
	if flag == "mu" || flag == "margin" {
		return "has univariate splits"
	}
	return ""
}
