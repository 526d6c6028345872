package spec

import "github.com/octgen/octgen/internal/strict"

// Evaluate says how the rows of a file are divided into training and test parts:
// by Folds or by Holdout. Of generated data with test rows only Validation applies.
type Evaluate struct {
	Folds      int     `min:"2" help:"Parts of a cross-validation."`                                     // 0: none
	Holdout    float64 `above:"0" below:"1" help:"Part of the rows that is tested on, between 0 and 1."` // 0: none
	Repeats    int     `default:"1" min:"1" help:"Divisions, with the seeds seed, seed + 1, and so on."`
	Seed       int64   `default:"1" min:"0" help:"Seed of the first division."`
	Stratified bool    `default:"true" help:"Classes are divided evenly."`

	// Validation is the part of all rows that tuned methods choose by, unless they
	// say otherwise; 0: their default. To other methods these rows are training rows.
	// Of generated data with test rows it is a part of the training rows.
	Validation float64 `above:"0" below:"1" json:",omitempty" help:"Part of all rows of a split that tuned methods choose alpha by, taken from the training rows."`
}

// ValidationPart is Validation as a part of the training rows.
func (e *Evaluate) ValidationPart() float64 {
	test := e.Holdout
	if e.Folds > 0 {
		test = 1 / float64(e.Folds)
	}
	return e.Validation / (1 - test)
}

// check refuses divisions that exclude each other.
func (e *Evaluate) check(at strict.Node) error {
	switch {
	case e.Folds != 0 && e.Holdout != 0:
		return at.Errorf("want one of folds and holdout")
	case e.ValidationPart() >= 1:
		return at.Errorf("validation is %v of all rows, but testing leaves no more than that; want less", e.Validation)
	}
	return nil
}
