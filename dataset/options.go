package dataset

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// LoadOptions controls how a training file is read. The zero value uses the last column
// as the class, drops rows with missing values, and one-hot encodes categorical columns.
//
// A column is numeric if all its values are decimal numbers ("5", ".28", "-1e-3"), and
// categorical if none is. A column that mixes numbers and texts is categorical only if it
// looks like a list of categories. It then has at most 20 distinct numbers, and either
// fewer numbers than texts, or texts in at least a tenth of the values, each of which
// occurs more than once. Any other mixture is an error that names the first value that is
// not a number: one-hot encoding a column of measurements because of a typing error would
// silently change the problem. The same holds for NaN, infinity, and the common texts for
// a missing value (NA, null, none, -, ...) in a column with numbers. CategoricalColumns
// overrides these rules. Codes apply first: a field with a code is a number.
//
// Text columns whose values are dates are dates, unless Dates contains "none"; columns listed in Dates must be. Each
// column has one of the DateFormats, which is inferred or given as "COLUMN=FORMAT"; if two fit and give different dates,
// that is an error. A date becomes the days since the first date of its column.
//
// Numbers may have signs between thousands, a percent sign (12% is 12), a currency, or be in parentheses if negative, if
// all values of the column are written alike. What could be two numbers, 1,234 with a decimal point or a decimal
// comma, is an error unless another value or Decimal tells.
//
// The weight of a row is its value in the weight column times the factor of its class.
// "balanced" gives class k the factor W / (K W_k), computed from the weight column, so
// that every class has total weight W/K. Classes missing from a list have factor 1.
//
// With a cost matrix, the cost of a prediction is the matrix entry for the true and the
// predicted class, times the row's weight. In a list, pairs that are not listed cost 0 if
// correct and 1 otherwise. In a file, the header holds the predicted classes and the
// first column the true classes.
type LoadOptions struct {
	Target             string        `json:"target,omitempty"`              // class column; default: the last
	Rewards            []string      `json:"rewards,omitempty"`             // reward columns, one per action, at least two, instead of a class; default none
	Weight             string        `json:"weight,omitempty"`              // column of row weights, positive and finite; default none
	ClassWeight        string        `json:"class_weight,omitempty"`        // "balanced" or "class=weight,..."; default none
	CostMatrix         string        `json:"cost_matrix,omitempty"`         // "true:predicted=cost,..." or a CSV file; default none
	Missing            MissingPolicy `json:"missing,omitempty"`             // default DropMissing
	Categorical        ColumnKind    `json:"categorical,omitempty"`         // encoding of categorical columns: OneHot (default), Ordinal or Subsets
	CategoricalColumns []string      `json:"categorical_columns,omitempty"` // columns to treat as categorical regardless of their values
	Ignore             []string      `json:"ignore,omitempty"`              // columns to ignore, such as identifiers
	Codes              string        `json:"codes,omitempty"`               // "text=number,...": numeric codes of texts in feature fields, "?" for missing ones; default none
	NAValues           []string      `json:"na_values,omitempty"`           // texts that mean missing, in addition to the empty one; nil: DefaultNAValues
	Decimal            string        `json:"decimal,omitempty"`             // decimal mark of numbers: "." (default) or ","
	Dates              []string      `json:"dates,omitempty"`               // date columns, as "COLUMN" or "COLUMN=FORMAT"; others that look like dates as well, unless "none" is listed
	Groups             []string      `json:"groups,omitempty"`              // group columns that are not features
	GroupFeatures      []string      `json:"group_features,omitempty"`      // group columns that are also features
	NoHeader           bool          `json:"no_header,omitempty"`           // the file has no header; its columns are c1, c2 and so on
	Sheet              string        `json:"sheet,omitempty"`               // of a workbook (.xlsx); default: the first one
	Header             bool          `json:"header,omitempty"`              // the first line is a header, whatever it looks like; default: recognised
	KeepColumns        []string      `json:"keep_columns,omitempty"`        // columns neither left out nor warned of
	Quantile           float64       `json:"quantile,omitempty"`            // what is predicted of numbers: 0 the mean, 0.5 the median
	Task               string        `json:"task,omitempty"`                // "classification": any numbers are classes; "regression": they are numbers to be predicted; default: up to 20 different whole numbers are classes, others numbers
	DropUnlabelled     bool          `json:"drop_unlabelled,omitempty"`     // leave out rows without a class; otherwise they are an error
	Delimiter          rune          `json:"-"`                             // default: recognised, else a tab for .tsv and .tab files, compressed or not, or ','
}

