package dataset

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Reading summarizes how a training file was read.
type Reading struct {
	Rows       int             `json:"rows_read"`                 // data rows of the file
	Dropped    int             `json:"rows_dropped"`              // rows dropped because of a missing value, or without a class
	Unlabelled int             `json:"rows_unlabelled,omitempty"` // those without a class
	Columns    []ReadColumn    `json:"columns"`                   // columns of the file, in order
	Classes    []ClassRows     `json:"class_counts"`              // kept rows of each class
	Actions    []ActionRewards `json:"actions,omitempty"`         // rewards of each action, instead of classes
	Numbers    *NumberSummary  `json:"numbers,omitempty"`         // to be predicted, instead of classes
	Recognised []string        `json:"recognised,omitempty"`      // of the file's form, without an option for it
	Warnings   []string        `json:"warnings"`                  // suspicious properties, each with a remedy

	Identifiers []string `json:"identifiers,omitempty"` // columns of numbers that are pointed out as such
}

// ReadColumn describes how a column of the file was read.
type ReadColumn struct {
	Name       string   `json:"name"`
	Kind       ReadKind `json:"kind"`
	Format     string   `json:"format,omitempty"`     // dates: the format; numbers: how they are written, if not as plain decimals
	First      string   `json:"first,omitempty"`      // dates: day 0, YYYY-MM-DD
	Categories int      `json:"categories,omitempty"` // categories: how many
	Reason     string   `json:"reason,omitempty"`     // why the column is left out, if no option says so
	Missing    int      `json:"missing,omitempty"`    // features and groups: number of missing fields
}

// ReadKind is the role of a column.
type ReadKind string

// Roles of columns.
const (
	ReadNumber   ReadKind = "number"
	ReadDate     ReadKind = "date"
	ReadCategory ReadKind = "category"
	ReadClass    ReadKind = "class"
	ReadReward   ReadKind = "reward"
	ReadWeight   ReadKind = "weight"
	ReadGroup    ReadKind = "group"
	ReadIgnored  ReadKind = "ignored"
)

// ClassRows is a class and its number of rows.
type ClassRows struct {
	Class string `json:"class"`
	Rows  int    `json:"rows"`
}

// reading describes how the table was read and encoded as d.
func (raw *table) reading(d *Dataset) *Reading {
	r := &Reading{Rows: d.Source.Rows, Dropped: d.Source.Rows - d.N(), Unlabelled: raw.unlabelled.rows, Columns: make([]ReadColumn, len(raw.header))}
	for i, name := range raw.header {
		r.Columns[i] = ReadColumn{Name: name, Kind: ReadIgnored}
	}
	if raw.roles.target >= 0 {
		r.Columns[raw.roles.target].Kind = ReadClass
	}
	for _, i := range raw.roles.rewards {
		r.Columns[i].Kind = ReadReward
	}
	if raw.roles.weight >= 0 {
		r.Columns[raw.roles.weight].Kind = ReadWeight
	}
	for i, g := range raw.roles.groups { // before the features: a feature that is also a group is reported as a feature
		missing := 0
		for _, of := range d.Groups[i].Of {
			if of < 0 {
				missing++
			}
		}
		r.Columns[g.source] = ReadColumn{Name: g.name, Kind: ReadGroup, Categories: len(d.Groups[i].Levels), Missing: missing}
	}
	for j, c := range raw.columns {
		r.Columns[c.source] = c.read(&d.Encoder.Columns[j])
	}
	for _, c := range raw.leftOut {
		r.Columns[c.source].Reason, r.Columns[c.source].Missing = c.without, c.count[missing]
	}
	r.Warnings = raw.columnWarnings(d)
	if r.Identifiers = raw.identifiers; d.Kind() == Rewards {
		r.Classes, r.Actions = []ClassRows{}, d.actionRewards()
		r.Warnings = append(r.Warnings, rewardWarnings(d)...)
		return r
	}
	if d.Kind() == Numbers {
		r.Classes, r.Numbers = []ClassRows{}, d.numberSummary()
		return r
	}
	for k, rows := range d.ClassCounts() {
		r.Classes = append(r.Classes, ClassRows{d.Classes[k], int(rows)})
	}
	r.Warnings = append(r.Warnings, classWarnings(d)...)
	return r
}

// NumberSummary describes the numbers to be predicted.
type NumberSummary struct {
	Least float64 `json:"least"`
	Most  float64 `json:"greatest"`
	Mean  float64 `json:"mean"` // weighted
}

