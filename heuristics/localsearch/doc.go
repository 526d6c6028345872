// Package localsearch improves trees for the exact objective of optimal classification trees,
// univariate (Bertsimas & Dunn, Optimal classification trees, 2017, problem (24)) or with
// hyperplanes (their section 4). It uses coordinate descent over nodes from good and random starts
// (Dunn, Optimal trees for prediction and prescription, 2018, section 2.3).
//
// Thresholds of a node and its children are re-optimised together under the bounds of Brita, van
// der Linden & Demirović, Optimal classification trees for continuous feature data using dynamic
// programming with branch-and-bound, 2025. Hyperplanes move along lines, as in Murthy, Kasif,
// Salzberg & Beigel, OC1, 1993.
package localsearch
