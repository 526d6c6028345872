package fit_test

import "github.com/octgen/octgen/fit/problem"

// shape are the options of trees of this depth, price of a split and least leaf.
func shape(depth int, alpha, minLeaf float64) problem.Shape {
	return problem.Shape{Levels: problem.Levels{Depth: problem.Depth(depth)}, Price: problem.Price{Alpha: alpha}, Leaves: problem.Leaves{MinLeaf: minLeaf}}
}

// oct is the problem oct.
func oct(depth int, alpha, minLeaf float64) *problem.OCT {
	return &problem.OCT{Shape: shape(depth, alpha, minLeaf)}
}

// levels is the depth of trees of fixed structure.
func levels(depth int) problem.Structured {
	return problem.Structured{Levels: problem.Levels{Depth: problem.Depth(depth)}}
}

// atMost is the shape with a limit on splits.
func atMost(splits int, s problem.Shape) problem.Shape {
	s.MaxSplits = splits
	return s
}

// whole is oct by the one program of the default encoding, without a proof by parts.
func whole(depth int, alpha, minLeaf float64) *problem.OCT {
	m := oct(depth, alpha, minLeaf)
	m.Encoding = "threshold"
	return m
}