func (d *Dataset) numberSummary() *NumberSummary {
	return &NumberSummary{Least: slices.Min(d.Target), Most: slices.Max(d.Target), Mean: d.Mean()}
}

// ActionRewards describes the reward of taking one action in all rows.
type ActionRewards struct {
	Action string  `json:"action"`
	Mean   float64 `json:"mean_reward"` // weighted mean
	Best   int     `json:"best_rows"`   // rows where the action has the maximum reward, the first of equal ones
}

// actionRewards summarizes the rewards of d by action.
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

// read describes how a feature column was read, given its encoding.
func (c *column) read(learned *SourceColumn) ReadColumn {
	r := ReadColumn{Name: c.name, Kind: ReadNumber, Missing: c.count[missing]}
	switch {
	case learned.Written != nil:
		r.Format = learned.Written.String()
	case learned.Date != nil:
		r.Kind, r.Format, r.First = ReadDate, learned.Date.Format, learned.Date.First
	case learned.Kind != Numeric:
		r.Kind, r.Categories = ReadCategory, len(learned.Categories)
	}
	return r
}

const (
	manyCategories = 20 // more categories are too many for a small tree
	manyClasses    = 20 // more distinct numbers are unlikely to be classes
	fewRows        = 20 // fewer rows say little about a column
	shortText      = 3  // bytes of a code such as a country code
)

// columnWarnings returns warnings about features that were probably misread, each with
// the flag that corrects it.
func (raw *table) columnWarnings(d *Dataset) []string {
	warnings := []string{}
	var constant []string
	for j, c := range raw.columns {
		learned, before := &d.Encoder.Columns[j], len(warnings)
		if c.kept {
			continue
		}
		switch {
		case learned.Kind == Numeric && learned.Date == nil && raw.numbersRows(j, d):
			raw.identifiers = append(raw.identifiers, c.name)
			warnings = append(warnings, fmt.Sprintf("the column %q looks like an identifier: every row has a different number;"+
				" leave it out (--ignore %[1]q), or keep it without this warning (--keep-columns %[1]q)", c.name))
		case learned.Kind != Numeric && !c.forced:
			warnings = append(warnings, c.textWarnings(len(learned.Categories), learned.Kind, d.N(), raw.notation)...)
		}
		if raw.isConstant(j, learned, d.N()) {
			constant = append(constant, c.name)
		}
		if len(warnings) == before && raw.tellsClass(j, d) { // a column that was misread says nothing yet
			warnings = append(warnings, fmt.Sprintf("the column %q gives the class away: each of its values goes with one class;"+
				" leave it out if it is not known before the class (--ignore %[1]q)", c.name))
		}
		if learned.Kind == Numeric && learned.Date == nil {
			if code, rows, low, high := raw.codeForMissing(j, d.N()); rows > 0 {
				warnings = append(warnings, fmt.Sprintf("the column %q is %v in %d rows, far from its other values (%v to %v);"+
					" if that stands for a missing value, name it (--na-values=%[2]v)", c.name, code, rows, low, high))
			}
		}
	}
	if same := raw.sameColumns(d, constant); same != "" {
		warnings = append(warnings, same)
	}
	switch {
	case d.N() == 1:
		warnings = append(warnings, "there is only one row: a tree cannot generalize from it")
	case len(constant) == 1:
		warnings = append(warnings, fmt.Sprintf("the column %q is constant: no tree splits on it", constant[0]))
	case len(constant) > 1:
		warnings = append(warnings, "constant columns, on which no tree splits: "+listNames(constant))
	}
	return warnings
}

// isConstant reports whether column j has the same value in all n rows.
func (raw *table) isConstant(j int, learned *SourceColumn, n int) bool {
	if learned.Kind != Numeric {
		return len(learned.Categories) == 1
	}
	p := len(raw.columns)
	for i := range n {
		if raw.values[i*p+j] != raw.values[j] { // NaN differs from itself
			return false
		}
	}
	return true
}

// numbersRows reports whether column j looks like an identifier. It counts the rows of
// the file, or its name is that of an identifier and its values are distinct whole
// numbers.
func (raw *table) numbersRows(j int, d *Dataset) bool {
	n, p := d.N(), len(raw.columns)
	if n < fewRows {
		return false
	}
	value := func(i int) float64 { return raw.values[i*p+j] }
	for i := range n {
		if v := value(i); v != math.Trunc(v) { // true for NaN
			return false
		}
		if i > 0 && value(i) <= value(i-1) {
			return namesRows(raw.columns[j].name) && raw.allDifferent(j, n)
		}
	}
	return namesRows(raw.columns[j].name) || value(n-1)-value(0) < float64(d.Source.Rows)
}

