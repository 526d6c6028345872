package dataset

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
)

// Load reads the training file at path ("-": standard input) and fits the encoder. A file
// whose name ends in .gz is read as gzip data. A malformed file gives an *Error; a file
// that cannot be opened gives the error of os.Open.
//
// Classes and categories are those of the kept rows. Numbers come first, by value, then
// texts, by their bytes except that runs of digits compare as numbers.
func Load(path string, opts LoadOptions) (*Dataset, error) {
	return withFile(path, func(r io.Reader) (*Dataset, error) { return Read(r, path, opts) })
}

// Read is like Load but reads from r; name is the file name in errors and in Source, and
// tells whether the data are compressed.
func Read(r io.Reader, name string, opts LoadOptions) (*Dataset, error) {
	return readPart(r, name, opts, nil, nil)
}

// readPart is Read, restricted to the records that begin at the given lines; nil means
// all. known are the columns of numbers, if the kinds of all columns are known.
func readPart(r io.Reader, name string, opts LoadOptions, known map[string]*Written, only map[int]bool) (*Dataset, error) {
	t, raw, err := beginTable(r, name, &opts, known)
	if err != nil {
		return nil, err
	}
	t.only = only
	classWeights, err := parseClassWeights(opts.ClassWeight)
	if err != nil {
		return nil, err
	}
	costs, err := parseCostMatrix(opts.CostMatrix)
	if err != nil {
		return nil, err
	}
	if err := raw.read(t); err != nil {
		return nil, err
	}
	if only == nil {
		if err := raw.coder.unused(name); err != nil {
			return nil, err
		}
	}
	source, err := t.finish()
	if err != nil {
		return nil, err
	}
	d, err := raw.fit(source, &opts, classWeights)
	if err == nil && costs != nil {
		err = d.learnCosts(costs, only != nil)
	}
	if err == nil {
		e := d.Encoder
		e.Codes, e.NAValues, e.NoHeader = raw.codes, raw.naValues, t.noHeader
		e.Sheet, e.Unlabelled = opts.Sheet, opts.DropUnlabelled
		if t.notation.comma {
			e.Decimal = ","
		}
		if only == nil {
			d.Reading = raw.reading(d)
			d.Reading.Recognised = t.recognised
			if opts.Task == "" && opts.Quantile == 0 && d.Target != nil {
				d.Reading.Recognised = append(d.Reading.Recognised, "numbers to be predicted, by a regression tree (--task classification makes each a class)")
			}
			if opts.Task == "" && raw.roles.rewards == nil && d.hasNumbersAsClasses() {
				d.Reading.Recognised = append(d.Reading.Recognised, fmt.Sprintf("%d numbers as classes (--task regression predicts numbers)", d.K()))
			}
		}
	}
	return d, err
}

// beginTable checks the options and begins to read a file by them: its form, its header, and the roles of its columns.
// known is that of readPart.
func beginTable(r io.Reader, name string, opts *LoadOptions, known map[string]*Written) (*records, *table, error) {
	if err := opts.check(); err != nil {
		return nil, nil, err
	}
	codes, err := parseCodes(opts.Codes)
	if err != nil {
		return nil, nil, err
	}
	named, auto, err := opts.dateChoices()
	if err != nil {
		return nil, nil, err
	}
	naValues := opts.naValues(codes)
	t, err := newRecords(r, name, opts.layout(), newNotation(naValues, opts.Decimal))
	if err != nil {
		return nil, nil, err
	}
	roles, err := opts.assign(t)
	if err != nil {
		return nil, nil, err
	}
	raw := newTable(t, roles, opts)
	for _, c := range raw.columns {
		c.written, c.isKnown = known[c.name], known != nil
	}
	raw.codes, raw.naValues, raw.coder, raw.autoDates = codes, naValues, newCoder(codes, t.notation), auto
	return t, raw, raw.markDates(named, t)
}

