package fit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// startMethod is a heuristic that makes trees for programs to start from. A new
// one is a line in startMethods.
type startMethod struct {
	name  string
	auto  []string // the forms for which auto runs it: it is quick and adds to those before it
	forms []string // of the programs that it suits
	grow  growTree
}

// startMethods lists the heuristics in the order in which auto runs them, but for
// oct-h (see suitableStarts): of equally good starts it takes the first.
func startMethods() []startMethod {
	return []startMethod{
		{"cart", []string{"oct", "oct-h", "gto"}, []string{"oct", "oct-h", "gto"}, growCART},
		{"treesearch", []string{"oct", "oct-h"}, []string{"oct", "oct-h"}, growTreesearch},
		{"local-search", []string{"oct", "oct-h"}, []string{"oct", "oct-h"}, growLocalSearch},
		{"msmt", []string{"gto"}, []string{"oct-h", "gto"}, growMSMT},
		{"frank-wolfe", []string{"gto"}, []string{"gto"}, growFrankWolfe},
		{"c45", nil, []string{"oct", "oct-h", "gto"}, growC45},
		{"epts", nil, []string{"gto"}, growEPTS},
		{"oc1", []string{"oct-h"}, []string{"oct", "oct-h", "gto"}, growOC1},
		{"rlp", nil, []string{"oct-h", "fm", "lfm", "gto"}, growRLP},
	}
}

// StartNames lists the heuristics that Options.Start may name.
func StartNames() []string {
	var names []string
	for _, m := range startMethods() {
		names = append(names, m.name)
	}
	return names
}

// AutoStarts lists those of StartNames of which the start "auto" takes the best
// for a form of program, or with form "" for any.
func AutoStarts(form string) []string {
	var names []string
	for _, m := range startMethods() {
		if slices.Contains(m.auto, form) || form == "" && len(m.auto) > 0 {
			names = append(names, m.name)
		}
	}
	return names
}

// StartsText names all that Options.Start may be, for messages.
func StartsText() string { return "none, auto, " + strings.Join(StartNames(), ", ") }

// suitableStarts are the heuristics to run for a form of program: that asked for,
// or with auto all quick ones that suit it.
func (r *run) suitableStarts(form string) ([]startMethod, error) {
	var suitable []startMethod
	for _, m := range startMethods() {
		suits := slices.Contains(m.forms, form)
		switch {
		case r.opts.Start == "auto" && r.opts.CrossCheck && m.name == "treesearch":
			// the solver is to find by itself what the search is held against
		case r.opts.Start == "auto" && slices.Contains(m.auto, form):
			suitable = append(suitable, m)
		case r.opts.Start == m.name && suits:
			return []startMethod{m}, nil
		case r.opts.Start == m.name:
			return nil, fmt.Errorf("%w: %s makes no starts for %s, but for %s", ErrInput, m.name, form, strings.Join(m.forms, ", "))
		}
	}
	if form == "oct-h" && r.opts.Start == "auto" { // where time is short, hyperplanes count for more
		suitable = lastly(lastly(suitable, "local-search"), "treesearch")
	}
	if r.opts.Start != "auto" {
		return nil, fmt.Errorf("%w: no start %q; the starts are %s, or a tree.json", ErrInput, r.opts.Start, StartsText())
	}
	return suitable, nil
}

// lastly puts the method of that name at the end.
func lastly(methods []startMethod, name string) []startMethod {
	i := slices.IndexFunc(methods, func(m startMethod) bool { return m.name == name })
	if i < 0 {
		return methods
	}
	m := methods[i]
	return append(slices.Delete(methods, i, i+1), m)
}

// growStarts runs the suitable heuristics, once per run. Together they may take
// their share of the time limit; what one leaves of its part goes to those after it.
func (r *run) growStarts(ctx context.Context, form string) ([]grown, error) {
	if r.starts != nil {
		return r.starts, nil
	}
	methods, err := r.suitableStarts(form)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	for i, m := range methods {
		if i > 0 && ctx.Err() != nil {
			break
		}
		if limit := r.opts.Solve.TimeLimit; limit > 0 {
			left := limit/startShare(form) - time.Since(began)
			r.startLimit = max(1, left/time.Duration(len(methods)-i))
		}
		g, err := m.grow(ctx, r, form)
		if err != nil {
			return nil, err
		}
		g.name = m.name
		r.starts = append(r.starts, g)
		if g.optimal && form == "oct" {
			break // nothing is better
		}
	}
	r.startSeconds = time.Since(began).Seconds()
	return r.starts, nil
}
