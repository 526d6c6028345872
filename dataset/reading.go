package dataset

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Reading says what was read of a training file.
type Reading struct {
	Rows     int             `json:"rows_read"`         // data rows of the file
	Dropped  int             `json:"rows_dropped"`      // of them, left out since a value is missing
	Columns  []ReadColumn    `json:"columns"`           // of the file, in its order
	Classes  []ClassRows     `json:"class_counts"`      // of the rows that are kept
	Actions  []ActionRewards `json:"actions,omitempty"` // of rows with rewards in place of classes
	Warnings []string        `json:"warnings"`          // what looks wrong, each with what mends it
}

// ReadColumn is what became of a column of the file.
type ReadColumn struct {
	Name       string   `json:"name"`
	Kind       ReadKind `json:"kind"`
	Format     string   `json:"format,omitempty"`     // of dates
	First      string   `json:"first,omitempty"`      // of dates, day 0: YYYY-MM-DD
	Categories int      `json:"categories,omitempty"` // of categories, how many
	Missing    int      `json:"missing,omitempty"`    // of features, fields without a value
}

// ReadKind says what a column was read as.
type ReadKind string

// What columns are read as.
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

// ClassRows is a class and how many rows have it.
type ClassRows struct {
	Class string `json:"class"`
	Rows  int    `json:"rows"`
}

// reading describes what became of the table, of which d was made.
func (raw *table) reading(d *Dataset) *Reading {
	r := &Reading{Rows: d.Source.Rows, Dropped: d.Source.Rows - d.N(), Columns: make([]ReadColumn, len(raw.header))}
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
	for i, g := range raw.roles.groups { // which a feature may be, too
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
	if r.Warnings = raw.columnWarnings(d); d.Kind() == Rewards {
		r.Classes, r.Actions = []ClassRows{}, d.actionRewards()
		r.Warnings = append(r.Warnings, rewardWarnings(d)...)
		return r
	}
	for k, rows := range d.ClassCounts() {
		r.Classes = append(r.Classes, ClassRows{d.Classes[k], int(rows)})
	}
	r.Warnings = append(r.Warnings, classWarnings(d)...)
	return r
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

// read is what a feature column was read as, by what was learned of it.
func (c *column) read(learned *SourceColumn) ReadColumn {
	r := ReadColumn{Name: c.name, Kind: ReadNumber, Missing: c.count[missing]}
	switch {
	case learned.Date != nil:
		r.Kind, r.Format, r.First = ReadDate, learned.Date.Format, learned.Date.First
	case learned.Kind != Numeric:
		r.Kind, r.Categories = ReadCategory, len(learned.Categories)
	}
	return r
}

const (
	manyCategories = 20 // beyond which categories are too many to be told apart by a small tree
	manyClasses    = 20 // beyond which numbers are no classes
	fewRows        = 20 // below which a column says little about what it is
	shortText      = 3  // bytes of a code such as that of a country
)

// columnWarnings are the features that look like something else than what they were
// read as, each with the flag that mends it.
func (raw *table) columnWarnings(d *Dataset) []string {
	warnings := []string{}
	var constant []string
	for j, c := range raw.columns {
		learned := &d.Encoder.Columns[j]
		switch {
		case learned.Kind == Numeric && learned.Date == nil && raw.numbersRows(j, d):
			warnings = append(warnings, fmt.Sprintf("the column %q looks like an identifier, a number of its own in each row;"+
				" leave it out (--ignore %[1]q)", c.name))
		case learned.Kind != Numeric && !c.forced:
			warnings = append(warnings, c.textWarnings(len(learned.Categories), d.N(), raw.notation)...)
		}
		if raw.isConstant(j, learned, d.N()) {
			constant = append(constant, c.name)
		}
	}
	switch {
	case d.N() == 1:
		warnings = append(warnings, "there is one row: a tree of it says nothing of others")
	case len(constant) == 1:
		warnings = append(warnings, fmt.Sprintf("the column %q has one value in all rows: no tree splits on it", constant[0]))
	case len(constant) > 1:
		warnings = append(warnings, "columns with one value in all rows, on which no tree splits: "+listNames(constant))
	}
	return warnings
}

// isConstant reports whether column j has one value in all of the n rows.
func (raw *table) isConstant(j int, learned *SourceColumn, n int) bool {
	if learned.Kind != Numeric {
		return len(learned.Categories) == 1
	}
	p := len(raw.columns)
	for i := range n {
		if raw.values[i*p+j] != raw.values[j] { // nor is NaN
			return false
		}
	}
	return true
}

// numbersRows reports whether the numbers of column j count the rows of the file, or
// are whole, different and named as identifiers are.
func (raw *table) numbersRows(j int, d *Dataset) bool {
	n, p := d.N(), len(raw.columns)
	if n < fewRows {
		return false
	}
	value := func(i int) float64 { return raw.values[i*p+j] }
	for i := range n {
		if v := value(i); v != math.Trunc(v) { // nor is NaN
			return false
		}
		if i > 0 && value(i) <= value(i-1) {
			return namesRows(raw.columns[j].name) && raw.allDifferent(j, n)
		}
	}
	return namesRows(raw.columns[j].name) || value(n-1)-value(0) < float64(d.Source.Rows)
}

// allDifferent reports whether the n numbers of column j are whole and different.
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

// namesRows reports whether a column of that name is an identifier more often than not.
func namesRows(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune(" _-.:", r) })
	return len(words) > 0 && slices.Contains([]string{"id", "index", "idx", "rowid", "rownum", "uuid", "key", "nr"}, words[len(words)-1])
}