// fit decides the kinds of the columns, learns the encoder from the kept rows, and
// encodes them. It may take ownership of raw's slices.
func (raw *table) fit(source Source, opts *LoadOptions, cw *classWeights) (*Dataset, error) {
	numeric, err := raw.kinds(source.File)
	if err == nil {
		numeric, err = raw.leaveOut(source.File, numeric)
	}
	if err != nil {
		return nil, err
	}
	if err := raw.drop(source.File, opts.Missing); err != nil {
		return nil, err
	}
	d := &Dataset{Weight: raw.weight, Count: ones(len(raw.label)), Line: raw.line, Source: source}
	if raw.roles.rewards != nil {
		d.Classes = slices.Clone(opts.Rewards)
		d.setRewards(raw.reward)
	} else if raw.numbers != nil {
		if err := d.setNumbers(raw.numbers, raw.target, opts); err != nil {
			return nil, err
		}
	} else {
		d.Classes, d.Y = raw.classes()
		if opts.Task == "" && opts.Quantile == 0 {
			if err := raw.strayText(d); err != nil {
				return nil, err
			}
		}
		if opts.Task == Regression || opts.Quantile > 0 || opts.Task == "" && raw.hasManyNumbers(d.Classes) {
			if err := raw.takeNumbers(d, opts); err != nil {
				return nil, err
			}
		}
	}
	d.Encoder = &Encoder{Regression: d.Target != nil, Quantile: d.Quantile, Target: raw.target, Weight: raw.weights, Classes: d.Classes, Rewards: raw.roles.rewards != nil, Missing: opts.Missing}
	if opts.Missing == "" {
		d.Encoder.Missing = DropMissing
	}
	recode := make([][]int32, len(raw.columns))
	d.Encoder.Columns = make([]SourceColumn, 0, len(raw.columns))
	for j, c := range raw.columns {
		var fitted SourceColumn
		if numeric[j] {
			var date *Date
			if raw.dates[j] != nil {
				date = raw.learnFirst(j)
			}
			fitted = raw.fitNumeric(j, opts.Missing)
			fitted.Date = date
		} else {
			fitted, recode[j] = raw.fitCategorical(c, opts)
		}
		d.Encoder.Columns = append(d.Encoder.Columns, fitted)
	}
	raw.orderSets(d, recode)
	d.Features = d.Encoder.Features()
	d.Groups = groupsOf(raw.roles.groups)
	for _, g := range d.Groups {
		d.Encoder.Groups = append(d.Encoder.Groups, GroupColumn{g.Name, g.Levels})
	}
	if err := checkFeatures(d, source.File); err != nil {
		return nil, err
	}
	d.X = raw.encode(d.Encoder.Columns, recode, d.P())
	if cw != nil {
		if d.Encoder.ClassWeight, err = cw.resolve(d.Classes, totals(d.Weight, d.K(), func(i int) int { return d.Y[i] })); err != nil {
			return nil, &Error{File: source.File, Msg: err.Error()}
		}
	}
	return d, d.applyClassWeights(d.Encoder.ClassWeight)
}

// kinds returns which columns are numeric, dates included. If several columns are
// invalid, it returns the error that comes first in the file.
func (raw *table) kinds(file string) ([]bool, error) {
	if err := raw.findDates(file); err != nil {
		return nil, err
	}
	numeric, mark := make([]bool, len(raw.columns)), raw.decimalMark()
	var first *Error
	for j, c := range raw.columns {
		if raw.dates[j] != nil {
			numeric[j] = true
			continue
		}
		ok, err := c.isNumeric(file, mark, raw.notation)
		if err != nil && (first == nil || err.Line < first.Line) {
			first = err
		}
		if numeric[j] = ok; ok && c.written != nil {
			c.amounts.put(raw, j, c.written)
		}
	}
	if first != nil {
		return nil, first
	}
	return numeric, nil
}

// drop removes incomplete rows if the policy says so.
func (raw *table) drop(file string, policy MissingPolicy) error {
	if !policy.drops() {
		return nil
	}
	p, k, kept := len(raw.columns), len(raw.roles.rewards), 0
	for i, incomplete := range raw.incomplete {
		if incomplete {
			continue
		}
		if kept < i {
			copy(raw.values[kept*p:(kept+1)*p], raw.values[i*p:(i+1)*p])
			for _, c := range raw.columns {
				if c.codes != nil {
					c.codes[kept] = c.codes[i]
				}
			}
			copy(raw.reward[kept*k:(kept+1)*k], raw.reward[i*k:(i+1)*k])
			raw.label[kept], raw.weight[kept], raw.line[kept] = raw.label[i], raw.weight[i], raw.line[i]
			if raw.numbers != nil {
				raw.numbers[kept] = raw.numbers[i]
			}
			for _, g := range raw.roles.groups {
				g.codes[kept] = g.codes[i]
			}
		}
		kept++
	}
	if kept == 0 {
		return &Error{File: file, Msg: allRows(len(raw.label)) + " a missing value, and such rows are dropped;" +
			" leave out a column (--ignore) or fill the gaps (--missing mean or category)"}
	}
	raw.values, raw.reward = raw.values[:kept*p], raw.reward[:kept*k]
	raw.label, raw.weight, raw.line = raw.label[:kept], raw.weight[:kept], raw.line[:kept]
	if raw.numbers != nil {
		raw.numbers = raw.numbers[:kept]
	}
	for _, g := range raw.roles.groups {
		g.codes = g.codes[:kept]
	}
	for _, c := range raw.columns {
		if c.codes != nil {
			c.codes = c.codes[:kept]
		}
	}
	return nil
}

