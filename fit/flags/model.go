package flags

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/tree"
)

// Model are the parameters of a model.
type Model struct {
	Depth     int        `default:"2" group:"Model" help:"Greatest depth: levels of splits."`
	Alpha     float64    `default:"0" group:"Model" help:"Price of a split, in units of the baseline error."`
	MinLeaf   float64    `default:"1" group:"Model" help:"Least training weight of a leaf."`
	MaxSplits SplitLimit `placeholder:"C" group:"Model" help:"Most splits, 1 or more (default: as many as the depth allows)."`
	Encoding  string     `placeholder:"NAME" group:"Model" help:"How the model is written; octgen methods lists the encodings of each formulation (default: its first)."`
	Eps       float64    `placeholder:"0.02" group:"Model" help:"rlp-p, fm, lfm, fm-rlp-p: weight of |w| in the error of RLP-P."`
	Perturbed bool       `group:"Model" help:"fm, lfm: the error of RLP-P instead of RLP's."`
	Nu        int        `placeholder:"N" group:"Model" help:"fm: most features of a per-nu model (default: minimise their number); lfm: most features (default 3)."`
	Delta     float64    `placeholder:"E" group:"Model" help:"fm: most error (default: 1.1 times the least)."`
	Lambda    float64    `placeholder:"L" group:"Model" help:"lfm, bilinear: price of weight beyond nu features."`
	Box       float64    `placeholder:"B" group:"Model" help:"fm, lfm, gto: bound on weights that the data do not bound, in standardised units."`
	Objective string     `placeholder:"NAME" group:"Model" help:"gto: minimum (default), count or product error; epts: the same, default product."`
	Norm      int        `placeholder:"1|2" group:"Model" help:"gto: power of the decision errors."`
	Structure string     `placeholder:"((a,b),(a,b))" group:"Model" help:"gto, epts, frank-wolfe: structure with leaf classes, the path of a tree.json, or cart (default: the full tree of --depth, classes in turn)."`
	Mu        float64    `placeholder:"0.005" group:"Model" help:"oct-h, local-search with hyperplanes: least margin of a split on scaled features."`
	Scale     string     `placeholder:"rank|minmax" group:"Model" help:"Scaling of features in the bigm encodings (default: rank)."`
	Without   []string   `placeholder:"NAME" group:"Model" help:"Tightenings of the threshold encoding to switch off: continuous-last, thin-last, sibling-labels, group-points, label-pairs, blocks."`
}

// SplitLimit is a number of splits; 0 is that of a flag that was not given.
type SplitLimit int

// UnmarshalText reads a number of 1 or more.
func (l *SplitLimit) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 1 {
		return fmt.Errorf("the most splits is %s, expected 1 or more", text)
	}
	*l = SplitLimit(n)
	return nil
}

// String is the number, or "no limit".
func (l SplitLimit) String() string {
	if l == 0 {
		return "no limit"
	}
	return strconv.Itoa(int(l))
}

