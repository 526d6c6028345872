package dataset

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Examination describes every column of a file and everything that is wrong with it.
type Examination struct {
	Rows       int              `json:"rows_read"` // those with the header's number of fields
	Recognised []string         `json:"recognised,omitempty"`
	Columns    []ExaminedColumn `json:"columns"`
	Classes    []ClassRows      `json:"class_counts,omitempty"`
	Problems   []string         `json:"problems,omitempty"` // each of which would end a fit, with the line where there is one
	Warnings   []string         `json:"warnings,omitempty"` // of a fit with Flags
	Flags      []string         `json:"flags,omitempty"`    // with which the file can be read; a choice of columns where there is one
}

// ExaminedColumn is a column of a file as a fit would read it.
type ExaminedColumn struct {
	Name     string   `json:"name"`
	Kind     ReadKind `json:"kind"`
	Missing  int      `json:"missing"`
	Distinct int      `json:"distinct"`          // different values
	Least    string   `json:"least,omitempty"`   // of numbers and dates
	Most     string   `json:"most,omitempty"`    // of numbers and dates
	Example  string   `json:"example,omitempty"` // the first value
	Use      string   `json:"use"`               // what a fit makes of it
}

// mostProblems is the number of malformed lines that are listed.
const mostProblems = 10

// Examine reads a whole file, whatever is wrong in it. The error is one that leaves nothing to describe: of the
// options, or of a file that is no table. The dataset is what Read returns, nil if there are problems.
func Examine(open func() (io.ReadCloser, error), name string, opts LoadOptions) (*Examination, *Dataset, error) {
	e := &Examination{}
	raw, err := e.scan(open, name, opts)
	if err != nil {
		return nil, nil, err
	}
	flags, out := e.columns(raw, name, &opts)
	r, err := open()
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()               // read-only: closing has nothing to report
	d, err := Read(r, name, opts) // opts now are without what is wrong
	if err != nil {
		e.problem(err)
		return e, nil, nil
	}
	e.Warnings, e.Classes = d.Reading.Warnings, d.Reading.Classes
	if lost := d.Reading.Dropped - d.Reading.Unlabelled; opts.Missing.drops() && mostLost*lost > d.Reading.Rows {
		flags = append(flags, "--missing mean")
	}
	e.Flags = append(flags, ignoring(append(out, d.Reading.Identifiers...))...)
	for i := range d.Reading.Columns {
		e.Columns[i].take(&d.Reading.Columns[i], d)
	}
	if e.Problems != nil {
		d = nil
	}
	return e, d, nil
}

// take says what a fit makes of the column.
func (c *ExaminedColumn) take(r *ReadColumn, d *Dataset) {
	if c.Kind = r.Kind; c.Use != "" {
		return // what is wrong with it
	}
	switch r.Kind {
	case ReadIgnored:
		if c.Use = "left out"; r.Reason != "" {
			c.Use += ": " + r.Reason
		}
	case ReadClass:
		if c.Use = "1 class"; d.Kind() == Numbers {
			c.Use = "numbers to be predicted"
		} else if d.K() != 1 {
			c.Use = fmt.Sprintf("%d classes", d.K())
		}
	case ReadDate:
		c.Use = "days since " + r.First
	case ReadCategory, ReadNumber:
		i := slices.IndexFunc(d.Encoder.Columns, func(of SourceColumn) bool { return of.Name == c.Name })
		if i < 0 {
			break
		}
		of := d.Encoder.Columns[i]
		if c.Use = plural(of.width(), "feature"); r.Format != "" {
			c.Use += ": " + r.Format
		}
		if of.Kind == OneHot && len(of.Categories) > 2 {
			of.Kind = Subsets
			if len(of.Categories) > mostSubsets {
				of.Order = make([]int, len(of.Categories))
			}
			c.Use += fmt.Sprintf(" (subsets: %d)", of.width())
		}
	default:
		c.Use = string(r.Kind)
	}
}

func (e *Examination) problem(err error) {
	if text := err.Error(); !slices.Contains(e.Problems, text) {
		e.Problems = append(e.Problems, text)
	}
}