// classes returns the sorted names of the classes in the rows, and the class of each row.
func (raw *table) classes() ([]string, []int) {
	names, recode := usedNames(raw.labels.names, raw.label)
	y := make([]int, len(raw.label))
	for i, code := range raw.label {
		y[i] = int(recode[code])
	}
	return names, y
}

// fitNumeric learns the imputation of numeric column j.
func (raw *table) fitNumeric(j int, policy MissingPolicy) SourceColumn {
	c := SourceColumn{Name: raw.columns[j].name, Kind: Numeric, Written: raw.columns[j].written}
	if policy.drops() {
		return c
	}
	values, weights := make([]float64, 0, len(raw.label)), make([]float64, 0, len(raw.label))
	for i := range raw.label {
		if v := raw.values[i*len(raw.columns)+j]; !math.IsNaN(v) {
			values, weights = append(values, v), append(weights, raw.weight[i])
		}
	}
	gaps := len(values) < len(raw.label)
	if c.Route = gaps && policy == MissingRoute; c.Route {
		c.Impute = new(-float64(MaxAbs))
		return c
	}
	if gaps || policy == MissingMean || policy == MissingRoute { // splits know no side of gaps that training lacked
		mean := weightedMean(values, weights)
		c.Impute = &mean
	}
	c.Indicator = gaps && policy == MissingCategory
	return c
}

// fitCategorical learns the categories of c and the treatment of missing fields. The
// returned table maps each code plus one to its category; entry 0 is for missing fields.
func (raw *table) fitCategorical(c *column, opts *LoadOptions) (SourceColumn, []int32) {
	fitted := SourceColumn{Name: c.name, Kind: OneHot}
	if opts.Categorical != "" {
		fitted.Kind = opts.Categorical
	}
	names, place := usedNames(c.texts.names, c.codes)
	recode := append([]int32{-1}, place...)
	fitted.Categories = names
	switch opts.Missing {
	case MissingMean:
		recode[0] = c.mode(recode, len(names), raw.weight)
		fitted.ImputeCategory = &names[recode[0]]
	case MissingCategory, MissingRoute:
		if c.count[missing] > 0 {
			recode[0] = int32(len(names))
			fitted.Categories = append(names, missingCategory)
		} else if opts.Missing == MissingRoute {
			recode[0] = c.mode(recode, len(names), raw.weight)
			fitted.ImputeCategory = &names[recode[0]]
		}
	}
	return fitted, recode
}

// mode returns the category of largest weight, the first of equal ones. recode must map
// missing fields to -1.
func (c *column) mode(recode []int32, categories int, weight []float64) int32 {
	total := totals(weight, categories, func(i int) int { return int(recode[c.codes[i]+1]) })
	best := 0
	for k, w := range total {
		if w > total[best] {
			best = k
		}
	}
	return int32(best)
}

// checkFeatures rejects duplicate feature names and a matrix that is too large for
// memory.
func checkFeatures(d *Dataset, file string) error {
	if name, ok := firstRepeated(d.Features); ok {
		return &Error{File: file, Msg: fmt.Sprintf("two columns give a feature named %q; rename one of them", name)}
	}
	const most = 1 << 29 // values: 4 GiB
	if n, p := d.N(), d.P(); n > math.MaxInt32 || p > len(d.Encoder.Columns) && n*p > most {
		widest := &d.Encoder.Columns[0]
		for i := range d.Encoder.Columns {
			if c := &d.Encoder.Columns[i]; c.width() > widest.width() {
				widest = c
			}
		}
		return &Error{File: file, Name: widest.Name, Msg: fmt.Sprintf("%d rows x %d features are too many, %d of them from this column;"+
			" leave it out (--ignore) or encode it as ordinal (--categorical ordinal)", n, p, widest.width())}
	}
	return nil
}

// encode returns the features (rows, p).
func (raw *table) encode(columns []SourceColumn, recode [][]int32, p int) []float64 {
	if raw.isEncoded(columns) {
		return raw.values
	}
	n, sources := len(raw.label), len(columns)
	x := make([]float64, n*p)
	at := 0
	for j := range columns {
		c := &columns[j]
		width := c.width()
		for i := range n {
			dst := x[i*p+at : i*p+at+width]
			switch v := raw.values[i*sources+j]; {
			case c.Kind != Numeric:
				c.putCategory(dst, int(recode[j][raw.columns[j].codes[i]+1]))
			case math.IsNaN(v):
				c.putMissing(dst)
			default:
				c.putNumber(dst, v)
			}
		}
		at += width
	}
	return x
}

// isEncoded reports whether the table's values already are the features.
func (raw *table) isEncoded(columns []SourceColumn) bool {
	for j := range columns {
		if columns[j].Kind != Numeric || columns[j].Impute != nil {
			return false
		}
	}
	return true
}

