package export

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/octgen/octgen/dataset"
)

// dateFormats refuses columns of dates whose format has names of months, which scripts
// do not read.
func (p *plan) dateFormats() error {
	for i := range p.inputs {
		if in := &p.inputs[i]; in.date != nil && strings.Contains(in.date.Format, "Mon") {
			return fmt.Errorf("does not read dates of the form %s, which the column %q holds", in.date.Format, in.name)
		}
	}
	return nil
}

// datePattern is the regular expression, of Python and of JavaScript, of dates in a
// format. Its groups are those that dateGroups lists.
func datePattern(d *dataset.Date) string {
	short := "{1,2}"
	if strings.HasPrefix(d.Format, "YYYYMMDD") {
		short = "{2}"
	}
	return strings.NewReplacer(
		"YYYY", "([0-9]{4})", "YY", "([0-9]{2})", "MM", "([0-9]"+short+")", "DD", "([0-9]"+short+")",
		"hh", "([0-9]{1,2})", "mm", "([0-9]{2})", "ss", "([0-9]{2}(?:[.,][0-9]+)?)", "Z", "(Z|[+-][0-9]{2}:[0-9]{2})",
		".", "[.]",
	).Replace(d.Format)
}

// dateGroups are the parts of a date in the order of the format: Y a year of four digits
// or two, M, D, h, m, s, and Z an offset.
func dateGroups(d *dataset.Date) string {
	return strings.NewReplacer("YYYY", "Y", "YY", "Y", "MM", "M", "DD", "D", "hh", "h", "mm", "m", "ss", "s",
		"-", "", "/", "", ".", "", ":", "", " ", "", "T", "").Replace(d.Format)
}

// firstSecond is the seconds from 1970 to the day that counts as 0.
func firstSecond(d *dataset.Date) int64 {
	first, err := time.Parse(time.DateOnly, d.First)
	if err != nil {
		panic(err) // which Validate has tried
	}
	return first.Unix()
}

// hasDates reports whether a column holds dates.
func (p *plan) hasDates() bool {
	return slices.ContainsFunc(p.inputs, func(in input) bool { return in.date != nil })
}
