// Package heuristics holds the native methods that find good trees fast: they
// are baselines, and warm starts for the exact ones.
package heuristics
