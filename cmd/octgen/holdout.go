package main

import (
	"fmt"
	"io"

	"github.com/octgen/octgen/dataset"
)

// loadHoldout sets a stratified part of the rows aside for testing; see
// dataset.Splitter for what is learned from which rows.
func (in *input) loadHoldout(opts dataset.LoadOptions, fraction float64, seed uint64, unknown dataset.UnknownPolicy) (train, test *dataset.Dataset, err error) {
	var s *dataset.Splitter
	err = in.read(func(r io.Reader) error {
		s, err = dataset.NewSplitter(r, in.path, opts)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	trainRows, testRows, err := s.All().Holdout(fraction, seed)
	if err != nil {
		return nil, nil, badInput(err)
	}
	train, test, err = s.Split(trainRows, testRows, unknown)
	if err != nil {
		return nil, nil, badInput(fmt.Errorf("--holdout: %w (--unknown other admits new categories; another --seed or --holdout divides the rows differently)", err))
	}
	return train, test, nil
}