// textWarnings are the warnings about a column of so many categories in n rows.
func (c *column) textWarnings(categories, n int, w *notation) []string {
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
	case categories > manyCategories:
		warn("has %d categories, each of them a feature; leave it out (--ignore %q), or number them in their order (--categorical ordinal)", categories, c.name)
	}
	if c.missingWord != "" && each(func(s string) bool { return len(s) <= shortText }) {
		warn("has %q among other short texts, which was read as a missing value; if it is none, name those that are (--na-values \"?\")", c.missingWord)
	}
	return all
}

func categoryCount(categories int) string {
	if categories == 1 {
		return "1 category"
	}
	return fmt.Sprintf("%d categories", categories)
}

// classWarnings are what makes the class look like something else.
func classWarnings(d *Dataset) []string {
	n, k := d.N(), d.K()
	numbers := !slices.ContainsFunc(d.Classes, func(s string) bool { return !isDecimal(s) && !isDecimalComma(s) })
	target := d.Encoder.Target
	if a, b := sameButForCase(d.Classes); a != "" {
		return []string{fmt.Sprintf("the classes %q and %q differ in upper and lower case only; write them alike if they are one", a, b)}
	}
	switch {
	case k == 1:
		return []string{fmt.Sprintf("all rows are of the class %q, so that there is nothing to learn; name the class with --target if it is not %q", d.Classes[0], target)}
	case numbers && k > manyClasses:
		return []string{fmt.Sprintf("%q, with %d different numbers, looks like a regression target; name the class with --target", target, k)}
	case k > manyClasses && 2*k > n:
		return []string{fmt.Sprintf("%q, with %d different texts in %d rows, looks like an identifier; name the class with --target", target, k, n)}
	}
	return nil
}

// rewardWarnings are what makes rewards look like something else.
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

// sameButForCase returns the first two names that differ in upper and lower case only,
// "" for none.
func sameButForCase(names []string) (a, b string) {
	seen := make(map[string]string, len(names))
	for _, name := range names {
		low := strings.ToLower(name)
		if other, ok := seen[low]; ok {
			return other, name
		}
		seen[low] = name
	}
	return "", ""
}
