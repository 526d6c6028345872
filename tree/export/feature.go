package export

import (
	"fmt"
	"strconv"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// feature is what a feature of the tree is made of.
type feature struct {
	input    int
	value    valueKind
	category int
}

// newInputs returns all columns of t as inputs, and what its features are made of.
func newInputs(t *tree.Tree, unknown dataset.UnknownPolicy) ([]input, []feature, error) {
	var inputs []input
	var features []feature
	if t.Encoder == nil {
		for j, name := range t.Features {
			inputs = append(inputs, input{name: name, missing: []string{missingText}, fillCategory: unfilled})
			features = append(features, feature{input: j})
		}
		return inputs, features, nil
	}
	if err := checkCodes(t.Encoder.Codes); err != nil {
		return nil, nil, err
	}
	index := make(map[*dataset.SourceColumn]int)
	for i := range t.Encoder.Columns {
		c := &t.Encoder.Columns[i]
		index[c] = i
		inputs = append(inputs, columnInput(t.Encoder, c, unknown))
	}
	for _, m := range t.Encoder.Meanings() {
		features = append(features, feature{index[m.Column], meaningValue(m), m.Category})
	}
	return inputs, features, nil
}

// checkCodes refuses codes in place of numbers: a target that takes a number cannot
// know how it was spelled.
func checkCodes(codes map[string]float64) error {
	for _, c := range sortedCodes(codes) {
		if _, err := strconv.ParseFloat(c.text, 64); err == nil {
			return fmt.Errorf("the tree was fitted with the code %s=%s, which replaces a number; such trees are not exported", c.text, shortest(c.value))
		}
	}
	return nil
}

func meaningValue(m dataset.Meaning) valueKind {
	switch {
	case m.Category >= 0:
		return aMark
	case m.Missing:
		return aGap
	case m.Column.Kind == dataset.Ordinal:
		return anIndex
	}
	return aNumber
}

// builder makes the tests of a plan.
type builder struct {
	tree     *tree.Tree
	inputs   []input
	features []feature
}

// test returns the test of split s, which holds of the rows that go left; nil where
// all rows go the same way, which is then left or not.
func (b *builder) test(s *tree.Split) (q *test, allLeft bool) {
	first := b.features[s.Terms[0].Feature]
	switch {
	case s.IsUnivariate() && first.value == aNumber:
		return &test{kind: isBelow, input: first.input, threshold: s.Threshold}, false
	case len(s.Terms) == 1 && first.value != aNumber:
		return b.discrete(first, func(v float64) bool { return s.Terms[0].Weight*v < s.Threshold })
	}
	q = &test{kind: isSumLess, threshold: s.Threshold}
	for _, t := range s.Terms {
		f := b.features[t.Feature]
		if f.value == aGap && b.inputs[f.input].coded {
			continue // 0, always
		}
		q.terms = append(q.terms, term{t.Weight, f.input, f.value, f.category})
	}
	if len(q.terms) == 0 {
		return nil, 0 < s.Threshold
	}
	return q, false
}

// discrete returns the test of a split on one feature with few values, those that
// left is true of going left.
func (b *builder) discrete(f feature, left func(v float64) bool) (*test, bool) {
	in := &b.inputs[f.input]
	if f.value == aGap {
		if in.coded || left(0) == left(1) {
			return nil, left(0)
		}
		return &test{kind: isMissing, input: f.input, except: left(0)}, false
	}
	goesLeft := func(category int) bool {
		switch {
		case f.value == anIndex:
			return left(float64(category))
		case category == f.category:
			return left(1)
		}
		return left(0)
	}
	var sides [2][]int // the categories that go right and left
	for k := range in.categories {
		to := side(goesLeft(k))
		sides[to] = append(sides[to], k)
	}
	if in.admits {
		outside := goesLeft(noCategory)
		inside := sides[side(!outside)] // the categories that do not go where unknown texts go
		if len(inside) == 0 {
			return nil, outside
		}
		return &test{kind: isAmong, input: f.input, set: inside, except: outside}, false
	}
	switch right, left := sides[0], sides[1]; {
	case len(right) == 0 || len(left) == 0:
		return nil, len(right) == 0
	case len(right) < len(left):
		return &test{kind: isAmong, input: f.input, set: right, except: true}, false
	default:
		return &test{kind: isAmong, input: f.input, set: left}, false
	}
}

func side(left bool) int {
	if left {
		return 1
	}
	return 0
}
