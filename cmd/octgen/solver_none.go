//go:build !cgo || nohighs

package main

// The stand-in, which says why HiGHS cannot be used.
import _ "github.com/octgen/octgen/solvers/highs"
