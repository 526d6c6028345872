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
	Encoding  string   `placeholder:"NAME" group:"Model" help:"How the model is written; octgen methods lists the encodings of each formulation (default: its first)."`
	Mu        float64  `placeholder:"0.005" group:"Model" help:"oct-h: least margin of a split on scaled features."`
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
	if o.Encoding == "" {
		o.Encoding = formulate.Threshold
	}
	threshold := o.Encoding == formulate.Threshold
	switch {
	case f.Mu != 0:
		return o, badInput(errors.New("--mu is of the formulation oct-h"))
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

// octOnly refuses the flags that only OCT has, for another formulation.
func (f *modelFlags) octOnly(form string) error {
	switch {
	case f.Scale != "":
		return badInput(fmt.Errorf("--scale is of the formulation oct; %s has its own scaling", form))
	case len(f.Without) > 0:
		return badInput(fmt.Errorf("--without is of the formulation oct with encoding threshold; %s has no tightenings", form))
	}
	return nil
}
