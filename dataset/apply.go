package dataset

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// UnknownPolicy selects how to treat a category that the training data lack. The zero
// value is UnknownError.
type UnknownPolicy string

const (
	// UnknownError reports an error.
	UnknownError UnknownPolicy = "error"
	// UnknownOther encodes it as no category: every feature of a one-hot column is 0 (so
	// a column of two categories reads it as the first), and an ordinal feature is -1.
	UnknownOther UnknownPolicy = "other"
)

// EncodeOptions controls how a fitted encoder reads a file.
type EncodeOptions struct {
	Unknown        UnknownPolicy // treatment of categories that training lacks; default UnknownError
	SkipIncomplete bool          // skip rows with a missing value that the encoder cannot fill
	KeepIncomplete bool          // ReadRows: keep such rows, without features; see Rows.Incomplete
	KeepColumns    []string      // ReadRows: columns whose texts to keep; see Rows.Kept
	KeepAll        bool          // ReadRows: keep all columns, after KeepColumns
	Groups         []string      // Read: group columns, in addition to the encoder's
	Unweighted     bool          // Read: the weight column is optional; without it, every row has weight 1
	Delimiter      rune          // default ','
	Sheet          string        // of a workbook; default: that of training
}

// Rows holds the records of a file as encoded rows for prediction. Classes are optional.
type Rows struct {
	X        []float64 // (n, p) row-major
	Y        []int     // (n) class, -1 if missing or unknown to the encoder; nil if the file lacks the target column or a reward column
	Target   []float64 // (n) number, of trees that predict numbers, 0 where Y is -1; nil like Y
	Line     []int     // (n) line of the file where the row begins
	Features []string  // (p)
	Source   Source
	Weighted bool // the file has the encoder's weight column, or the encoder has no weight column

	Incomplete []bool     // (n) rows with a missing value that the encoder cannot fill; their X is 0; nil without KeepIncomplete
	KeptNames  []string   // the columns that are kept
	Kept       [][]string // (n, KeptNames) texts of the file, trimmed; nil without such columns
}

// N returns the number of rows.
func (r *Rows) N() int { return len(r.Line) }

// Row returns row i of X, shared.
func (r *Rows) Row(i int) []float64 {
	p := len(r.Features)
	return r.X[i*p : (i+1)*p : (i+1)*p]
}

// Load encodes the labelled file at path ("-": standard input): a test set, or the
// training file again, for which it returns the same dataset as the original Load. It
// finds columns by name, in any order, and ignores other columns. It treats incomplete
// rows as in training: it drops or fills them.
//
// Load returns an error if a column of the encoder (target and weight included) is
// missing, if a class is unknown, or, by default, if a category is unknown.
func (e *Encoder) Load(path string, opts EncodeOptions) (*Dataset, error) {
	return withFile(path, func(r io.Reader) (*Dataset, error) { return e.Read(r, path, opts) })
}

// Read is like Load but reads from r; name is the file name in errors and in Source.
func (e *Encoder) Read(r io.Reader, name string, opts EncodeOptions) (*Dataset, error) {
	return e.readPart(r, name, opts, nil)
}

