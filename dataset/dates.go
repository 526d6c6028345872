package dataset

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// autoDates asks for all columns that look like dates to be read as such.
const autoDates = "auto"

// dateChoice is one of LoadOptions.Dates.
type dateChoice struct {
	column string
	format *dateReader // nil: to be found
}

// dateChoices are the columns that the options name as dates, and whether others that
// look like dates are read as such, too.
func (o *LoadOptions) dateChoices() (named []dateChoice, auto bool, err error) {
	for _, item := range o.Dates {
		if item == autoDates {
			auto = true
			continue
		}
		c := dateChoice{column: item}
		if eq := strings.LastIndexByte(item, '='); eq >= 0 { // a name may hold one
			if c.format, err = newDateReader(strings.TrimSpace(item[eq+1:])); err != nil {
				return nil, false, fmt.Errorf("dates %q: %w", item, err)
			}
			c.column = strings.TrimSpace(item[:eq])
		}
		if slices.ContainsFunc(named, func(o dateChoice) bool { return o.column == c.column }) {
			return nil, false, fmt.Errorf("dates: the column %q is given twice", c.column)
		}
		named = append(named, c)
	}
	return named, auto, nil
}

// markDates has the columns that are named as dates read as such.
func (raw *table) markDates(named []dateChoice, t *records) error {
	for _, d := range named {
		i := slices.IndexFunc(raw.columns, func(c *column) bool { return c.name == d.column })
		switch {
		case i >= 0 && raw.columns[i].forced:
			return t.errorf("the column %q is named as dates and as categorical", d.column)
		case i >= 0:
			raw.columns[i].dates, raw.columns[i].format = true, d.format
			continue
		}
		if _, err := t.find("dates", d.column); err != nil {
			return err
		}
		return t.errorf("the column %q is named as dates, but it is no feature", d.column)
	}
	return nil
}

// findDates decides which columns hold dates, by name or, with auto, by their texts. In
// the values of those columns it puts the seconds since 1970.
func (raw *table) findDates(file string) error {
	raw.dates = make([]*dateReader, len(raw.columns))
	for j, c := range raw.columns {
		switch {
		case c.dates:
			r, err := raw.namedDates(c, file)
			if err != nil {
				return err
			}
			raw.dates[j] = r
		case raw.autoDates && !c.forced && c.isText():
			format, other := dateFormatOf(c.texts.names)
			if other != nil {
				return ambiguousDates(c, file, format, other)
			}
			raw.dates[j] = format
		}
		if raw.dates[j] != nil {
			raw.putSeconds(j)
		}
	}
	return nil
}

// isText reports whether the column has texts and no numbers.
func (c *column) isText() bool {
	return c.texts != nil && c.count[text] > 0 && c.count[number]+c.count[nonFinite]+c.count[outOfRange] == 0
}

// namedDates is the format of a column that is named as one of dates.
func (raw *table) namedDates(c *column, file string) (*dateReader, error) {
	if len(c.texts.names) == 0 {
		return nil, c.allMissing(file)
	}
	if r := c.format; r != nil {
		i := slices.IndexFunc(c.texts.names, func(s string) bool { return !r.fits([]string{s}) })
		if i >= 0 {
			return nil, raw.noDate(c, file, i, fmt.Sprintf("is no date of the form %s", r.format))
		}
		return &dateReader{format: r.format, layout: r.layout}, nil
	}
	format, other := dateFormatOf(c.texts.names)
	switch {
	case other != nil:
		return nil, ambiguousDates(c, file, format, other)
	case format != nil:
		return format, nil
	}
	for _, name := range DateFormats() { // the first field that all before agree with
		r := &dateReader{format: name, layout: dateLayouts[name]}
		if !r.fits(c.texts.names[:1]) {
			continue
		}
		i := slices.IndexFunc(c.texts.names, func(s string) bool { return !r.fits([]string{s}) })
		return nil, raw.noDate(c, file, i, fmt.Sprintf("is no date of the form %s, as the first one is;"+
			" correct it, or name another form (--dates %q)", name, c.name+"=DD.MM.YYYY"))
	}
	return nil, raw.noDate(c, file, 0, "is no date of a form that is known, such as YYYY-MM-DD, DD.MM.YYYY or MM/DD/YYYY hh:mm (docs/data.md)")
}

// noDate blames the first field with the given code.
func (raw *table) noDate(c *column, file string, code int, msg string) *Error {
	row := slices.Index(c.codes, int32(code))
	return &Error{File: file, Line: raw.line[row], Name: c.name, Msg: fmt.Sprintf("%q %s", c.texts.names[code], msg)}
}

func ambiguousDates(c *column, file string, a, b *dateReader) *Error {
	return &Error{File: file, Name: c.name, Msg: fmt.Sprintf("the dates can be read as %s and as %s; name the form (--dates %q or %q)",
		a.format, b.format, c.name+"="+a.format, c.name+"="+b.format)}
}

// putSeconds puts the seconds since 1970 in place of the values of column j.
func (raw *table) putSeconds(j int) {
	c, r := raw.columns[j], raw.dates[j]
	seconds := make([]float64, len(c.texts.names))
	for code, s := range c.texts.names {
		seconds[code], _ = r.seconds(s)
	}
	for i, code := range c.codes {
		if code >= 0 {
			raw.values[i*len(raw.columns)+j] = seconds[code]
		}
	}
}

// learnFirst makes days since the first date that a kept row has of the seconds of
// column j.
func (raw *table) learnFirst(j int) *Date {
	r, p := raw.dates[j], len(raw.columns)
	first := math.Inf(1)
	for i := range raw.label {
		if v := raw.values[i*p+j]; v < first { // no NaN is
			first = v
		}
	}
	r.first = math.Floor(first/secondsPerDay) * secondsPerDay
	for i := range raw.label {
		raw.values[i*p+j] = r.days(raw.values[i*p+j])
	}
	return r.learned()
}