// OCT returns the options of the OCT formulation.
func (f *Model) OCT() (formulate.OCTOptions, error) {
	o := formulate.OCTOptions{
		Depth: f.Depth, Alpha: f.Alpha, MinLeaf: f.MinLeaf, MaxSplits: int(f.MaxSplits),
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
	case f.planesOnly() != "":
		return o, badInput(fmt.Errorf("%s is not a parameter of oct and cart", f.planesOnly()))
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

// planeFlag is a flag that only some of the forms of linear splits and gto have.
type planeFlag struct {
	name  string
	used  bool
	forms []string
}

func (f *Model) planeFlags() []planeFlag {
	return []planeFlag{
		{"--eps", f.Eps != 0, []string{"rlp-p", "fm", "lfm", "fm-rlp-p"}},
		{"--perturbed", f.Perturbed, []string{"fm", "lfm"}},
		{"--nu", f.Nu != 0, []string{"fm", "lfm"}},
		{"--delta", f.Delta != 0, []string{"fm"}},
		{"--lambda", f.Lambda != 0, []string{"lfm"}},
		{"--box", f.Box != 0, []string{"fm", "lfm", "gto"}},
		{"--objective", f.Objective != "", []string{"gto", "epts", "frank-wolfe"}},
		{"--norm", f.Norm != 0, []string{"gto"}},
		{"--structure", f.Structure != "", []string{"gto", "epts", "frank-wolfe"}},
	}
}

// planesOnly names a flag in use that only the forms of linear splits and gto
// have, "" where there is none.
func (f *Model) planesOnly() string {
	for _, flag := range f.planeFlags() {
		if flag.used {
			return flag.name
		}
	}
	return ""
}

// RLP, FM, LFM and GTO return the options of these formulations.
func (f *Model) RLP(perturbed bool) formulate.RLPOptions {
	return formulate.RLPOptions{Perturbed: perturbed, Eps: f.Eps}
}

func (f *Model) FM() formulate.FMOptions {
	return formulate.FMOptions{Perturbed: f.Perturbed, Eps: f.Eps, Nu: f.Nu, Delta: f.Delta, Encoding: formulate.Encoding(f.Encoding), Box: f.Box}
}

func (f *Model) LFM() formulate.LFMOptions {
	return formulate.LFMOptions{Perturbed: f.Perturbed, Eps: f.Eps, Nu: f.Nu, Lambda: f.Lambda, Encoding: formulate.Encoding(f.Encoding), Box: f.Box}
}

// GTO needs the data, whose classes the structure names, and a reader of trees
// where the structure is that of a tree.json.
func (f *Model) GTO(ctx context.Context, readTree func(path string) (*tree.Tree, error), ds *dataset.Dataset) (formulate.GTOOptions, error) {
	o := formulate.GTOOptions{
		Depth: f.Depth, Objective: formulate.GTOObjective(f.Objective), Encoding: formulate.Encoding(f.Encoding),
		Norm: f.Norm, Box: f.Box,
	}
	if f.Structure != "" {
		o.Depth = 0 // of CART at most
	}
	var err error
	switch {
	case f.Structure == "":
	case f.Structure == "cart":
		var res *cart.Result
		if res, err = cart.Grow(ctx, ds, cart.Options{MaxDepth: f.Depth, MinLeaf: f.MinLeaf}); err == nil {
			o.Structure = formulate.StructureOf(res.Tree)
		}
	case strings.HasSuffix(f.Structure, ".json"):
		var t *tree.Tree
		if t, err = readTree(f.Structure); err == nil {
			if !slices.Equal(t.Classes, ds.Classes) {
				return o, badInput(fmt.Errorf("--structure %s: the tree has the classes %q, the data %q", f.Structure, t.Classes, ds.Classes))
			}
			o.Structure = formulate.StructureOf(t)
		}
	default:
		o.Structure, err = formulate.ParseStructure(f.Structure, ds.Classes)
	}
	return o, badInput(err)
}

// NotTrees refuses the flags of the formulations with trees of free shape.
func (f *Model) NotTrees(form string) error {
	switch {
	case f.Alpha != 0:
		return badInput(fmt.Errorf("--alpha is of oct, oct-h and the native methods; %s has no price on splits", form))
	case f.MaxSplits != 0:
		return badInput(fmt.Errorf("--max-splits is of oct, oct-h and the native methods; the shape of %s is fixed", form))
	case f.MinLeaf != 1 && f.Structure != "cart":
		return badInput(fmt.Errorf("--min-leaf is of oct, oct-h and the native methods that choose their splits; %s has no least weight of a leaf", form))
	case f.Depth > 2 && oneSplit(form): // 2 is the default, 1 the truth
		return badInput(fmt.Errorf("--depth is of methods with several splits; %s has one", form))
	case f.Depth != 2 && f.Structure != "" && f.Structure != "cart":
		return badInput(errors.New("--depth is of the default structure and of --structure cart; another --structure has its own"))
	case f.Mu != 0:
		return badInput(errors.New("--mu is of the formulation oct-h"))
	case strings.HasPrefix(form, "rlp") && f.Encoding != "" && f.Encoding != string(formulate.LinearProgram):
		return badInput(fmt.Errorf("%s has no encoding %q; it is a linear program, %q", form, f.Encoding, formulate.LinearProgram))
	}
	for _, flag := range f.planeFlags() {
		if flag.used && !slices.Contains(flag.forms, form) {
			return badInput(fmt.Errorf("%s is not a parameter of %s, but of %s", flag.name, form, strings.Join(flag.forms, ", ")))
		}
	}
	return f.OCTOnly(form)
}

// oneSplit reports whether the trees of a form have a single split.
func oneSplit(form string) bool {
	return slices.Contains([]string{"rlp", "rlp-p", "fm", "lfm", "fm-rlp", "fm-rlp-p"}, form)
}

// OCTOnly refuses the flags that only OCT has, for another formulation.
func (f *Model) OCTOnly(form string) error {
	switch {
	case (form == "oct-h" || form == "local-search") && f.planesOnly() != "":
		return badInput(fmt.Errorf("%s is not a parameter of %s", f.planesOnly(), form))
	case f.Scale != "":
		return badInput(fmt.Errorf("--scale is of the formulation oct; %s has its own scaling", form))
	case len(f.Without) > 0:
		return badInput(fmt.Errorf("--without is of the formulation oct with encoding threshold; %s has no tightenings", form))
	}
	return nil
}
