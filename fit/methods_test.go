package fit_test

import "github.com/octgen/octgen/method"

// shape are the options of trees of this depth, price of a split and least leaf.
func shape(depth int, alpha, minLeaf float64) method.Shape {
	return method.Shape{Levels: method.Levels{Depth: depth}, Price: method.Price{Alpha: alpha}, Leaves: method.Leaves{MinLeaf: minLeaf}}
}

// oct is the problem oct.
func oct(depth int, alpha, minLeaf float64) *method.OCT {
	return &method.OCT{Shape: shape(depth, alpha, minLeaf)}
}

// levels is the depth of trees of fixed structure.
func levels(depth int) method.Structured {
	return method.Structured{Levels: method.Levels{Depth: depth}}
}

// atMost is the shape with a limit on splits.
func atMost(splits int, s method.Shape) method.Shape {
	s.MaxSplits = splits
	return s
}

// whole is oct by the one program of the default encoding, without a proof by parts.
func whole(depth int, alpha, minLeaf float64) *method.OCT {
	m := oct(depth, alpha, minLeaf)
	m.Encoding = "threshold"
	return m
}
