package dataset

import (
	"fmt"
	"slices"
	"strings"
)

// classWeights is a parsed LoadOptions.ClassWeight.
type classWeights struct {
	balanced bool
	names    []string
	factors  []float64
}

func parseClassWeights(spec string) (*classWeights, error) {
	switch spec {
	case "":
		return nil, nil
	case "balanced":
		return &classWeights{balanced: true}, nil
	}
	c := &classWeights{}
	for item := range strings.SplitSeq(spec, ",") {
		eq := strings.LastIndexByte(item, '=') // a class name may hold one
		if eq < 0 {
			return nil, fmt.Errorf("class weight %q: want \"balanced\" or a list such as \"yes=3,no=1\"", item)
		}
		name, value := strings.TrimSpace(item[:eq]), strings.TrimSpace(item[eq+1:])
		w, kind := plain.classify(value)
		if kind != number || !isWeight(w) {
			return nil, fmt.Errorf("class weight %q: %q is not a positive finite number", item, value)
		}
		if slices.Contains(c.names, name) {
			return nil, fmt.Errorf("class weight: the class %q is given twice", name)
		}
		c.names = append(c.names, name)
		c.factors = append(c.factors, w)
	}
	return c, nil
}

// resolve returns the factor of each class, given the weight of each.
func (c *classWeights) resolve(classes []string, weight []float64) ([]float64, error) {
	factors := ones(len(classes))
	if c.balanced {
		total := 0.0
		for _, w := range weight {
			total += w
		}
		for k, w := range weight {
			factors[k] = total / (float64(len(classes)) * w)
		}
		return factors, nil
	}
	for i, name := range c.names {
		k := slices.Index(classes, name)
		if k < 0 {
			return nil, fmt.Errorf("class weight: no class %q; %s", name, suggest("the classes are", name, classes))
		}
		factors[k] = c.factors[i]
	}
	return factors, nil
}

// applyClassWeights multiplies the rows' weights by the factors of their classes
// (nil: all 1). The weights must add up to at most MaxAbs before and after, which leaves
// room for multiples of their sum.
func (d *Dataset) applyClassWeights(factors []float64) error {
	total, raw := 0.0, 0.0
	for i, y := range d.Y {
		if raw += d.Weight[i]; raw > MaxAbs {
			return &Error{File: d.Source.File, Line: d.Line[i], Name: d.Encoder.Weight,
				Msg: fmt.Sprintf("the weights up to this line add up to more than %g; scale them", MaxAbs)}
		}
		if factors != nil {
			d.Weight[i] *= factors[y]
		}
		total += d.Weight[i]
		if !isWeight(d.Weight[i]) || total > MaxAbs {
			return &Error{File: d.Source.File, Line: d.Line[i],
				Msg: "the weights times the class weights are too large or too small to be added up; scale them"}
		}
	}
	return nil
}