func (o *LoadOptions) check() error {
	if err := o.Missing.check(); err != nil {
		return err
	}
	switch o.Categorical {
	case "", OneHot, Ordinal, Subsets:
	default:
		return fmt.Errorf("categorical encoding %q; want onehot, ordinal or subsets", string(o.Categorical))
	}
	if err := checkDecimal(o.Decimal); err != nil {
		return err
	}
	if err := o.checkRewards(); err != nil {
		return err
	}
	if !(o.Quantile >= 0 && o.Quantile < 1) {
		return fmt.Errorf("quantile %v; want a number between 0 and 1, such as 0.5 for the median", o.Quantile)
	}
	if o.Header && o.NoHeader {
		return fmt.Errorf("a header and no header: name one of --header and --no-header")
	}
	switch o.Task {
	case "", Classification:
		if o.Quantile > 0 && o.Task == Classification {
			return errors.New("quantile: classes have none; numbers do (task regression)")
		}
	case Regression:
		switch {
		case o.Rewards != nil:
			return fmt.Errorf("task %q: rewards of actions take the place of a target", o.Task)
		case o.CostMatrix != "" || o.ClassWeight != "":
			return errNumbersHaveNoClasses
		}
	default:
		return fmt.Errorf("task %q; want %s or %s", o.Task, Classification, Regression)
	}
	return checkDelimiter(o.Delimiter)
}

// errNumbersHaveNoClasses is what options about classes are told.
var errNumbersHaveNoClasses = errors.New("the target has numbers, not classes: class weights and cost matrices are of classes (--task classification makes each number one)")

// Tasks, as LoadOptions.Task.
const (
	Classification = "classification"
	Regression     = "regression"
)

// layout is that of the file.
func (o *LoadOptions) layout() layout {
	return layout{
		sheet: o.Sheet, delimiter: o.Delimiter, noHeader: o.NoHeader, decimal: o.Decimal == "",
		sure: o.Header, headless: !o.NoHeader && !o.Header, known: slices.Concat([]string{o.Target, o.Weight}, o.Rewards, o.Ignore, o.KeepColumns, o.CategoricalColumns, o.Groups, o.GroupFeatures),
	}
}

// checkRewards rejects options that conflict with rewards.
func (o *LoadOptions) checkRewards() error {
	switch {
	case len(o.Rewards) == 0:
		return nil
	case o.Target != "":
		return fmt.Errorf("the target %q conflicts with rewards, which replace the class; if %[1]q is not a feature, leave it out (--ignore)", o.Target)
	case o.CostMatrix != "":
		return fmt.Errorf("costs %q conflicts with rewards, which already give the value of each action", o.CostMatrix)
	case o.ClassWeight != "":
		return fmt.Errorf("class weights %q conflict with rewards: there are no classes; put row weights in a column (--weight)", o.ClassWeight)
	}
	if len(o.Groups)+len(o.GroupFeatures) > 0 {
		return fmt.Errorf("groups conflict with rewards: groups are compared by rates of classes; to exclude a feature, use --ignore")
	}
	if name, ok := firstRepeated(o.Rewards); ok {
		return fmt.Errorf("the column %q is named twice as a reward", name)
	}
	if len(o.Rewards) == 1 {
		return fmt.Errorf("one column of rewards, %q: name the reward columns of at least two actions", o.Rewards[0])
	}
	return nil
}

