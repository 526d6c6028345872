package dataset

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Frame is a table in memory.
type Frame struct {
	Name    string // in errors
	Columns []FrameColumn
}

// FrameColumn is a column of numbers or of texts, one of the two, with a value for each row.
type FrameColumn struct {
	Name    string
	Numbers []float64 // NaN where missing; negative zeros become zeros
	Codes   []int32   // places in Texts, -1 where missing
	Texts   []string  // distinct and not empty
}

// rows is the length of the column.
func (c *FrameColumn) rows() int { return max(len(c.Numbers), len(c.Codes)) }

// FromFrame is Load of a table in memory: its numbers are numbers, its texts categories (or, by opts.Dates, dates), and
// there is nothing to recognise. A target of numbers makes a regression problem. opts has the roles of columns; what it says of
// the form of files is not looked at. The frame is not kept. Warnings are not looked for.
func FromFrame(f *Frame, opts LoadOptions) (*Dataset, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	classWeights, err := parseClassWeights(opts.ClassWeight)
	if err != nil {
		return nil, err
	}
	costs, err := parseCostMatrix(opts.CostMatrix)
	if err != nil {
		return nil, err
	}
	named, _, err := opts.dateChoices()
	if err != nil {
		return nil, err
	}
	t := &records{file: f.Name, notation: newNotation(nil, "."), top: "table"}
	if err := f.check(t); err != nil {
		return nil, err
	}
	roles, err := opts.assign(t)
	if err != nil {
		return nil, err
	}
	raw := newTable(t, roles, &opts)
	if err := raw.markDates(named, t); err != nil {
		return nil, err
	}
	if err := raw.fill(f, t); err != nil {
		return nil, err
	}
	d, err := raw.fit(Source{File: f.Name, Rows: f.Columns[0].rows()}, &opts, classWeights)
	if err != nil {
		return nil, err
	}
	if costs != nil {
		if err := d.learnCosts(costs, false); err != nil {
			return nil, err
		}
	}
	d.Reading = d.roughly()
	return d, nil
}

// check checks the shape of the frame and its texts, and sets the header of t.
func (f *Frame) check(t *records) error {
	if len(f.Columns) == 0 || f.Columns[0].rows() == 0 {
		return t.errorf("no data rows")
	}
	n := f.Columns[0].rows()
	for i := range f.Columns {
		c := &f.Columns[i]
		switch {
		case (c.Numbers == nil) == (c.Codes == nil):
			return &Error{File: f.Name, Name: c.Name, Msg: "expected numbers or texts, one of the two"}
		case c.rows() != n:
			return &Error{File: f.Name, Name: c.Name, Msg: fmt.Sprintf("%s; the first column has %d", plural(c.rows(), "row"), n)}
		case c.Name == "" || !utf8.ValidString(c.Name):
			return t.errorf("column %d of %d has no name in UTF-8", i+1, len(f.Columns))
		}
		for _, code := range c.Codes {
			if code < -1 || int(code) >= len(c.Texts) {
				return &Error{File: f.Name, Name: c.Name, Msg: fmt.Sprintf("code %d; expected -1 to %d", code, len(c.Texts)-1)}
			}
		}
		for _, s := range c.Texts {
			if s == "" || !utf8.ValidString(s) {
				return &Error{File: f.Name, Name: c.Name, Msg: fmt.Sprintf("the text %q is empty or %s", s, notUTF8)}
			}
		}
		if s, ok := firstRepeated(c.Texts); ok {
			return &Error{File: f.Name, Name: c.Name, Msg: fmt.Sprintf("the text %q is there twice", s)}
		}
		t.header = append(t.header, c.Name)
	}
	if name, ok := firstRepeated(t.header); ok {
		return t.errorf("two columns are named %q", name)
	}
	return nil
}

// fill takes the frame's rows.
func (raw *table) fill(f *Frame, t *records) error {
	n, p := f.Columns[0].rows(), len(raw.columns)
	raw.label, raw.weight, raw.line = make([]int32, n), make([]float64, n), make([]int, n)
	raw.incomplete, raw.values = make([]bool, n), make([]float64, n*p)
	for i := range n {
		raw.weight[i], raw.line[i] = 1, i+1
	}
	if err := raw.fillAnswers(f, t); err != nil {
		return err
	}
	if at := raw.roles.weight; at >= 0 {
		if f.Columns[at].Numbers == nil {
			return &Error{File: f.Name, Name: f.Columns[at].Name, Msg: "expected weights, which are numbers, and got texts"}
		}
		for i, w := range f.Columns[at].Numbers {
			if !isWeight(w) || w > MaxAbs {
				return &Error{File: f.Name, Line: i + 1, Name: f.Columns[at].Name, Msg: fmt.Sprintf("the weight %v is not a positive finite number of at most %g", w, MaxAbs)}
			}
			raw.weight[i] = w
		}
	}
	for j, c := range raw.columns {
		if from := &f.Columns[c.source]; from.Numbers != nil {
			c.fillNumbers(from.Numbers, raw, j)
		} else {
			c.fillTexts(from, raw, j)
		}
	}
	for _, g := range raw.roles.groups {
		from := &f.Columns[g.source]
		if from.Numbers != nil {
			from = from.asTexts()
		}
		g.texts, g.codes = from.dictionary(), slices.Clone(from.Codes)
		if err := g.checkLevels(t); err != nil {
			return err
		}
	}
	return nil
}

