// Package proof reads proofs that no tree is better than a value, and checks them. docs/proof.md is the
// specification: what a file says, and why each rule holds. The package shares nothing with the searches and the
// fit: it imports the reading of data and the standard library (a test says so). Package proof/write writes the files.
//
// Files in order: tokens, table (losses in whole numbers), head, node, pairs (two levels), check.
package proof
