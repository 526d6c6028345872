package dataset

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// UnknownPolicy says what becomes of a category that training did not have. The
// zero value is UnknownError.
type UnknownPolicy string

const (
	// UnknownError refuses it.
	UnknownError UnknownPolicy = "error"
	// UnknownOther encodes it as none of the categories: all features of a
	// one-hot column are 0 (so in a column of two categories it is taken for the
	// first), an ordinal one is -1.
	UnknownOther UnknownPolicy = "other"
)

// EncodeOptions says how to read a file with an encoder that was fitted before.
type EncodeOptions struct {
	Unknown        UnknownPolicy // categories that training did not have; default UnknownError
	SkipIncomplete bool          // pass over rows with a missing value that the encoder cannot fill
	KeepIncomplete bool          // ReadRows: such rows are there, without features; see Rows.Incomplete
	KeepColumns    []string      // ReadRows: columns whose texts are kept; see Rows.Kept
	Groups         []string      // Read: columns by which rows are compared, beside the encoder's
	Unweighted     bool          // Read: the weight column need not be there; without it rows weigh 1
	Delimiter      rune          // default ','
}

// Rows are records of a file as the rows of X that a tree decides on, without
// classes being needed.
type Rows struct {
	X        []float64 // (n, p) row-major
	Y        []int     // (n) class, -1 where missing or unknown to the encoder; nil if the file has no target column, or not all rewards
	Line     []int     // (n) line of the file where the row begins
	Features []string  // (p)
	Source   Source
	Weighted bool // the file has the weight column of the encoder, or there is none

	Incomplete []bool     // (n) rows with a missing value that the encoder cannot fill, whose X is 0; nil without KeepIncomplete
	Kept       [][]string // (n, KeepColumns) texts of the file, without the blanks around them; nil without KeepColumns
}

// N returns the number of rows.
func (r *Rows) N() int { return len(r.Line) }

// Row returns row i of X, shared.
func (r *Rows) Row(i int) []float64 {
	p := len(r.Features)
	return r.X[i*p : (i+1)*p : (i+1)*p]
}

// Load reads the labelled file at path ("-": standard input) with the encoder: a
// test set, or the training file again, of which it makes the same dataset that
// Load made. Columns are found by name, in any order; others are passed over.
// Incomplete rows are treated as in training: dropped, or filled.
//
// It is an error if a column of the encoder (target and weight included) is not
// there, and if a class or, by default, a category is one that training did not
// have.
func (e *Encoder) Load(path string, opts EncodeOptions) (*Dataset, error) {
	return withFile(path, func(r io.Reader) (*Dataset, error) { return e.Read(r, path, opts) })
}

// Read is Load on a reader; name is the file name of errors and of the Source.
func (e *Encoder) Read(r io.Reader, name string, opts EncodeOptions) (*Dataset, error) {
	return e.readPart(r, name, opts, nil)
}

// readPart is Read of the records that begin at the given lines, nil for all.
func (e *Encoder) readPart(r io.Reader, name string, opts EncodeOptions, only map[int]bool) (*Dataset, error) {
	a, err := e.newApplier(r, name, opts)
	if err != nil {
		return nil, err
	}
	a.t.only = only
	if err := a.labelled(); err != nil {
		return nil, err
	}
	if e.Weight != "" && a.weight < 0 && !opts.Unweighted {
		return nil, a.missingColumn("weight", e.Weight)
	}
	a.skip = e.Missing.drops() || opts.SkipIncomplete
	d := &Dataset{Features: a.features, Classes: e.Classes, Encoder: e}
	var reward []float64
	groups, err := e.groupReaders(a.t, opts.Groups)
	if err != nil {
		return nil, err
	}
	err = a.each(func(record []string) error {
		label, rewards, err := a.answer(reward, record)
		if err != nil {
			return err
		}
		weight, err := weightOf(record, a.weight, a.t)
		if err != nil {
			return err
		}
		x, ok, err := a.row(d.X, record)
		if err != nil || !ok {
			return err
		}
		y, ok := a.classes[label]
		if !ok && !e.Rewards {
			return a.t.cellError(a.target, "unknown class %q; %s", label, suggest("the classes are", label, e.Classes))
		}
		for _, g := range groups {
			if err := g.add(record, a.t); err != nil {
				return err
			}
		}
		d.X, d.Y, reward = x, append(d.Y, y), rewards
		d.Weight = append(d.Weight, weight)
		d.Line = append(d.Line, a.t.line())
		return nil
	})
	if err != nil {
		return nil, err
	}
	if d.Source, err = a.t.finish(); err != nil {
		return nil, err
	}
	if d.N() == 0 {
		return nil, a.noRows()
	}
	d.Count, d.Groups = ones(d.N()), groupsOf(groups)
	if e.Rewards {
		d.setRewards(reward)
	}
	if err := d.applyClassWeights(e.ClassWeight); err != nil {
		return nil, err
	}
	return d, d.applyCosts(e.CostMatrix)
}

