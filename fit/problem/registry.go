package problem

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/nearest"
	"github.com/octgen/octgen/internal/strict"
)

// registry makes every method. A new one is a line here.
var registry = []func() Method{
	of[OCT], of[OCTH], of[GTO], of[FM], of[LFM], of[RLP], of[RLPP], // formulations
	of[CART], of[C45], of[OC1], of[MSMT], of[FMTree], // trees that grow and are pruned
	of[LocalSearch], of[Alternating], of[EPTS], of[FrankWolfe], of[Treesearch], of[Policy], of[ORT], // searches
	of[FMRLP], of[FMRLPP], of[SBE], // linear splits of few features
	of[OCTTuned], of[OCTHTuned], of[ORTTuned], of[CARTTuned], // procedures that choose alpha
}

// of makes a method with zero options.
func of[T any, P interface {
	*T
	Method
}]() Method {
	return P(new(T))
}

// fresh is a method with its default options.
func fresh(make func() Method) Method {
	m := make()
	strict.SetDefaults(m)
	return m
}

// All returns every method with its default options, sorted by name.
func All() []Method {
	var all []Method
	for _, name := range names() {
		all = append(all, fresh(byName()[name]))
	}
	return all
}

// Infos returns the facts of every method, sorted by name, as they are with zero options.
// Unlike All it sets no defaults, which takes a millisecond.
func Infos() []Info {
	var all []Info
	for _, name := range names() {
		all = append(all, byName()[name]().Info())
	}
	return all
}

// Names lists the methods.
func Names() []string { return slices.Clone(names()) }

var names = sync.OnceValue(func() []string {
	return slices.Sorted(maps.Keys(byName()))
})

// byName has what makes each method, by its name.
var byName = sync.OnceValue(func() map[string]func() Method {
	of := make(map[string]func() Method, len(registry))
	for _, make := range registry {
		of[make().Info().Name] = make
	}
	return of
})

// Lookup returns the method of that name with its default options.
func Lookup(name string) (Method, error) {
	make, ok := byName()[name]
	if !ok {
		return nil, fmt.Errorf("no method %q; %s", name, nearest.Hint(name, Names(), "the methods are "+strings.Join(Names(), ", ")))
	}
	return fresh(make), nil
}

// Starters lists the algorithms that can start the solver of some formulation.
func Starters() []string { return slices.Clone(starters()) }

var starters = sync.OnceValue(func() []string {
	var names []string
	for _, info := range Infos() {
		for _, s := range info.Starts {
			names = append(names, s.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
})

// LookupAlgorithm returns the algorithm of that name.
func LookupAlgorithm(name string) (Method, error) {
	m, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	if info := m.Info(); !info.Grows {
		return nil, fmt.Errorf("method %s is a problem, not an algorithm that makes starts", name)
	}
	return m, nil
}

// clone is a copy of m.
func clone(m Method) Method {
	c := reflect.New(reflect.TypeOf(m).Elem())
	c.Elem().Set(reflect.ValueOf(m).Elem())
	return c.Interface().(Method)
}

// WithDepth returns m, or a copy of it with the depth if it has none.
func WithDepth(m Method, depth int) Method {
	c := clone(m)
	if info := c.Info(); info.Depth != nil && *info.Depth == 0 {
		*info.Depth = Depth(depth)
	}
	return c
}

// Priced returns m with the price of its splits on these data, if it was given per leaf.
func Priced(m Method, ds *dataset.Dataset) Method {
	c := clone(m)
	if info := c.Info(); info.PerLeaf != nil {
		info.PerLeaf.price(&info.Shape.Price, ds)
	}
	return c
}

// WithValidation returns m, or a copy of it with the fraction of the rows that it chooses
// alpha by if it has none.
func WithValidation(m Method, fraction float64) Method {
	c := clone(m)
	if info := c.Info(); info.Validation != nil && *info.Validation == 0 {
		*info.Validation = Part(fraction)
	}
	return c
}

// IsTuned reports whether the method of that name chooses alpha itself.
func IsTuned(name string) bool {
	m, err := Lookup(name)
	return err == nil && m.Info().Kind == Tuned
}

// CheckLoss refuses data for a method that cannot learn from what answers cost, or earn.
func CheckLoss(m Method, ds *dataset.Dataset) error {
	info := m.Info()
	switch kind := ds.Kind(); {
	case kind == dataset.Numbers && !info.Numbers:
		return fmt.Errorf("the target has numbers in place of classes, which method %s cannot learn from; --method ort can (or --task classification makes each number a class)", info.Name)
	case kind != dataset.Numbers && info.OnlyNumbers:
		return fmt.Errorf("method %s predicts numbers, and the target has classes (--task regression reads whole numbers as numbers)", info.Name)
	case kind == dataset.Rewards && !info.Rewards:
		return fmt.Errorf("the data have rewards of actions (--rewards) in place of a class, which method %s cannot learn from; --method policy can", info.Name)
	case kind != dataset.Rewards && info.Rewards:
		return fmt.Errorf("method %s needs rewards of actions in place of a class: name their columns (--rewards COL,COL,...)", info.Name)
	case ds.Encoder != nil && ds.Encoder.Routes() && info.Oblique:
		return fmt.Errorf("method %s has splits on sums of columns, in which a missing value is no number: --missing route is for splits on one column each, such as those of oct, ort and cart (--missing mean and category are for all)", info.Name)
	case kind != dataset.Costs || info.Costs:
		return nil
	}
	var can []string
	for _, other := range All() {
		if i := other.Info(); i.Costs {
			can = append(can, i.Name)
		}
	}
	return fmt.Errorf("the data have costs of answers (--cost-matrix), which method %s cannot learn from; %s can", info.Name, Listed(can))
}

// ReadFiles returns m, or a copy of it that has read the file which an option names.
func ReadFiles(m Method, files Files) (Method, error) {
	if info := m.Info(); info.TreeFile == "" {
		return m, nil
	}
	c := clone(m)
	info := c.Info()
	return c, info.ReadFile(files)
}

// forms has what makes the method of a spec, by its form.
var forms = map[string]func(s Spec, classes []string) (Method, error){
	"oct": octOf, "ort": ortOf, "oct-h": octHOf, "gto": gtoOf, "fm": fmOf, "lfm": lfmOf, "rlp": rlpOf, "rlp-p": rlpPOf,
}

// Method returns the method of a model of data with these classes.
func (s Spec) Method(classes []string) (Method, error) {
	of, ok := forms[s.Form]
	if !ok {
		return nil, fmt.Errorf("no formulation %q", s.Form)
	}
	return of(s, classes)
}
