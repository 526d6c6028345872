// Package oc1 has OC1, which grows trees of hyperplanes by perturbing their
// coefficients: Murthy, Kasif, Salzberg & Beigel, OC1: A randomized algorithm for
// building oblique decision trees, 1993; with the impurities of Breiman, Friedman,
// Olshen & Stone 1984, Quinlan 1986 and Heath 1992, which the paper compares.
package oc1