// LoadRows reads the file at path ("-": standard input) for prediction: the target
// and weight columns need not be there. A row with a missing value that the
// encoder has nothing to put for is an error, passed over with SkipIncomplete, or there
// without features with KeepIncomplete; Rows.Line tells which are there.
func (e *Encoder) LoadRows(path string, opts EncodeOptions) (*Rows, error) {
	return withFile(path, func(r io.Reader) (*Rows, error) { return e.ReadRows(r, path, opts) })
}

// ReadRows is LoadRows on a reader.
func (e *Encoder) ReadRows(r io.Reader, name string, opts EncodeOptions) (*Rows, error) {
	a, err := e.newApplier(r, name, opts)
	if err != nil {
		return nil, err
	}
	a.skip = opts.SkipIncomplete
	kept, err := a.t.indices(opts.KeepColumns)
	if err != nil {
		return nil, err
	}
	rows := &Rows{Features: a.features, Weighted: e.Weight == "" || a.weight >= 0}
	err = a.each(func(record []string) error {
		incomplete := opts.KeepIncomplete && !a.skip && !a.completable(record)
		if incomplete {
			rows.X = append(rows.X, make([]float64, len(a.features))...)
		} else {
			x, ok, err := a.row(rows.X, record)
			if err != nil || !ok {
				return err
			}
			rows.X = x
		}
		if opts.KeepIncomplete {
			rows.Incomplete = append(rows.Incomplete, incomplete)
		}
		if len(kept) > 0 {
			rows.Kept = append(rows.Kept, textsOf(record, kept))
		}
		rows.Line = append(rows.Line, a.t.line())
		if e.Rewards && a.labelled() == nil {
			y := 0 // whatever it is, the rewards are there
			if _, _, err := a.answer(nil, record); err != nil {
				y = -1
			}
			rows.Y = append(rows.Y, y)
		}
		if a.target >= 0 {
			y, known := a.classes[strings.TrimSpace(record[a.target])]
			if !known {
				y = -1
			}
			rows.Y = append(rows.Y, y)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if rows.Source, err = a.t.finish(); err != nil {
		return nil, err
	}
	if rows.N() == 0 {
		return nil, a.noRows()
	}
	return rows, nil
}

// textsOf are copies of the fields at the given places.
func textsOf(record []string, at []int) []string {
	texts := make([]string, len(at))
	for i, j := range at {
		texts[i] = strings.Clone(strings.TrimSpace(record[j])) // not the whole line with it
	}
	return texts
}

// applier reads a file with an encoder.
type applier struct {
	t        *records
	features []string
	columns  []appliedColumn
	classes  map[string]int
	name     string // of the target
	target   int    // index in the record; -1: not there
	actions  []string
	rewards  []int // of the actions, -1: not there; nil without rewards
	weight   int
	coder    *coder
	unknown  UnknownPolicy
	skip     bool // pass over rows that cannot be completed
}

// appliedColumn is a column of the encoder in the file at hand.
type appliedColumn struct {
	*SourceColumn
	source     int
	width      int
	categories map[string]int
	missing    int         // category of a missing field; -1: none
	date       *dateReader // nil where the column has no dates
}

// newApplier begins to read a file.
func (e *Encoder) newApplier(r io.Reader, name string, opts EncodeOptions) (*applier, error) {
	if err := e.Validate(); err != nil {
		return nil, err
	}
	if err := checkDelimiter(opts.Delimiter); err != nil {
		return nil, err
	}
	if err := opts.Unknown.check(); err != nil {
		return nil, err
	}
	alone := make([]string, len(e.Columns)) // the class need not be there
	for i := range e.Columns {
		alone[i] = e.Columns[i].Name
	}
	t, err := newRecords(r, name, layout{opts.Delimiter, e.NoHeader, alone}, e.notation())
	if err != nil {
		return nil, err
	}
	return e.applierOf(t, opts.Unknown)
}

func (p UnknownPolicy) check() error {
	switch p {
	case "", UnknownError, UnknownOther:
		return nil
	}
	return fmt.Errorf("unknown categories %q; want error or other", string(p))
}

// applierOf finds the encoder's columns among those of the records.
func (e *Encoder) applierOf(t *records, unknown UnknownPolicy) (*applier, error) {
	a := &applier{
		t: t, features: e.Features(), classes: indexOf(e.Classes),
		name: e.Target, target: t.index(e.Target), weight: -1, unknown: unknown, coder: newCoder(e.Codes, t.notation),
	}
	if e.Rewards {
		a.target, a.actions = -1, e.Classes
		for _, name := range e.Classes {
			a.rewards = append(a.rewards, t.index(name))
		}
	}
	if e.Weight != "" {
		a.weight = t.index(e.Weight)
	}
	for i := range e.Columns {
		c := &e.Columns[i]
		source := t.index(c.Name)
		if source < 0 {
			return nil, a.missingColumn("feature", c.Name)
		}
		a.columns = append(a.columns, newAppliedColumn(c, source, t.notation))
	}
	return a, nil
}

func newAppliedColumn(c *SourceColumn, source int, n *notation) appliedColumn {
	col := appliedColumn{SourceColumn: c, source: source, width: c.width(), missing: -1}
	if c.Date != nil {
		col.date, _ = c.Date.reader() // which Validate has tried
	}
	if c.Kind == Numeric {
		return col
	}
	col.categories = indexOf(c.Categories)
	if c.ImputeCategory != nil {
		col.missing = col.categories[*c.ImputeCategory]
	} else if k, ok := col.categories[missingCategory]; ok && n.isMissing(missingCategory) {
		col.missing = k
	}
	return col
}

func indexOf(names []string) map[string]int {
	index := make(map[string]int, len(names))
	for i, name := range names {
		index[name] = i
	}
	return index
}

// labelled is an error unless the file has the column of the class, or those of all
// rewards.
func (a *applier) labelled() error {
	for k, column := range a.rewards {
		if column < 0 {
			return a.missingColumn("reward", a.actions[k])
		}
	}
	if a.target < 0 && a.rewards == nil {
		return a.missingColumn("target", a.name)
	}
	return nil
}

// answer returns the class of a record that must have one, or reward with its rewards.
func (a *applier) answer(reward []float64, record []string) (label string, rewards []float64, err error) {
	if a.rewards != nil {
		rewards, err = rewardsOf(reward, record, a.rewards, a.t)
		return "", rewards, err
	}
	label, err = labelOf(record, a.target, a.t)
	return label, nil, err
}

// each calls do with every record.
func (a *applier) each(do func(record []string) error) error {
	for {
		record, err := a.t.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := do(record); err != nil {
			return err
		}
	}
}

// row appends the features of the record to x; false says that the row is to be
// passed over.
func (a *applier) row(x []float64, record []string) ([]float64, bool, error) {
	if a.skip && !a.completable(record) {
		return x, false, nil
	}
	for i := range a.columns {
		c := &a.columns[i]
		at := len(x)
		for range c.width {
			x = append(x, 0)
		}
		if err := a.cell(c, x[at:], record); err != nil {
			return x, false, err
		}
	}
	return x, true, nil
}

// completable reports whether the encoder has something for each missing field.
func (a *applier) completable(record []string) bool {
	for i := range a.columns {
		c := &a.columns[i]
		if !c.fillsMissing() && a.t.notation.isMissing(a.coder.field(strings.TrimSpace(record[c.source]))) {
			return false
		}
	}
	return true
}

func (c *appliedColumn) fillsMissing() bool {
	if c.Kind == Numeric {
		return c.Impute != nil
	}
	return c.missing >= 0
}

// cell writes the features of the record's field in column c into dst.
func (a *applier) cell(c *appliedColumn, dst []float64, record []string) error {
	s := a.coder.field(strings.TrimSpace(record[c.source]))
	if a.t.notation.isMissing(s) {
		switch {
		case !c.fillsMissing() && (c.Kind == Numeric || a.unknown != UnknownOther):
			return a.t.cellError(c.source, "the value is missing, and the training data had no missing values here to learn from")
		case c.Kind == Numeric:
			c.putMissing(dst)
		default:
			c.putCategory(dst, c.missing)
		}
		return nil
	}
	if c.date != nil {
		seconds, ok := c.date.seconds(s)
		if !ok {
			return a.t.cellError(c.source, "%q is no date of the form %s, as the column's values were in training", s, c.date.format)
		}
		dst[0] = c.date.days(seconds)
		return nil
	}
	if c.Kind == Numeric {
		v, kind := a.t.notation.classify(s)
		if kind != number {
			return a.t.cellError(c.source, "%q is not a finite number of size at most %g, as the column's values were in training", s, MaxAbs)
		}
		dst[0] = v
		return nil
	}
	category, ok := c.categories[s]
	if !ok {
		if a.unknown != UnknownOther {
			return a.t.cellError(c.source, "unknown category %q; %s (--unknown other takes it as none of them)",
				s, suggest("training had", s, c.Categories))
		}
		category = -1
	}
	c.putCategory(dst, category)
	return nil
}

func (a *applier) missingColumn(what, name string) *Error {
	return a.t.errorf("no column %q, which is a %s column of the training data; %s",
		name, what, suggest("the columns are", name, a.t.header))
}

func (a *applier) noRows() *Error {
	if a.t.rows == 0 {
		return a.t.errorf("no data lines: the file holds a header only")
	}
	return a.t.errorf("%s a missing value that training gives no value for", allRows(a.t.rows))
}

// EncodeRecord returns the features (p) of one record: texts by the names of the source
// columns, as a file would have them, numbers and dates included. Target and weight need
// not be there, other columns are passed over. unknown says what becomes of a category
// that training did not have; "" refuses it.
//
// It is an *[Error], which names the column, if a column of the encoder is not there, if
// a text is no number where training had numbers, or if a value is missing that the
// encoder has nothing to put for. The record is read only. Each call lays the encoder
// out again: of many records, [Encoder.ReadRows] makes less work.
func (e *Encoder) EncodeRecord(record map[string]string, unknown UnknownPolicy) ([]float64, error) {
	if err := e.Validate(); err != nil {
		return nil, err
	}
	if err := unknown.check(); err != nil {
		return nil, err
	}
	if len(record) == 0 {
		return nil, &Error{Msg: "the record is empty"}
	}
	names := slices.Sorted(maps.Keys(record))
	a, err := e.applierOf(&records{header: names, notation: e.notation()}, unknown)
	if err != nil {
		return nil, err
	}
	fields := make([]string, len(names))
	for i, name := range names {
		fields[i] = record[name]
	}
	x, _, err := a.row(make([]float64, 0, len(a.features)), fields)
	if err != nil {
		return nil, err
	}
	return x, nil
}
