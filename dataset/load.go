package dataset

import (
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// Load reads the training file at path, "-" for standard input, and fits the
// encoder on it. A name that ends in .gz is read as gzip data. A bad file is an
// *Error; a file that cannot be opened, the error of os.Open.
//
// Classes and categories are those of the rows that are kept, numbers first, by
// value, then texts, by their bytes but with digits in them compared as numbers.
func Load(path string, opts LoadOptions) (*Dataset, error) {
	return withFile(path, func(r io.Reader) (*Dataset, error) { return Read(r, path, opts) })
}

// Read is Load on a reader; name is the file name of errors and of the Source,
// and says whether the data are packed.
func Read(r io.Reader, name string, opts LoadOptions) (*Dataset, error) {
	return readPart(r, name, opts, nil)
}

// readPart is Read of the records that begin at the given lines, nil for all.
func readPart(r io.Reader, name string, opts LoadOptions, only map[int]bool) (*Dataset, error) {
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
	codes, err := parseCodes(opts.Codes)
	if err != nil {
		return nil, err
	}
	named, auto, err := opts.dateChoices()
	if err != nil {
		return nil, err
	}
	naValues := opts.naValues(codes)
	t, err := newRecords(r, name, layout{delimiter: opts.Delimiter, noHeader: opts.NoHeader}, newNotation(naValues, opts.Decimal))
	if err != nil {
		return nil, err
	}
	t.only = only
	roles, err := opts.assign(t)
	if err != nil {
		return nil, err
	}
	raw := newTable(t, roles, &opts)
	raw.coder = newCoder(codes, t.notation)
	raw.autoDates = auto
	if err := raw.markDates(named, t); err != nil {
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
		e.Codes, e.NAValues, e.NoHeader = codes, naValues, opts.NoHeader
		if t.notation.comma {
			e.Decimal = opts.Decimal
		}
		if only == nil {
			d.Reading = raw.reading(d)
		}
	}
	return d, err
}

// table is a training file in memory, before its columns' kinds are known.
type table struct {
	header  []string
	roles   roles
	target  string
	weights string
	columns []*column
	labels  *dictionary
	coder   *coder
	dates   []*dateReader // per column, nil where it has none

	autoDates bool // columns that look like dates are dates
	notation  *notation

	// Per row:
	values     []float64 // (rows, columns) numbers; NaN where missing, 0 for texts
	label      []int32   // code in labels; 0 with rewards
	reward     []float64 // (rows, actions); nil without
	weight     []float64 // 1 without a weight column
	line       []int
	incomplete []bool // a feature is missing
}

func newTable(t *records, r roles, opts *LoadOptions) *table {
	raw := &table{header: t.header, roles: r, weights: opts.Weight, labels: newDictionary(), notation: t.notation}
	if r.target >= 0 {
		raw.target = t.header[r.target]
	}
	raw.columns = make([]*column, 0, len(r.columns))
	for _, i := range r.columns {
		c := newColumn(t.header[i], i)
		c.forced = opts.forced(c.name)
		raw.columns = append(raw.columns, c)
	}
	return raw
}

// read takes all records of t.
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
	}
	if t.rows == 0 {
		return t.errorf("no data lines: the file holds a header only")
	}
	return nil
}

func (raw *table) add(record []string, t *records) error {
	code, err := raw.answer(record, t)
	if err != nil {
		return err
	}
	weight, err := weightOf(record, raw.roles.weight, t)
	if err != nil {
		return err
	}
	incomplete := false
	for _, c := range raw.columns {
		v, kind, err := c.add(raw.coder.field(strings.TrimSpace(record[c.source])), t)
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

// answer takes the class of a record, or its rewards, and returns the code of the class.
func (raw *table) answer(record []string, t *records) (code int32, err error) {
	if raw.roles.rewards != nil {
		raw.reward, err = rewardsOf(raw.reward, record, raw.roles.rewards, t)
		return 0, err
	}
	label, err := labelOf(record, raw.roles.target, t)
	if err != nil {
		return 0, err
	}
	code, isNew := raw.labels.add(label)
	if isNew && !utf8.ValidString(label) {
		return 0, t.cellError(raw.roles.target, "%q %s", label, notUTF8)
	}
	return code, nil
}

// labelOf returns the class of a record, which must have one.
func labelOf(record []string, target int, t *records) (string, error) {
	label := strings.TrimSpace(record[target])
	if t.notation.isMissing(label) {
		if label != "" {
			return "", t.cellError(target, "the class is missing, for %q is among the texts of --na-values; leave such rows out of the file", label)
		}
		return "", t.cellError(target, "the class is missing; leave such rows out of the file")
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
