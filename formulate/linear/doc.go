// Package linear formulates trees of one linear split between the heaviest class and the rest: the
// split with the minimum error ([RLP], RLP-P), the split with bounded error and the fewest features
// ([FM]), and the split with the minimum error and few features ([LFM]).
//
// The problems and their numbers are those of Bredensteiner & Bennett, Feature minimization within
// decision trees (1996).
package linear
