// Package page shows trees in a browser: a page of one tree ([WriteHTML]), and the
// component for pages of several ([Component], with [Style] and [Script] once a page).
//
// The markup is complete without the script: nested lists of conditions and classes,
// with rows, class shares and histograms, which CSS draws as a tree where there is room
// and as an outline where there is not. The script adds what needs one: branches fold, a
// row that is entered shows its path, a questionnaire asks for one condition at a time.
// Nothing is loaded from outside. Names are the user's and are escaped, in the script's
// data too.
package page
