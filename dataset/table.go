package dataset

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// table is a training file in memory, before the kinds of its columns are known.
type table struct {
	header  []string
	roles   roles
	target  string
	weights string
	columns []*column
	labels  *dictionary
	coder   *coder
	codes   map[string]float64
	dates   []*dateReader // per column, nil unless it holds dates

	leftOut []*column // for what they hold

	identifiers []string // columns of numbers that are none

	autoDates bool // read columns that look like dates as dates
	notation  *notation
	naValues  []string

	dropUnlabelled bool
	unlabelled     unlabelled

	// Per row:
	values     []float64 // (rows, columns) numbers; NaN where missing, 0 for texts
	label      []int32   // code in labels; 0 with rewards and numbers
	numbers    []float64 // to be predicted, of a table in memory; else nil, and labels has their texts
	reward     []float64 // (rows, actions); nil without rewards
	weight     []float64 // 1 without a weight column
	line       []int
	incomplete []bool // a feature is missing
}

func newTable(t *records, r roles, opts *LoadOptions) *table {
	raw := &table{header: t.header, roles: r, weights: opts.Weight, labels: newDictionary(), notation: t.notation, dropUnlabelled: opts.DropUnlabelled}
	if r.target >= 0 {
		raw.target = t.header[r.target]
	}
	raw.columns = make([]*column, 0, len(r.columns))
	for _, i := range r.columns {
		c := newColumn(t.header[i], i)
		c.forced, c.kept = opts.forced(c.name), slices.Contains(opts.KeepColumns, c.name)
		raw.columns = append(raw.columns, c)
	}
	return raw
}

// read reads all records of t.
func (raw *table) read(t *records) error {
	for {
		record, err := t.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if err := raw.add(record, t); err != nil {
			return err
		}
		if t.rows == sampleRows {
			raw.grow(t.expected() - t.rows)
		}
	}
	if t.rows == 0 {
		return t.errorf("no data lines: the file has only a header")
	}
	if raw.dropUnlabelled {
		if len(raw.label) == 0 {
			return t.errorf("%s no class", allRows(t.rows))
		}
		return nil
	}
	return raw.unlabelled.err()
}

// unlabelled are the rows without a class.
type unlabelled struct {
	rows  int
	lines []int  // of the first ones
	first *Error // that the first one alone would be
}

// mostLines is the number of lines that an error lists.
const mostLines = 5

// add adds the last record of t, whose class is in a column.
func (u *unlabelled) add(t *records, column int, label string) {
	if u.rows++; u.rows <= mostLines {
		u.lines = append(u.lines, t.line())
	}
	if u.first != nil {
		return
	}
	if u.first = t.cellError(column, "the class is missing"); label != "" {
		u.first.Msg += fmt.Sprintf(" (%q is in --na-values)", label)
	}
}

// err is the error of such rows, nil without any.
func (u *unlabelled) err() error {
	if u.rows == 0 {
		return nil
	}
	list := strings.Trim(fmt.Sprint(u.lines), "[]")
	list = strings.ReplaceAll(list, " ", ", ")
	switch {
	case u.rows > len(u.lines):
		list = "lines " + list + ", ..."
	case u.rows > 1:
		list = "lines " + list
	default:
		list = "line " + list
	}
	e := *u.first
	e.Msg += fmt.Sprintf(" in %s (%s); --drop-unlabelled leaves out such rows", plural(u.rows, "row"), list)
	return &e
}

// sampleRows is the number of rows from which the number of all rows is estimated.
const sampleRows = 1 << 12

// grow makes room for more rows, so that the slices need not be copied as they grow.
func (raw *table) grow(rows int) {
	if rows <= 0 {
		return
	}
	raw.values = slices.Grow(raw.values, rows*len(raw.columns))
	if raw.roles.rewards != nil {
		raw.reward = slices.Grow(raw.reward, rows*len(raw.roles.rewards))
	}
	raw.label = slices.Grow(raw.label, rows)
	raw.weight = slices.Grow(raw.weight, rows)
	raw.line = slices.Grow(raw.line, rows)
	raw.incomplete = slices.Grow(raw.incomplete, rows)
}

func (raw *table) add(record []string, t *records) error {
	code, unlabelled, err := raw.answer(record, t)
	if err != nil || unlabelled {
		return err
	}
	weight, err := weightOf(record, raw.roles.weight, t)
	if err != nil {
		return err
	}
	incomplete := false
	for _, c := range raw.columns {
		v, kind, err := c.add(raw.coder.field(strings.TrimSpace(record[c.source])), len(raw.label), t)
		if err != nil {
			return err
		}
		if kind == missing {
			incomplete = true
			v = math.NaN()
		}
		raw.values = append(raw.values, v)
	}
	for _, g := range raw.roles.groups {
		if err := g.add(record, t); err != nil {
			return err
		}
	}
	raw.label = append(raw.label, code)
	raw.weight = append(raw.weight, weight)
	raw.line = append(raw.line, t.line())
	raw.incomplete = append(raw.incomplete, incomplete)
	return nil
}

// rewardsOf appends the rewards of a record to dst.
func rewardsOf(dst []float64, record []string, columns []int, t *records) ([]float64, error) {
	for _, column := range columns {
		s := strings.TrimSpace(record[column])
		v, kind := t.notation.classify(s)
		switch kind {
		case number:
		case missing:
			text := ""
			if s != "" {
				text = fmt.Sprintf(": %q is in --na-values", s)
			}
			return dst, t.cellError(column, "the reward is missing%s; every action needs a reward in every row: remove such rows from the file, or estimate the reward", text)
		default:
			return dst, t.cellError(column, "the reward %q is not a finite number of size at most %g", s, MaxAbs)
		}
		dst = append(dst, v)
	}
	return dst, nil
}