// asTexts is a column of numbers as one of texts.
func (c *FrameColumn) asTexts() *FrameColumn {
	place, out := make(map[float64]int32), &FrameColumn{Name: c.Name, Codes: make([]int32, len(c.Numbers))}
	for i, v := range c.Numbers {
		code, known := place[v]
		switch {
		case math.IsNaN(v):
			code = -1
		case !known:
			code = int32(len(place))
			place[v] = code
			out.Texts = append(out.Texts, strconv.FormatFloat(v+0, 'g', -1, 64))
		}
		out.Codes[i] = code
	}
	return out
}

// fillAnswers takes the classes, numbers or rewards.
func (raw *table) fillAnswers(f *Frame, t *records) error {
	n := len(raw.label)
	if k := len(raw.roles.rewards); k > 0 {
		raw.reward = make([]float64, n*k)
		for a, at := range raw.roles.rewards {
			if f.Columns[at].Numbers == nil {
				return &Error{File: f.Name, Name: f.Columns[at].Name, Msg: "expected rewards, which are numbers, and got texts"}
			}
			for i, v := range f.Columns[at].Numbers {
				if !(math.Abs(v) <= MaxAbs) {
					return &Error{File: f.Name, Line: i + 1, Name: f.Columns[at].Name, Msg: fmt.Sprintf("the reward %v is not a finite number of size at most %g", v, MaxAbs)}
				}
				raw.reward[i*k+a] = v
			}
		}
		return nil
	}
	target := &f.Columns[raw.roles.target]
	if target.Numbers != nil {
		raw.numbers = slices.Clone(target.Numbers)
		for i, v := range raw.numbers {
			if !(math.Abs(v) <= math.MaxFloat64) {
				return &Error{File: f.Name, Line: i + 1, Name: target.Name, Msg: fmt.Sprintf("%v is not a finite number, and a regression tree predicts numbers", v)}
			}
		}
		return nil
	}
	if i := slices.Index(target.Codes, -1); i >= 0 {
		return &Error{File: f.Name, Line: i + 1, Name: target.Name, Msg: "the class is missing"}
	}
	raw.labels = target.dictionary()
	copy(raw.label, target.Codes)
	return nil
}

// dictionary holds the texts with their counts.
func (c *FrameColumn) dictionary() *dictionary {
	d := newDictionary()
	for _, s := range c.Texts {
		d.append(s)
	}
	for _, code := range c.Codes {
		if code >= 0 {
			d.count[code]++
		}
	}
	return d
}

// fillNumbers takes column j, of numbers.
func (c *column) fillNumbers(numbers []float64, raw *table, j int) {
	p := len(raw.columns)
	c.texts, c.codes = nil, nil
	for i, v := range numbers {
		switch {
		case math.IsNaN(v):
			c.count[missing]++
			raw.incomplete[i] = true
		case math.Abs(v) <= MaxAbs:
			c.count[number]++
		default:
			c.count[outOfRange]++
			if c.firstBad == nil {
				c.firstBad = &cell{line: i + 1, value: fmt.Sprint(v)}
			}
		}
		raw.values[i*p+j] = v + 0
	}
}

// fillTexts takes column j, of texts.
func (c *column) fillTexts(from *FrameColumn, raw *table, j int) {
	p := len(raw.columns)
	c.forced = !c.dates
	c.texts, c.codes = from.dictionary(), slices.Clone(from.Codes)
	for i, code := range from.Codes {
		if code < 0 {
			c.count[missing]++
			raw.incomplete[i] = true
			raw.values[i*p+j] = math.NaN()
		} else {
			c.count[text]++
		}
	}
}

// roughly is reading without a look for warnings.
func (d *Dataset) roughly() *Reading {
	r := &Reading{Rows: d.Source.Rows, Dropped: d.Source.Rows - d.N(), Columns: []ReadColumn{}, Classes: []ClassRows{}, Warnings: []string{}}
	switch d.Kind() {
	case Rewards:
		r.Actions = d.actionRewards()
	case Numbers:
		r.Numbers = d.numberSummary()
	default:
		for k, rows := range d.ClassCounts() {
			r.Classes = append(r.Classes, ClassRows{d.Classes[k], int(rows)})
		}
	}
	return r
}