// Items of LoadOptions.Dates that are no columns.
const (
	autoDates = "auto" // other columns that look like dates are dates, the default
	noDates   = "none" // they are not
)

// dateChoice is an item of LoadOptions.Dates.
type dateChoice struct {
	column string
	format *dateReader // nil: inferred
}

// dateChoices returns the columns that the options declare as dates, and whether other
// columns that look like dates are read as dates.
func (o *LoadOptions) dateChoices() (named []dateChoice, auto bool, err error) {
	auto = !slices.Contains(o.Dates, noDates)
	for _, item := range o.Dates {
		if item == autoDates || item == noDates {
			continue
		}
		c := dateChoice{column: item}
		if eq := strings.LastIndexByte(item, '='); eq >= 0 { // a column name may contain one
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

// markDates marks the columns that are declared as dates.
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
		return t.errorf("the column %q is named as dates, but it is not a feature", d.column)
	}
	return nil
}

// findDates decides which columns hold dates, by declaration or, with auto, by their
// texts. It replaces the values of those columns by seconds since 1970.
func (raw *table) findDates(file string) error {
	if err := raw.findFormats(file); err != nil {
		return err
	}
	for j := range raw.columns {
		if raw.dates[j] != nil {
			raw.putSeconds(j)
		}
	}
	return nil
}

// findFormats finds the formats of the columns that hold dates.
func (raw *table) findFormats(file string) error {
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
			if format == nil || !format.plausible(c.texts.names) {
				continue
			}
			if other != nil {
				return ambiguousDates(c, file, format, other)
			}
			raw.dates[j] = format
		}
	}
	return nil
}

// isText reports whether the column has texts and no numbers.
func (c *column) isText() bool {
	return c.texts != nil && c.count[text] > 0 && c.count[number]+c.count[nonFinite]+c.count[outOfRange] == 0
}

// namedDates returns the format of a column that is declared as dates.
func (raw *table) namedDates(c *column, file string) (*dateReader, error) {
	if len(c.texts.names) == 0 {
		return nil, c.allMissing(file)
	}
	if r := c.format; r != nil {
		i := slices.IndexFunc(c.texts.names, func(s string) bool { return !r.fits([]string{s}) })
		if i >= 0 {
			return nil, raw.noDate(c, file, i, fmt.Sprintf("is not a date of the form %s", r.format))
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
	for _, name := range DateFormats() { // the first format that fits the first text; the error names a text that does not fit it
		r := &dateReader{format: name, layout: dateLayouts()[name]}
		if !r.fits(c.texts.names[:1]) {
			continue
		}
		i := slices.IndexFunc(c.texts.names, func(s string) bool { return !r.fits([]string{s}) })
		return nil, raw.noDate(c, file, i, fmt.Sprintf("is not a date of the form %s, the form of the first one;"+
			" correct it, or choose another form (--dates %q)", name, c.name+"=DD.MM.YYYY"))
	}
	return nil, raw.noDate(c, file, 0, "is not a date of a known form, such as YYYY-MM-DD, DD.MM.YYYY or MM/DD/YYYY hh:mm (docs/data.md)")
}

// noDate reports an error at the first field with the given code.
func (raw *table) noDate(c *column, file string, code int, msg string) *Error {
	row := slices.Index(c.codes, int32(code))
	return &Error{File: file, Line: raw.line[row], Name: c.name, Msg: fmt.Sprintf("%q %s", c.texts.names[code], msg)}
}

func ambiguousDates(c *column, file string, a, b *dateReader) *Error {
	at := slices.IndexFunc(c.texts.names, func(s string) bool { return !sameDates(a, b, []string{s}) })
	text := c.texts.names[at]
	read := func(r *dateReader) string {
		seconds, _ := r.seconds(text)
		return time.Unix(int64(seconds), 0).UTC().Format("2 January 2006")
	}
	return &Error{File: file, Name: c.name, Msg: fmt.Sprintf("%q is %s as %s or %s as %s, and all dates fit both; name the form (--dates %q or %q)",
		text, read(a), a.format, read(b), b.format, c.name+"="+a.format, c.name+"="+b.format)}
}

// putSeconds replaces the values of column j by seconds since 1970.
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

// learnFirst converts the seconds of column j to days since the first date of the kept
// rows.
func (raw *table) learnFirst(j int) *Date {
	r, p := raw.dates[j], len(raw.columns)
	first := math.Inf(1)
	for i := range raw.label {
		if v := raw.values[i*p+j]; v < first { // false for NaN
			first = v
		}
	}
	r.first = math.Floor(first/secondsPerDay) * secondsPerDay
	for i := range raw.label {
		raw.values[i*p+j] = r.days(raw.values[i*p+j])
	}
	return r.learned()
}