// answer reads the class of a record, or its rewards, and returns the code of the class, or that there is
// none.
func (raw *table) answer(record []string, t *records) (code int32, unlabelled bool, err error) {
	if raw.roles.rewards != nil {
		raw.reward, err = rewardsOf(raw.reward, record, raw.roles.rewards, t)
		return 0, false, err
	}
	label := strings.TrimSpace(record[raw.roles.target])
	if t.notation.isMissing(label) {
		raw.unlabelled.add(t, raw.roles.target, label)
		return 0, true, nil
	}
	code, isNew := raw.labels.add(label)
	if isNew && !utf8.ValidString(label) {
		return 0, false, t.cellError(raw.roles.target, "%q %s", label, notUTF8)
	}
	return code, false, nil
}

// labelOf returns the class of a record; a missing class is an error.
func labelOf(record []string, target int, t *records) (string, error) {
	label := strings.TrimSpace(record[target])
	if t.notation.isMissing(label) {
		if label != "" {
			return "", t.cellError(target, "the class is missing: %q is in --na-values; remove such rows from the file", label)
		}
		return "", t.cellError(target, "the class is missing; remove such rows from the file")
	}
	return label, nil
}

// weightOf returns the weight of a record, 1 without a weight column.
func weightOf(record []string, column int, t *records) (float64, error) {
	if column < 0 {
		return 1, nil
	}
	s := strings.TrimSpace(record[column])
	w, kind := t.notation.classify(s)
	if kind == number && w > MaxAbs && !math.IsInf(w, 1) {
		return 0, t.cellError(column, "the weight %q is too large; weights may add up to %g", s, MaxAbs)
	}
	if kind != number || !isWeight(w) {
		return 0, t.cellError(column, "the weight %q is not a positive finite number", s)
	}
	return w, nil
}

// leaveOut removes the columns that say nothing of other rows: identifiers and free text.
func (raw *table) leaveOut(file string, numeric []bool) ([]bool, error) {
	keep := make([]int, 0, len(raw.columns))
	for j, c := range raw.columns {
		if c.without == "" {
			keep = append(keep, j)
		} else {
			raw.leftOut = append(raw.leftOut, c)
		}
	}
	p, q := len(raw.columns), len(keep)
	switch {
	case q == p:
		return numeric, nil
	case q == 0:
		c := raw.leftOut[0]
		return nil, &Error{File: file, Name: c.name, Msg: fmt.Sprintf("no feature column remains: all have too many texts to tell about other rows, such as this one (%s);"+
			" keep some of them (--keep-columns %q)", c.without, c.name)}
	}
	for i := range raw.label {
		raw.incomplete[i] = false
		for k, j := range keep {
			v := raw.values[i*p+j]
			raw.values[i*q+k] = v
			raw.incomplete[i] = raw.incomplete[i] || math.IsNaN(v)
		}
	}
	raw.values = raw.values[:len(raw.label)*q]
	for k, j := range keep {
		raw.columns[k], raw.dates[k], numeric[k] = raw.columns[j], raw.dates[j], numeric[j]
	}
	raw.columns, raw.dates = raw.columns[:q], raw.dates[:q]
	return numeric[:q], nil
}

// parseCodes parses LoadOptions.Codes: "text=number,...".
func parseCodes(spec string) (map[string]float64, error) {
	if spec == "" {
		return nil, nil
	}
	codes := make(map[string]float64)
	for item := range strings.SplitSeq(spec, ",") {
		eq := strings.LastIndexByte(item, '=') // a text may contain one
		if eq < 0 {
			return nil, fmt.Errorf("code %q: want a list such as \"y=1,n=-1,?=0\"", item)
		}
		name, value := strings.TrimSpace(item[:eq]), strings.TrimSpace(item[eq+1:])
		if name == "" {
			name = missingCategory
		}
		v, kind := plain.classify(value)
		if kind != number {
			return nil, fmt.Errorf("code %q: %q is not a finite number of size at most %g", item, value, MaxAbs)
		}
		if _, twice := codes[name]; twice {
			return nil, fmt.Errorf("code: the value %q is given twice", name)
		}
		codes[name] = v
	}
	return codes, nil
}

// coder replaces fields by their numeric codes.
type coder struct {
	texts    map[string]string // by field; "?" for all missing fields
	used     map[string]bool
	notation *notation
}

func newCoder(codes map[string]float64, n *notation) *coder {
	if len(codes) == 0 {
		return nil
	}
	c := &coder{texts: make(map[string]string, len(codes)), used: make(map[string]bool), notation: n}
	for name, v := range codes {
		c.texts[name] = n.format(v)
	}
	return c
}

// field returns the code of a trimmed feature field as text, or the field itself.
func (c *coder) field(s string) string {
	if c == nil {
		return s
	}
	name := s
	text, ok := c.texts[name]
	if !ok && c.notation.isMissing(s) {
		name = missingCategory
		text, ok = c.texts[name]
	}
	if !ok {
		return s
	}
	c.used[name] = true
	return text
}

// unused returns an error for the first code that no field uses, since it is usually a
// typing error.
func (c *coder) unused(file string) error {
	if c == nil {
		return nil
	}
	var names []string
	for name := range c.texts {
		if !c.used[name] {
			names = append(names, name)
		}
	}
	if names == nil {
		return nil
	}
	slices.Sort(names)
	return &Error{File: file, Msg: fmt.Sprintf("no feature field holds %q, which has a code", names[0])}
}
