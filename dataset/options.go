package dataset

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// LoadOptions says how to read a training file. The zero value takes the last
// column as the class, drops rows with missing values and encodes categorical
// columns one-hot.
//
// A column is numeric when all its values are decimal numbers ("5", ".28",
// "-1e-3"), and categorical when none is. Where numbers and texts are mixed the
// column is categorical only if it looks like a list of categories: at most 20
// different numbers, and either fewer numbers than texts, or at least a tenth of
// the values texts of which each occurs more than once. Any other mixture is an
// error that names the first value that is not a number, because one-hot
// encoding a column of measurements for the sake of a typing error would change
// the problem without a word. The same goes for NaN, infinity, and the usual
// spellings of a missing value (NA, null, none, -, ...) beside numbers.
// CategoricalColumns overrides all of this. Codes come first: a field that has one
// holds its number.
//
// Columns named in Dates hold dates, each column in one of the DateFormats, which is
// found or, as "COLUMN=FORMAT", named; "auto" is all columns of texts that are dates. A
// date becomes the days since the first one of the column.
//
// The weight of a row is its value in the weight column times the factor of its
// class. "balanced" gives class k the factor W / (K W_k), by the weight column,
// so that every class weighs W/K; classes not named in a list have the factor 1.
//
// With a cost matrix a row costs, where a class is answered, what the matrix has for its
// class and that answer, times the row's weight. In a list, right answers that are not
// named cost 0, all others 1. A file is a table: its header has the predicted classes, its
// first column the true ones.
type LoadOptions struct {
	Target             string        `json:"target,omitempty"`              // class column; default the last
	Rewards            []string      `json:"rewards,omitempty"`             // columns of the rewards of actions, two or more, in place of a class; default none
	Weight             string        `json:"weight,omitempty"`              // column of row weights, positive and finite; default none
	ClassWeight        string        `json:"class_weight,omitempty"`        // "balanced" or "class=weight,..."; default none
	CostMatrix         string        `json:"cost_matrix,omitempty"`         // "true:predicted=cost,..." or a CSV file; default none
	Missing            MissingPolicy `json:"missing,omitempty"`             // default DropMissing
	Categorical        ColumnKind    `json:"categorical,omitempty"`         // OneHot (default) or Ordinal: how categorical columns are encoded
	CategoricalColumns []string      `json:"categorical_columns,omitempty"` // columns that are categorical whatever they hold
	Ignore             []string      `json:"ignore,omitempty"`              // columns that are left out, such as identifiers
	Codes              string        `json:"codes,omitempty"`               // "text=number,...": numbers that stand for texts of feature fields, "?" for missing ones; default none
	NAValues           []string      `json:"na_values,omitempty"`           // texts of missing fields, beside the empty one; nil: DefaultNAValues
	Decimal            string        `json:"decimal,omitempty"`             // decimal mark of numbers: "." (default) or ","
	Dates              []string      `json:"dates,omitempty"`               // columns of dates, as "COLUMN" or "COLUMN=FORMAT", or "auto"; default none
	Groups             []string      `json:"groups,omitempty"`              // columns by which rows are compared, left out of the features
	GroupFeatures      []string      `json:"group_features,omitempty"`      // columns by which rows are compared that are features, too
	NoHeader           bool          `json:"no_header,omitempty"`           // the first line holds data; the columns are named c1, c2 and so on
	Delimiter          rune          `json:"-"`                             // default a tab in files named .tsv or .tab, packed or not, else ','
}

func (o *LoadOptions) check() error {
	if err := o.Missing.check(); err != nil {
		return err
	}
	switch o.Categorical {
	case "", OneHot, Ordinal:
	default:
		return fmt.Errorf("categorical encoding %q; want onehot or ordinal", string(o.Categorical))
	}
	if err := checkDecimal(o.Decimal); err != nil {
		return err
	}
	if err := o.checkRewards(); err != nil {
		return err
	}
	return checkDelimiter(o.Delimiter)
}