// naValues returns the sorted texts of missing fields, including the empty one. If the
// options refer to missing fields by missingCategory (as a category or in a code), it
// includes that text.
func (o *LoadOptions) naValues(codes map[string]float64) []string {
	texts := DefaultNAValues()
	if o.NAValues != nil {
		texts = []string{""}
		for _, s := range o.NAValues {
			texts = append(texts, strings.TrimSpace(s))
		}
		if _, coded := codes[missingCategory]; coded || o.Missing == MissingCategory || o.Missing == MissingRoute {
			texts = append(texts, missingCategory)
		}
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

func checkDelimiter(r rune) error {
	if r == '"' || r == '\r' || r == '\n' || r == utf8.RuneError || !utf8.ValidRune(r) {
		return fmt.Errorf("delimiter %q; want a character other than a quote or a line end", r)
	}
	return nil
}

// roles assigns a role to each column of a training file.
type roles struct {
	target  int   // -1 with rewards
	rewards []int // reward columns; nil with a target
	weight  int   // -1: none
	columns []int // feature columns
	groups  []*groupReader
}

// assign finds the columns of the options in the header of t.
func (o *LoadOptions) assign(t *records) (roles, error) {
	r := roles{target: len(t.header) - 1, weight: -1}
	var err error
	if o.Target != "" {
		if r.target, err = t.find("target", o.Target); err != nil {
			return r, err
		}
	}
	if len(o.Rewards) > 0 {
		r.target = -1
		for _, name := range o.Rewards {
			i, err := t.find("reward", name)
			if err != nil {
				return r, err
			}
			r.rewards = append(r.rewards, i)
		}
	}
	if o.Weight != "" {
		if r.weight, err = t.find("weight", o.Weight); err != nil {
			return r, err
		}
		if slices.Contains(r.rewards, r.weight) {
			return r, t.errorf("the column %q is named as weight and as reward", o.Weight)
		}
		if r.weight == r.target {
			msg := "the column %q is named as weight, but it is the target"
			if o.Target == "" {
				msg += " (by default the last column); name the target"
			}
			return r, t.errorf(msg, o.Weight)
		}
	}
	ignored, err := o.mark(t, r, "ignored", o.Ignore)
	if err != nil {
		return r, err
	}
	if _, err := o.mark(t, r, "kept", o.KeepColumns); err != nil {
		return r, err
	}
	if t.rowNames {
		ignored[0] = true
	}
	forced, err := o.mark(t, r, "categorical", o.CategoricalColumns)
	if err != nil {
		return r, err
	}
	var hidden []bool
	if r.groups, hidden, err = o.groupReaders(t, r); err != nil {
		return r, err
	}
	for i, name := range t.header {
		switch {
		case hidden[i] && forced[i]:
			return r, t.errorf("the column %q is named as categorical and as a group, which is not a feature; use --group-as-feature to make it one", name)
		case hidden[i]:
		case i == r.target || i == r.weight || slices.Contains(r.rewards, i):
		case !ignored[i]:
			r.columns = append(r.columns, i)
		case forced[i]:
			return r, t.errorf("the column %q is named as categorical and as ignored", name)
		}
	}
	if len(r.columns) == 0 && r.rewards != nil {
		return r, t.errorf("no feature columns remain besides the rewards and the weight")
	}
	if len(r.columns) == 0 {
		return r, t.errorf("no feature columns remain besides the target and the weight")
	}
	return r, nil
}

// mark returns which columns are in the list.
func (o *LoadOptions) mark(t *records, r roles, what string, names []string) ([]bool, error) {
	marked := make([]bool, len(t.header))
	for _, name := range names {
		i, err := t.find(what, name)
		if err != nil {
			return nil, err
		}
		if i == r.target {
			return nil, t.errorf("the column %q is named as %s, but it is the target", name, what)
		}
		if slices.Contains(r.rewards, i) {
			return nil, t.errorf("the column %q is named as %s, but it is a reward", name, what)
		}
		if i == r.weight {
			return nil, t.errorf("the column %q is named as %s, but it is the weight", name, what)
		}
		marked[i] = true
	}
	return marked, nil
}

// find returns the index of a column named by an option.
func (t *records) find(what, name string) (int, error) {
	if i := t.index(name); i >= 0 {
		return i, nil
	}
	hint := suggest("the columns are", name, t.header)
	if strings.HasPrefix(name, `"`) { // half of a name that was quoted as in a CSV file
		hint += `; in a list, write a comma within a name as \,`
	}
	return -1, t.errorf("no column %q, named as %s; %s", name, what, hint)
}

func (o *LoadOptions) forced(name string) bool { return slices.Contains(o.CategoricalColumns, name) }

// maxGroups is the number of distinct numbers above which a column holds measurements
// rather than groups; the number of texts is bounded by maxCategories.
const maxGroups = 20

// groupReader collects the levels of a group column while the file is read.
type groupReader struct {
	name   string
	source int // index in the record; -1: the column is missing, and all rows belong to no group
	texts  *dictionary
	codes  []int32 // per row, -1 for missing
	fixed  bool    // the levels are those in texts; other texts have no level
}

// add reads the field of the record.
func (g *groupReader) add(record []string, t *records) error {
	code := int32(-1)
	if g.source >= 0 {
		s := strings.TrimSpace(record[g.source])
		switch {
		case t.notation.isMissing(s):
		case g.fixed:
			if known, ok := g.texts.find(s); ok {
				code = known
			}
		default:
			var isNew bool
			code, isNew = g.texts.add(s)
			if isNew && !utf8.ValidString(s) {
				return t.cellError(g.source, "%q %s", s, notUTF8)
			}
			if isNew && len(g.texts.names) > maxGroups {
				return g.checkLevels(t)
			}
		}
	}
	g.codes = append(g.codes, code)
	return nil
}

// checkLevels rejects a column of measurements or identifiers.
func (g *groupReader) checkLevels(t *records) error {
	numbers := 0
	for _, name := range g.texts.names {
		if _, kind := t.notation.classify(name); kind == number {
			numbers++
		}
	}
	if numbers > maxGroups {
		return &Error{File: t.file, Name: g.name, Msg: fmt.Sprintf("named as a group, but it has more than %d different numbers;"+
			" add a column of ranges such as <25, 25-45, >45, and name that one", maxGroups)}
	}
	if len(g.texts.names) > maxCategories {
		return &Error{File: t.file, Name: g.name, Msg: fmt.Sprintf("named as a group, but more than %d different texts look like an identifier", maxCategories)}
	}
	return nil
}

// group returns the group, with the levels that occur in the rows (or the fixed ones).
func (g *groupReader) group() Group {
	if g.fixed {
		return Group{Name: g.name, Levels: g.texts.names, Of: g.codes}
	}
	levels, recode := usedNames(g.texts.names, g.codes)
	of := make([]int32, len(g.codes))
	for i, code := range g.codes {
		of[i] = -1
		if code >= 0 {
			of[i] = recode[code]
		}
	}
	return Group{Name: g.name, Levels: levels, Of: of}
}

// groupReaders returns readers for the group columns of the options, and which columns of
// t are therefore not features.
func (o *LoadOptions) groupReaders(t *records, r roles) (readers []*groupReader, hidden []bool, err error) {
	hidden = make([]bool, len(t.header))
	for _, list := range []struct {
		flag  string
		names []string
		hides bool
	}{{"group", o.Groups, true}, {"group-as-feature", o.GroupFeatures, false}} {
		for _, name := range list.names {
			i, err := t.find("a group", name)
			if err != nil {
				return nil, nil, err
			}
			if i == r.weight {
				return nil, nil, t.errorf("the column %q is named as a group, but it is the weight", name)
			}
			if i == r.target {
				return nil, nil, t.errorf("the column %q is named as a group, but it is the target", name)
			}
			hidden[i] = list.hides
			if !slices.ContainsFunc(readers, func(g *groupReader) bool { return g.name == name }) {
				readers = append(readers, &groupReader{name: name, source: i, texts: newDictionary()})
			}
		}
	}
	return readers, hidden, nil
}

// groupReaders returns readers for the encoder's groups and for further columns, whose
// levels are learned from the file.
func (e *Encoder) groupReaders(t *records, more []string) ([]*groupReader, error) {
	var readers []*groupReader
	for _, c := range e.Groups {
		g := &groupReader{name: c.Name, source: t.index(c.Name), texts: newDictionary(), fixed: true}
		for _, level := range c.Levels {
			g.texts.add(level)
		}
		readers = append(readers, g)
	}
	for _, name := range more {
		i, err := t.find("a group", name)
		switch {
		case err != nil:
			return nil, err
		case name == e.Target:
			return nil, t.errorf("the column %q is named as a group, but it is the target", name)
		case !slices.ContainsFunc(readers, func(g *groupReader) bool { return g.name == name }):
			readers = append(readers, &groupReader{name: name, source: i, texts: newDictionary()})
		}
	}
	return readers, nil
}

// groupsOf returns the groups of the readers.
func groupsOf(readers []*groupReader) []Group {
	var all []Group
	for _, g := range readers {
		all = append(all, g.group())
	}
	return all
}