// scan reads all records that have the right number of fields, and lists those that have not.
func (e *Examination) scan(open func() (io.ReadCloser, error), name string, opts LoadOptions) (*table, error) {
	r, err := open()
	if err != nil {
		return nil, err
	}
	defer r.Close() // read-only: closing has nothing to report
	t, raw, err := beginTable(r, name, &opts, nil)
	if err != nil {
		return nil, err
	}
	wrong := 0
	for {
		record, err := t.next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = raw.add(record, t)
		}
		if err == nil {
			continue
		}
		if wrong++; wrong <= mostProblems {
			e.problem(err)
		}
		var at *Error
		if !errors.As(err, &at) || at.Err != nil || len(raw.values) != len(raw.label)*len(raw.columns) || len(raw.reward) != len(raw.label)*len(raw.roles.rewards) {
			break // the rest cannot be divided into records, or a part of this one was taken
		}
	}
	if wrong > mostProblems {
		e.Problems = append(e.Problems, fmt.Sprintf("... and %d more lines", wrong-mostProblems))
	}
	if err := raw.unlabelled.err(); err != nil && !opts.DropUnlabelled {
		e.problem(err)
	}
	e.Rows, e.Recognised = t.rows, t.recognised
	return raw, nil
}

// mostLost is the part of the rows, as its reciprocal, above which leaving out rows with gaps is not recommended.
const mostLost = 5

// ignoring is the flag that leaves out columns.
func ignoring(names []string) []string {
	if len(names) == 0 {
		return nil
	}
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strings.ReplaceAll(name, ",", `\,`)
	}
	return []string{"--ignore " + strconv.Quote(strings.Join(quoted, ","))}
}

// columns describes the columns, and takes those that a fit refuses out of the options; it returns the flags that do so,
// but for the columns out.
func (e *Examination) columns(raw *table, file string, opts *LoadOptions) (flags, out []string) {
	e.Columns = make([]ExaminedColumn, len(raw.header))
	for i, name := range raw.header {
		e.Columns[i] = ExaminedColumn{Name: name, Kind: ReadIgnored}
	}
	if i := raw.roles.target; i >= 0 {
		at := &e.Columns[i]
		at.Kind, at.Missing, at.Distinct = ReadClass, raw.unlabelled.rows, len(raw.labels.names)
		if at.Distinct > 0 {
			at.Example = raw.labels.names[0]
		}
	}
	if raw.roles.weight >= 0 {
		e.Columns[raw.roles.weight].Kind = ReadWeight
	}
	for _, i := range raw.roles.rewards {
		e.Columns[i].Kind = ReadReward
	}
	if opts.Missing.drops() && !slices.Contains(raw.incomplete, false) && raw.incomplete != nil {
		opts.Missing = MissingCategory
		flags = append(flags, "--missing category")
		e.Problems = append(e.Problems, allRows(len(raw.label))+" a missing value, and such rows are dropped by default")
	}
	if raw.unlabelled.rows > 0 && !opts.DropUnlabelled {
		opts.DropUnlabelled = true
		flags = append(flags, "--drop-unlabelled")
	}
	mark := raw.decimalMark()
	raw.dates = make([]*dateReader, len(raw.columns))
	for j, c := range raw.columns {
		at := &e.Columns[c.source]
		if err := raw.examine(j, c, file, mark); err != nil {
			e.problem(err)
			at.Use = "cannot be read: see below"
			out = append(out, c.name)
		}
		raw.describe(j, at)
	}
	opts.Ignore = append(slices.Clone(opts.Ignore), out...)
	return flags, out
}

// examine decides the kind of column j, and returns what is wrong with it.
func (raw *table) examine(j int, c *column, file, mark string) error {
	only := *raw
	only.columns, only.dates = []*column{c}, nil
	if c.isText() || c.dates {
		if err := only.findFormats(file); err != nil {
			return err
		}
		if raw.dates[j] = only.dates[0]; raw.dates[j] != nil {
			raw.putSeconds(j)
			return nil
		}
	}
	numeric, err := c.isNumeric(file, mark, raw.notation)
	if err != nil {
		return err
	}
	if numeric && c.written != nil {
		c.amounts.put(raw, j, c.written)
	}
	return nil
}

// describe fills in what the values of column j tell.
func (raw *table) describe(j int, at *ExaminedColumn) {
	c, p := raw.columns[j], len(raw.columns)
	at.Missing, at.Kind = c.count[missing], ReadCategory
	if date := raw.dates[j]; date == nil && c.texts != nil && c.count[text] > 0 {
		if at.Distinct = len(c.texts.names); at.Distinct > 0 {
			at.Example = c.texts.names[0]
		}
		return
	}
	at.Kind = ReadNumber
	distinct, least, most, first := map[float64]struct{}{}, math.Inf(1), math.Inf(-1), true
	write := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	if raw.dates[j] != nil {
		at.Kind, write = ReadDate, dayOf
	}
	for i := range raw.label {
		v := raw.values[i*p+j]
		if math.IsNaN(v) {
			continue
		}
		if first {
			at.Example, first = write(v), false
		}
		distinct[v] = struct{}{}
		least, most = min(least, v), max(most, v)
	}
	if at.Distinct = len(distinct); at.Distinct > 0 {
		at.Least, at.Most = write(least), write(most)
	}
}