// checkRewards refuses what does not go with rewards.
func (o *LoadOptions) checkRewards() error {
	switch {
	case len(o.Rewards) == 0:
		return nil
	case o.Target != "":
		return fmt.Errorf("the target %q beside rewards: rows have rewards of actions in place of a class, and if %[1]q is no feature it is to be left out (--ignore)", o.Target)
	case o.CostMatrix != "":
		return fmt.Errorf("costs %q beside rewards: there are no classes; what answers are worth is in the rewards", o.CostMatrix)
	case o.ClassWeight != "":
		return fmt.Errorf("class weights %q beside rewards: there are no classes; weights of rows are in a column (--weight)", o.ClassWeight)
	}
	if len(o.Groups)+len(o.GroupFeatures) > 0 {
		return fmt.Errorf("groups beside rewards: groups are compared by rates of classes; a column that is to be no feature is left out (--ignore)")
	}
	if name, ok := firstRepeated(o.Rewards); ok {
		return fmt.Errorf("the column %q is named twice as a reward", name)
	}
	if len(o.Rewards) == 1 {
		return fmt.Errorf("one column of rewards, %q: there is nothing to choose; name those of two actions or more", o.Rewards[0])
	}
	return nil
}

// naValues are the texts of missing fields by the options, sorted, the empty one
// included, and what missing fields are called where the options name them so: as a
// category, or by a code.
func (o *LoadOptions) naValues(codes map[string]float64) []string {
	texts := DefaultNAValues()
	if o.NAValues != nil {
		texts = []string{""}
		for _, s := range o.NAValues {
			texts = append(texts, strings.TrimSpace(s))
		}
		if _, coded := codes[missingCategory]; coded || o.Missing == MissingCategory {
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

// roles says what each column of a training file is for.
type roles struct {
	target  int   // -1: there are rewards
	rewards []int // of the actions; nil: there is a target
	weight  int   // -1: none
	columns []int // of the features
	groups  []*groupReader
}

// assign finds the columns that the options name in the header of t.
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
			return r, t.errorf("the column %q is named as categorical and as a group, which is no feature; --group-as-feature makes it one", name)
		case hidden[i]:
		case i == r.target || i == r.weight || slices.Contains(r.rewards, i):
		case !ignored[i]:
			r.columns = append(r.columns, i)
		case forced[i]:
			return r, t.errorf("the column %q is named as categorical and as ignored", name)
		}
	}
	if len(r.columns) == 0 && r.rewards != nil {
		return r, t.errorf("no feature columns are left beside the rewards and the weight")
	}
	if len(r.columns) == 0 {
		return r, t.errorf("no feature columns are left beside the target and the weight")
	}
	return r, nil
}

// mark returns which columns the list names.
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

// find returns the index of a column that an option names.
func (t *records) find(what, name string) (int, error) {
	if i := t.index(name); i >= 0 {
		return i, nil
	}
	hint := suggest("the columns are", name, t.header)
	if strings.HasPrefix(name, `"`) { // half of a quoted name, as CSV files have it
		hint += `; a comma within a name of a list takes a backslash, \,`
	}
	return -1, t.errorf("no column %q, named as %s; %s", name, what, hint)
}

func (o *LoadOptions) forced(name string) bool { return slices.Contains(o.CategoricalColumns, name) }

// maxGroups is the number of different numbers beyond which a column holds measurements
// and no groups; texts are bounded by maxCategories.
const maxGroups = 20

// groupReader gathers the levels of a group column while a file is read.
type groupReader struct {
	name   string
	source int // index in the record; -1: the file has no such column, all rows are of no group
	texts  *dictionary
	codes  []int32 // per row, -1 for missing
	fixed  bool    // levels that are not in texts are none
}

// add takes the field of the record.
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

// checkLevels refuses a column that holds no groups: measurements, or identifiers.
func (g *groupReader) checkLevels(t *records) error {
	numbers := 0
	for _, name := range g.texts.names {
		if _, kind := t.notation.classify(name); kind == number {
			numbers++
		}
	}
	if numbers > maxGroups {
		return &Error{File: t.file, Name: g.name, Msg: fmt.Sprintf("named as a group, but it has more than %d different numbers;"+
			" write a column of ranges such as <25, 25-45, >45 beside it, and name that one", maxGroups)}
	}
	if len(g.texts.names) > maxCategories {
		return &Error{File: t.file, Name: g.name, Msg: fmt.Sprintf("named as a group, but more than %d different texts look like an identifier", maxCategories)}
	}
	return nil
}

// group is what was read, by the levels that some row has.
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

// groupReaders are those of the columns of t that the options name, and which columns
// of t are no features for that.
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

// groupReaders are those of the encoder's groups, and of further columns, which learn
// their levels of the file.
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

// groupsOf are the groups of readers.
func groupsOf(readers []*groupReader) []Group {
	var all []Group
	for _, g := range readers {
		all = append(all, g.group())
	}
	return all
}
