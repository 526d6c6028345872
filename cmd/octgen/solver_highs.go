//go:build cgo && !nohighs

package main

import _ "github.com/octgen/octgen/solvers/highs" // registers the solver
