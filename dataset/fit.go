package dataset

import (
	"fmt"
	"math"
	"slices"
)

// fit decides the columns' kinds, learns the encoder from the rows that are kept
// and encodes them. It may take over raw's slices.
func (raw *table) fit(source Source, opts *LoadOptions, cw *classWeights) (*Dataset, error) {
	numeric, err := raw.kinds(source.File)
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
	} else {
		d.Classes, d.Y = raw.classes()
	}
	d.Encoder = &Encoder{Target: raw.target, Weight: raw.weights, Classes: d.Classes, Rewards: raw.roles.rewards != nil, Missing: opts.Missing}
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

// kinds says which columns are numeric, dates included. Of several mistakes it returns
// the topmost in the file.
func (raw *table) kinds(file string) ([]bool, error) {
	if err := raw.findDates(file); err != nil {
		return nil, err
	}
	numeric := make([]bool, len(raw.columns))
	var first *Error
	for j, c := range raw.columns {
		if raw.dates[j] != nil {
			numeric[j] = true
			continue
		}
		ok, err := c.isNumeric(file, raw.notation)
		if err != nil && (first == nil || err.Line < first.Line) {
			first = err
		}
		numeric[j] = ok
	}
	if first != nil {
		return nil, first
	}
	return numeric, nil
}

// drop leaves out incomplete rows if the policy says so.
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

// classes returns the sorted names of the classes that the rows have, and the
// rows' classes.
func (raw *table) classes() ([]string, []int) {
	names, recode := usedNames(raw.labels.names, raw.label)
	y := make([]int, len(raw.label))
	for i, code := range raw.label {
		y[i] = int(recode[code])
	}
	return names, y
}

// usedNames returns those names that appear among the codes, sorted, and the
// place of each code among them. Codes below 0 stand for missing.
func usedNames(names []string, codes []int32) ([]string, []int32) {
	used := make([]bool, len(names))
	for _, code := range codes {
		if code >= 0 {
			used[code] = true
		}
	}
	var kept []string
	var from []int32
	for code, ok := range used {
		if ok {
			kept = append(kept, names[code])
			from = append(from, int32(code))
		}
	}
	sorted, place := sortedNames(kept)
	recode := make([]int32, len(names))
	for i, code := range from {
		recode[code] = place[i]
	}
	return sorted, recode
}

// fitNumeric learns the imputation of column j.
func (raw *table) fitNumeric(j int, policy MissingPolicy) SourceColumn {
	c := SourceColumn{Name: raw.columns[j].name, Kind: Numeric}
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
	if gaps || policy == MissingMean {
		mean := weightedMean(values, weights)
		c.Impute = &mean
	}
	c.Indicator = gaps && policy == MissingCategory
	return c
}

// fitCategorical learns the categories of c and what a missing field becomes. The
// table it returns gives each code, shifted by one, its category, the first entry
// being that of a missing field.
func (raw *table) fitCategorical(c *column, opts *LoadOptions) (SourceColumn, []int32) {
	fitted := SourceColumn{Name: c.name, Kind: OneHot}
	if opts.Categorical == Ordinal {
		fitted.Kind = Ordinal
	}
	names, place := usedNames(c.texts.names, c.codes)
	recode := append([]int32{-1}, place...)
	fitted.Categories = names
	switch opts.Missing {
	case MissingMean:
		recode[0] = c.mode(recode, len(names), raw.weight)
		fitted.ImputeCategory = &names[recode[0]]
	case MissingCategory:
		if c.count[missing] > 0 {
			recode[0] = int32(len(names))
			fitted.Categories = append(names, missingCategory)
		}
	}
	return fitted, recode
}

// mode returns the category of largest weight, of equals the first. The recode of a
// missing field is -1 here.
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

// checkFeatures refuses names that clash and a matrix that no memory would hold.
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

// encode returns the (rows, p) features.
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
				dst[0] = v
			}
		}
		at += width
	}
	return x
}

// isEncoded reports whether the table's values are the features already.
func (raw *table) isEncoded(columns []SourceColumn) bool {
	for j := range columns {
		if columns[j].Kind != Numeric || columns[j].Impute != nil {
			return false
		}
	}
	return true
}
