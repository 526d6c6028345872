package dataset

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
)

// Folds divides the rows into k stratified folds and returns the rows of each, ascending.
// Fold f is the test set of split f; Complement gives its training set. The rows of each
// class are shuffled by the seed and dealt in turn, each class continuing where the
// previous one stopped. So the sizes of two folds differ by at most one, and so do their
// numbers of rows of any one class. Weights and counts are ignored: split first, then
// merge.
//
// Folds returns an error if k is less than two or exceeds the number of rows.
func (d *Dataset) Folds(k int, seed uint64) ([][]int, error) {
	switch {
	case k < 2:
		return nil, fmt.Errorf("%d folds; want at least 2", k)
	case k > d.N():
		return nil, fmt.Errorf("%d folds of %s; want at most one fold per row", k, plural(d.N(), "row"))
	}
	folds := make([][]int, k)
	next := 0
	for _, rows := range d.shuffledClasses(seed) {
		for _, i := range rows {
			folds[next] = append(folds[next], i)
			next = (next + 1) % k
		}
	}
	for _, fold := range folds {
		slices.Sort(fold)
	}
	return folds, nil
}

// Holdout draws a stratified test set of round(fraction n) rows, at least one and at most
// n - 1, by the seed. Each class contributes its share rounded down, or up for the
// classes with the largest remainders (the first of equal ones). Both sets are ascending.
//
// Holdout returns an error unless the fraction is between 0 and 1 and there are at least
// two rows.
func (d *Dataset) Holdout(fraction float64, seed uint64) (train, test []int, err error) {
	n := d.N()
	switch {
	case !(fraction > 0 && fraction < 1):
		return nil, nil, fmt.Errorf("holdout fraction %v; want a number between 0 and 1", fraction)
	case n < 2:
		return nil, nil, fmt.Errorf("a holdout of %s; want at least 2", plural(n, "row"))
	}
	total := min(max(int(math.Round(fraction*float64(n))), 1), n-1)
	classes := d.shuffledClasses(seed)
	for k, quota := range quotas(classes, total, n) {
		test = append(test, classes[k][:quota]...)
	}
	slices.Sort(test)
	return d.Complement(test), test, nil
}

// quotas divides total among the classes in proportion to their sizes, which add up to n,
// by largest remainders. It is exact because it uses integers.
func quotas(classes [][]int, total, n int) []int {
	quota := make([]int, len(classes))
	order := make([]int, len(classes))
	left := total
	for k, rows := range classes {
		quota[k] = len(rows) * total / n
		left -= quota[k]
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(len(classes[b])*total%n, len(classes[a])*total%n)
	})
	for _, k := range order[:left] {
		quota[k]++
	}
	return quota
}

// Complement returns the rows of d that are not in rows, ascending.
func (d *Dataset) Complement(rows []int) []int {
	in := make([]bool, d.N())
	for _, i := range rows {
		in[i] = true
	}
	rest := make([]int, 0, max(0, d.N()-len(rows)))
	for i, taken := range in {
		if !taken {
			rest = append(rest, i)
		}
	}
	return rest
}

// shuffledClasses returns the rows of each class (K), shuffled by the seed.
func (d *Dataset) shuffledClasses(seed uint64) [][]int {
	classes := make([][]int, d.K())
	for i, y := range d.Y {
		classes[y] = append(classes[y], i)
	}
	rng := rand.New(rand.NewPCG(seed, 0x6f637467656e)) // the second word is "octgen"
	for _, rows := range classes {
		rng.Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
	}
	return classes
}

// Splitter divides the rows of a training file into training and test sets. Everything
// learned from data (classes, categories, imputations, class weights) is learned from the
// training set only, which makes the test fair. Only the kind of each column (numbers,
// dates or categories) is determined from the whole file.
//
// A Splitter keeps the bytes of the file and parses them again for each set. It is safe
// for concurrent use.
type Splitter struct {
	stored []byte
	name   string
	opts   LoadOptions
	known  map[string]*Written // of the columns of numbers
	all    *Dataset
}

// NewSplitter reads all of r, as Read does.
func NewSplitter(r io.Reader, name string, opts LoadOptions) (*Splitter, error) {
	stored, err := io.ReadAll(r)
	if err != nil {
		return nil, &Error{File: name, Msg: err.Error(), Err: err}
	}
	all, err := Read(bytes.NewReader(stored), name, opts)
	if err != nil {
		return nil, err
	}
	s := &Splitter{stored: stored, name: name, opts: opts, all: all, known: make(map[string]*Written)}
	s.opts.CategoricalColumns, s.opts.Dates, s.opts.Task = nil, []string{noDates}, Classification
	if all.Target != nil {
		s.opts.Task = Regression
	}
	s.opts.NoHeader, s.opts.Header, s.opts.Decimal = all.Encoder.NoHeader, !all.Encoder.NoHeader, cmp.Or(all.Encoder.Decimal, ".")
	s.opts.Ignore = slices.Clone(opts.Ignore)
	for _, c := range all.Reading.Columns {
		if c.Reason != "" {
			s.opts.Ignore = append(s.opts.Ignore, c.Name)
		}
	}
	for _, c := range all.Encoder.Columns {
		switch {
		case c.Date != nil:
			s.opts.Dates = append(s.opts.Dates, c.Name+"="+c.Date.Format)
		case c.Kind != Numeric:
			s.opts.CategoricalColumns = append(s.opts.CategoricalColumns, c.Name)
		default:
			s.known[c.Name] = c.Written
		}
	}
	return s, nil
}

// All returns the dataset of all rows, as Load does. Use it to draw Folds and Holdout.
// Its features may differ from those of a split, since its encoder has seen all rows.
func (s *Splitter) All() *Dataset { return s.all }

// Split returns the datasets of two disjoint sets of rows of All. Train has its own
// encoder, which also encodes test; both have the Source of All. Without test rows test is nil. A class that occurs only
// in test is an error, and so is, by default, such a category.
func (s *Splitter) Split(trainRows, testRows []int, unknown UnknownPolicy) (train, test *Dataset, err error) {
	train, err = readPart(bytes.NewReader(s.stored), s.name, s.opts, s.known, s.lines(trainRows))
	if err != nil {
		return nil, nil, fmt.Errorf("the training set: %w", err)
	}
	train.Source = s.all.Source
	if len(testRows) == 0 && train.N() == len(trainRows) {
		return train, nil, nil
	}
	e := EncodeOptions{Unknown: unknown, Delimiter: s.opts.Delimiter}
	test, err = train.Encoder.readPart(bytes.NewReader(s.stored), s.name, e, s.lines(testRows))
	if err != nil {
		return nil, nil, fmt.Errorf("the test set, encoded like the training set: %w", err)
	}
	if train.N() != len(trainRows) || test.N() != len(testRows) {
		return nil, nil, fmt.Errorf("dataset: the parts have %d and %d rows; want %d and %d different ones", train.N(), test.N(), len(trainRows), len(testRows))
	}
	test.Source = s.all.Source
	return train, test, nil
}

// lines returns the lines where the rows begin.
func (s *Splitter) lines(rows []int) map[int]bool {
	lines := make(map[int]bool, len(rows))
	for _, i := range rows {
		lines[s.all.Line[i]] = true
	}
	return lines
}