// readPart is Read, restricted to the records that begin at the given lines; nil means
// all.
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
		if e.Unlabelled && a.rewards == nil && a.t.notation.isMissing(strings.TrimSpace(record[a.target])) {
			return nil
		}
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
		if e.Regression {
			v, kind := a.t.notation.classify(label)
			if kind != number {
				return a.t.cellError(a.target, "%q is no number", label)
			}
			d.Target, d.Quantile, label = append(d.Target, v), e.Quantile, e.Classes[0]
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

// LoadRows reads the file at path ("-": standard input) for prediction: the target and
// weight columns are optional. A row with a missing value that the encoder cannot fill is
// an error. SkipIncomplete skips such rows; KeepIncomplete keeps them without features.
// Rows.Line lists the rows that were read.
func (e *Encoder) LoadRows(path string, opts EncodeOptions) (*Rows, error) {
	return withFile(path, func(r io.Reader) (*Rows, error) { return e.ReadRows(r, path, opts) })
}

// ReadRows is like LoadRows but reads from r.
func (e *Encoder) ReadRows(r io.Reader, name string, opts EncodeOptions) (*Rows, error) {
	a, err := e.newApplier(r, name, opts)
	if err != nil {
		return nil, err
	}
	a.skip = opts.SkipIncomplete
	names := slices.Clone(opts.KeepColumns)
	if opts.KeepAll {
		names = append(names, slices.DeleteFunc(slices.Clone(a.t.header), func(s string) bool { return slices.Contains(names, s) })...)
	}
	kept, err := a.t.indices(names)
	if err != nil {
		return nil, err
	}
	rows := &Rows{Features: a.features, KeptNames: names, Weighted: e.Weight == "" || a.weight >= 0}
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
			y := 0 // a placeholder: only the presence of the rewards matters
			if _, _, err := a.answer(nil, record); err != nil {
				y = -1
			}
			rows.Y = append(rows.Y, y)
		}
		if a.target >= 0 {
			label := strings.TrimSpace(record[a.target])
			y, known := a.classes[label]
			if e.Regression {
				v, kind := a.t.notation.classify(label)
				y, known = 0, kind == number
				rows.Target = append(rows.Target, v)
			}
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

// textsOf returns copies of the fields at the given indices.
func textsOf(record []string, at []int) []string {
	texts := make([]string, len(at))
	for i, j := range at {
		texts[i] = strings.Clone(strings.TrimSpace(record[j])) // do not retain the whole line
	}
	return texts
}

// applier reads a file with an encoder.
type applier struct {
	t        *records
	features []string
	columns  []appliedColumn
	classes  map[string]int
	name     string // name of the target
	target   int    // index in the record; -1: missing
	actions  []string
	rewards  []int // index of each action's reward in the record, -1: missing; nil without rewards
	weight   int
	coder    *coder
	unknown  UnknownPolicy
	skip     bool // skip rows that cannot be completed
}

// appliedColumn locates a column of the encoder in the current file.
type appliedColumn struct {
	*SourceColumn
	source     int
	width      int
	categories map[string]int
	missing    int         // category of a missing field; -1: no such category
	date       *dateReader // nil unless the column holds dates
}

// newApplier starts reading a file.
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
	alone := make([]string, len(e.Columns)) // the class column is optional
	for i := range e.Columns {
		alone[i] = e.Columns[i].Name
	}
	numbered := slices.ContainsFunc(e.Columns, func(c SourceColumn) bool { return isDecimal(c.Name) })
	t, err := newRecords(r, name, layout{sheet: cmp.Or(opts.Sheet, e.Sheet), delimiter: opts.Delimiter, noHeader: e.NoHeader, sure: numbered, alone: alone}, e.notation())
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

// applierOf locates the encoder's columns among the columns of t.
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
		col.date, _ = c.Date.reader() // Validate has checked it
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

// labelled returns an error unless the file has the target column, or all reward columns.
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

// answer returns the class of a record, or appends its rewards to reward; a record
// without them is an error.
func (a *applier) answer(reward []float64, record []string) (label string, rewards []float64, err error) {
	if a.rewards != nil {
		rewards, err = rewardsOf(reward, record, a.rewards, a.t)
		return "", rewards, err
	}
	label, err = labelOf(record, a.target, a.t)
	return label, nil, err
}

// each calls do for every record.
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

// row appends the features of the record to x; it returns false if the row is to be
// skipped.
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

// completable reports whether the encoder can fill every missing field.
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

// cell encodes the record's field in column c into dst.
func (a *applier) cell(c *appliedColumn, dst []float64, record []string) error {
	s := a.coder.field(strings.TrimSpace(record[c.source]))
	if a.t.notation.isMissing(s) {
		switch {
		case !c.fillsMissing() && (c.Kind == Numeric || a.unknown != UnknownOther):
			return a.t.cellError(c.source, "the value is missing, but the training data had no missing values in this column")
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
			return a.t.cellError(c.source, "%q is not a date of the form %s, the column's format in training", s, c.date.format)
		}
		c.putNumber(dst, c.date.days(seconds))
		return nil
	}
	if c.Written != nil {
		v, ok := c.Written.value(s)
		if !ok {
			return a.t.cellError(c.source, "%q is not a number written as the column's were in training: %s", s, c.Written)
		}
		c.putNumber(dst, v)
		return nil
	}
	if c.Kind == Numeric {
		v, kind := a.t.notation.classify(s)
		if kind != number {
			return a.t.cellError(c.source, "%q is not a finite number of size at most %g, as the column's values were in training", s, MaxAbs)
		}
		c.putNumber(dst, v)
		return nil
	}
	category, ok := c.categories[s]
	if !ok {
		if a.unknown != UnknownOther {
			return a.t.cellError(c.source, "unknown category %q; %s (--unknown other encodes it as no category)",
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
		return a.t.errorf("no data lines: the file has only a header")
	}
	return a.t.errorf("%s a missing value that the encoder cannot fill", allRows(a.t.rows))
}

// EncodeRecord returns the features (p) of one record. The record maps the names of
// source columns to texts, written as in a file, numbers and dates included. Target and
// weight are optional; other columns are ignored. unknown selects how to treat a category
// that training lacks; "" reports an error.
//
// The error is an *[Error] that names the column if a column of the encoder is missing,
// if a text is not a number in a numeric column, or if the encoder cannot fill a missing
// value. EncodeRecord does not modify the record. Each call prepares the encoder again:
// for many records, [Encoder.ReadRows] is faster.
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
