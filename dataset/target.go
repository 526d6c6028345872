package dataset

import (
	"fmt"
	"math"
	"slices"
)

// hasNumbersAsClasses reports whether the classes are numbers, more than two.
func (d *Dataset) hasNumbersAsClasses() bool {
	return d.K() > 2 && !slices.ContainsFunc(d.Classes, func(s string) bool { return !isDecimal(s) })
}

// hasManyNumbers reports whether the target has numbers that are hardly classes.
func (raw *table) hasManyNumbers(names []string) bool {
	whole := true
	for _, s := range names {
		v, kind := raw.notation.classify(s)
		if kind != number {
			return false
		}
		whole = whole && v == math.Trunc(v)
	}
	return !whole || len(names) > manyClasses
}

// strayText returns an error for a target of many numbers with a few texts among them.
func (raw *table) strayText(d *Dataset) error {
	first, texts := -1, 0
	for k, s := range d.Classes {
		if _, kind := raw.notation.classify(s); kind != number {
			if texts++; first < 0 {
				first = k
			}
		}
	}
	if texts == 0 || d.K()-texts <= manyClasses || 10*texts > d.K() {
		return nil
	}
	name := d.Classes[first]
	return &Error{File: d.Source.File, Line: d.Line[slices.Index(d.Y, first)], Name: raw.target,
		Msg: fmt.Sprintf("%q among %d different numbers; is it a missing value (--na-values %[1]s --drop-unlabelled), or are all of them classes (--task classification)?", name, d.K()-texts)}
}

// takeNumbers makes the target of d numbers: the texts of its classes.
func (raw *table) takeNumbers(d *Dataset, opts *LoadOptions) error {
	values := make([]float64, d.K())
	for k, name := range d.Classes {
		v, kind := raw.notation.classify(name)
		if kind != number || !(math.Abs(v) <= math.MaxFloat64) {
			return &Error{File: d.Source.File, Line: d.Line[slices.Index(d.Y, k)], Name: raw.target, Msg: fmt.Sprintf("%q is no number, and a regression tree predicts numbers", name)}
		}
		values[k] = v
	}
	numbers := make([]float64, d.N())
	for i, y := range d.Y {
		numbers[i] = values[y]
	}
	return d.setNumbers(numbers, raw.target, opts)
}

// setNumbers makes the target of d numbers, which are kept.
func (d *Dataset) setNumbers(numbers []float64, target string, opts *LoadOptions) error {
	if opts.CostMatrix != "" || opts.ClassWeight != "" {
		return errNumbersHaveNoClasses
	}
	d.Target, d.Quantile, d.Classes, d.Y = numbers, opts.Quantile, []string{target}, make([]int, len(numbers))
	return nil
}
