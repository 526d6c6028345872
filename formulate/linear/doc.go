// Package linear formulates trees of one linear split between the heaviest class
// and the rest: the split of least error ([RLP], RLP-P), the one of bounded error
// with the fewest features ([FM]), and the one of least error with few features
// ([LFM]).
//
// The programs and their numbers are those of Bredensteiner & Bennett, Feature
// minimization within decision trees (1996).
package linear