// allDifferent reports whether the n numbers of column j are whole and distinct.
func (raw *table) allDifferent(j, n int) bool {
	seen, p := make(map[float64]bool, n), len(raw.columns)
	for i := range n {
		v := raw.values[i*p+j]
		if v != math.Trunc(v) || seen[v] {
			return false
		}
		seen[v] = true
	}
	return true
}

// namesRows reports whether a column of that name usually is an identifier.
func namesRows(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune(" _-.:", r) })
	return len(words) > 0 && slices.Contains([]string{"id", "index", "idx", "rowid", "rownum", "uuid", "key", "nr"}, words[len(words)-1])
}

// textWarnings returns warnings about a column with the given number of categories in n
// rows.
func (c *column) textWarnings(categories int, kind ColumnKind, n int, w *notation) []string {
	var all []string
	warn := func(format string, args ...any) {
		all = append(all, fmt.Sprintf("the column %q ", c.name)+fmt.Sprintf(format, args...))
	}
	each := func(is func(string) bool) bool {
		return !slices.ContainsFunc(c.texts.names, func(s string) bool { return !is(s) })
	}
	dates, _ := dateFormatOf(c.texts.names)
	what, mend := c.writtenAs(w)
	switch {
	case dates != nil:
		warn("looks like dates of the form %s and was read as %s; read them as days (--dates %q)", dates.format, categoryCount(categories), c.name)
	case what != "":
		warn("looks like %s and was read as %s; %s", what, categoryCount(categories), mend)
	case c.count[number] > 0 && c.firstText != nil:
		warn("has numbers and texts such as %q, and was read as %s; if these stand for missing values, name them (--na-values %q)",
			c.firstText.value, categoryCount(categories), naList(c.firstText.value))
	case categories > manyCategories && 2*categories > n:
		warn("looks like an identifier: %d different texts in %d rows; leave it out (--ignore %q)", categories, n, c.name)
	case categories > manyCategories && kind != Subsets:
		warn("has %d categories, each of which becomes a feature; leave it out (--ignore %q), or use ordinal encoding (--categorical ordinal)", categories, c.name)
	}
	if a, b := sameButForCase(c.texts.names); a != "" {
		warn("has the categories %q and %q, which differ only in case or blanks; spell them alike if they are the same", a, b)
	}
	if c.missingWord != "" && each(func(s string) bool { return len(s) <= shortText }) {
		warn("has %q among other short texts, which was read as a missing value; if it is not one, list the texts that are (--na-values \"?\")", c.missingWord)
	}
	return all
}

func categoryCount(categories int) string {
	if categories == 1 {
		return "1 category"
	}
	return fmt.Sprintf("%d categories", categories)
}

// classWarnings returns warnings about a class column that was probably misread.
func classWarnings(d *Dataset) []string {
	n, k := d.N(), d.K()
	target := d.Encoder.Target
	if a, b := sameButForCase(d.Classes); a != "" {
		return []string{fmt.Sprintf("the classes %q and %q differ only in case or blanks; spell them alike if they are the same class", a, b)}
	}
	switch {
	case k == 1:
		return []string{fmt.Sprintf("all rows have the class %q, so there is nothing to learn; name the class column with --target if it is not %q", d.Classes[0], target)}
	case k > manyClasses && 2*k > n:
		return []string{fmt.Sprintf("%q, with %d different texts in %d rows, looks like an identifier; name the class column with --target", target, k, n)}
	}
	return nil
}

// rewardWarnings returns warnings about reward columns that were probably misread.
func rewardWarnings(d *Dataset) []string {
	var all []string
	for k, name := range d.Classes {
		one := true
		for i := range d.N() {
			one = one && d.RewardsOf(i)[k] == d.RewardsOf(0)[k]
		}
		if one && d.N() > 1 && d.RewardsOf(0)[k] != 0 { // 0 is the reward of doing nothing
			all = append(all, fmt.Sprintf("the reward %q is %v in all rows", name, d.RewardsOf(0)[k]))
		}
	}
	return all
}

// sameButForCase returns the first two names that differ in case or blanks only, or "".
func sameButForCase(names []string) (a, b string) {
	seen := make(map[string]string, len(names))
	for _, name := range names {
		low := strings.ToLower(strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == '_' || r == '-' }), " "))
		if other, ok := seen[low]; ok {
			return other, name
		}
		seen[low] = name
	}
	return "", ""
}
