package main

import (
	"errors"
	"fmt"

	"github.com/octgen/octgen/formulate"
)

// modelFlags are the parameters of a model.
type modelFlags struct {
	Depth     int      `default:"2" group:"Model" help:"Greatest depth: levels of splits."`
	Alpha     float64  `default:"0" group:"Model" help:"Price of a split, in units of the baseline error."`
	MinLeaf   float64  `default:"1" group:"Model" help:"Least training weight of a leaf."`
	MaxSplits int      `placeholder:"C" group:"Model" help:"Most splits (default: as many as the depth allows)."`
	Encoding  string   `enum:"threshold,bigm,indicator,bigm-published" default:"threshold" group:"Model" help:"How the model is written: ${enum}."`
	Scale     string   `placeholder:"rank|minmax" group:"Model" help:"Scaling of features in the bigm encodings (default: rank)."`
	Without   []string `placeholder:"NAME" group:"Model" help:"Tightenings of the threshold encoding to switch off: continuous-last, thin-last, sibling-labels, group-points, label-pairs, blocks."`
}

// oct returns the options of the OCT formulation.
func (f *modelFlags) oct() (formulate.OCTOptions, error) {
	o := formulate.OCTOptions{
		Depth: f.Depth, Alpha: f.Alpha, MinLeaf: f.MinLeaf, MaxSplits: f.MaxSplits,
		Encoding: formulate.Encoding(f.Encoding), Scale: formulate.Scale(f.Scale),
	}
	for _, name := range f.Without {
		if err := switchOff(&o.Tighten, name); err != nil {
			return o, badInput(err)
		}
	}
	threshold := o.Encoding == formulate.Threshold
	switch {
	case threshold && f.Scale != "":
		return o, badInput(errors.New("--scale is of the bigm encodings and indicator; threshold does not scale"))
	case !threshold && len(f.Without) > 0:
		return o, badInput(fmt.Errorf("--without is of the encoding threshold; %s has no tightenings", f.Encoding))
	}
	return o, badInput(o.Validate())
}

func switchOff(t *formulate.Tightenings, name string) error {
	switch name {
	case "continuous-last":
		t.NoContinuousLast = true
	case "thin-last":
		t.NoThinLast = true
	case "sibling-labels":
		t.NoSiblingLabels = true
	case "group-points":
		t.NoGroupPoints = true
	case "label-pairs":
		t.NoLabelPairs = true
	case "blocks":
		t.NoBlocks = true
	default:
		return fmt.Errorf("--without: no tightening %q; they are continuous-last, thin-last, sibling-labels, group-points, label-pairs, blocks", name)
	}
	return nil
}
