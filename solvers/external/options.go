package external

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/octgen/octgen/solvers"
)

// option is a field of solvers.Options in an optimizer's words.
type option struct {
	name  string              // as it is passed; in parentheses what the user may leave out
	field string              // of solvers.Options
	value func(j *job) string // "" to leave it to the optimizer; nil if it is passed otherwise
}

// Values of options.

// absGap is the absolute gap in the units of the file's objective.
func (j *job) absGap() float64 { return math.Abs(j.mp.FileObjective(j.opt.AbsGap)) }

func relGap(j *job) string { return format(j.opt.RelGap) }
func absGap(j *job) string { return format(j.absGap()) }

// seed is the seed within the optimizer's range.
func seed(least, most int) func(*job) string {
	return func(j *job) string { return strconv.Itoa(min(max(j.opt.Seed, least), most)) }
}

func threads(j *job) string { return positive(int64(j.opt.Threads)) }

// nodeLimit is the node limit, at most what the optimizer takes.
func nodeLimit(most int64) func(*job) string {
	return func(j *job) string { return positive(min(j.opt.NodeLimit, most)) }
}

func iterLimit(j *job) string { return positive(j.opt.IterLimit) }

func timeLimit(j *job) string {
	if own := j.own(); own > 0 {
		return seconds(own)
	}
	return ""
}

func wholeTimeLimit(j *job) string {
	if own := j.own(); own > 0 {
		return wholeSeconds(own)
	}
	return ""
}

func positive(v int64) string {
	if v > 0 {
		return strconv.FormatInt(v, 10)
	}
	return ""
}

// mostInt32 is the limit of optimizers that count in 32 bits.
const mostInt32 = math.MaxInt32

// settings passes the options to set, then the raw ones in the order of their names.
func (j *job) settings(set func(name, value string)) {
	for _, o := range j.options {
		if o.value == nil {
			continue
		}
		name, _, _ := strings.Cut(o.name, "(")
		if value := o.value(j); value != "" {
			set(name, value)
		}
	}
	for _, name := range j.rawNames() {
		set(name, j.opt.Raw[name])
	}
}

// reserved says why a raw option is refused: it is a field of solvers.Options, or the adapter
// relies on it; "" if it is not.
func (p *program) reserved(name string) string {
	name = strings.ToLower(name)
	for _, o := range p.options {
		if named(o.name, name) {
			return "use the option " + o.field
		}
	}
	if slices.ContainsFunc(strings.Fields(p.relied), func(pattern string) bool { return named(pattern, name) }) {
		return "the adapter relies on it"
	}
	return ""
}

// named reports whether a name is that of the pattern, in which what stands in parentheses may
// be left out from the end.
func named(pattern, name string) bool {
	short, rest, _ := strings.Cut(strings.ToLower(strings.TrimSuffix(pattern, ")")), "(")
	return strings.HasPrefix(name, short) && strings.HasPrefix(short+rest, name)
}

// checkRaw refuses raw options that are not of their form, so that no text of
// the user's is anything but an option.
func (j *job) checkRaw() error {
	for _, name := range j.rawNames() {
		value := j.opt.Raw[name]
		reason := j.reserved(name)
		switch {
		case !j.rawOK().MatchString(name):
			reason = j.title + " has no option of this name"
		case reason != "":
		case !rawValue().MatchString(value):
			reason = fmt.Sprintf("the value %q is no number or word", value)
		default:
			continue
		}
		return &solvers.OptionError{Solver: j.name, Option: name, Reason: reason}
	}
	return nil
}

// rawNames are the names of the raw options, sorted.
func (j *job) rawNames() []string {
	names := make([]string, 0, len(j.opt.Raw))
	for name := range j.opt.Raw {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
