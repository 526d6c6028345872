// Package kitchen is a room.
package kitchen

// stove is hot.
var stove = Soup{Salt: 1}

func cook() float64 { return stove.grams() }

var _ = cook
