package spec

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/flags"
	"github.com/octgen/octgen/tree"
)

// Method is a row of the table: a method of fit with options.
type Method struct {
	Name     string
	Baseline string   // method that it is compared with; empty: itself is the baseline
	Args     []string // its flags as `octgen fit` takes them, limits included, sorted

	flags flags.Fit
	at    node // of the key baseline, where it has one
}

func freshFit() any { return new(flags.Fit) }

var errTreeFile = errors.New("a spec takes no tree files; want a name")

func limitFlags() []string { return []string{"time-limit", "node-limit", "threads", "work-limit"} }

// readLimits reads limits that hold for every method that has them.
func (s *Spec) readLimits(n node) error {
	all, err := n.entries()
	for _, e := range all {
		o, err := readOption(e, n, limitFlags(), freshFit)
		if err == nil {
			err = limitInRange(o)
		}
		if err != nil {
			return err
		}
		s.limits = append(s.limits, o)
	}
	return err
}

// limitInRange refuses a limit that no method can have, whatever the methods: one
// that a method does not have is left out there, so that nobody else would say so.
func limitInRange(o option) error {
	var f flags.Fit
	if err := flags.Parse(&f, o.args); err != nil {
		return o.at.errorf("%s", Plain(err))
	}
	if v := min(f.NodeLimit, f.WorkLimit, int64(f.Threads)); v < 0 {
		return o.at.errorf("%d; want a whole number, 0 or more", v)
	}
	return nil
}

func (s *Spec) readMethods(n node) error {
	items, err := n.items()
	if err != nil {
		return err
	}
	for _, item := range items {
		m, err := s.readMethod(item)
		if err != nil {
			return err
		}
		if slices.Contains(s.MethodNames(), m.Name) {
			return item.errorf("two methods are named %q", m.Name)
		}
		s.Methods = append(s.Methods, m)
	}
	return nil
}

func (s *Spec) readMethod(n node) (Method, error) {
	var m Method
	all, err := n.entries()
	if err != nil {
		return m, err
	}
	names := flags.Names(freshFit())
	var options []option
	for _, e := range all {
		if e.key == "name" {
			if err := setName(&m.Name)(e.value); err != nil {
				return m, err
			}
			continue
		}
		if e.key == "baseline" {
			if err := setText(&m.Baseline)(e.value); err != nil {
				return m, err
			}
			m.at = e.value
			continue
		}
		o, err := readOption(e, n, append([]string{"name", "baseline"}, names...), freshFit)
		if err != nil {
			return m, err
		}
		if e.key == "method" && !isMethod(e.value.yaml.Value) {
			return m, e.value.errorf("no method %q; the methods are %s", e.value.yaml.Value, strings.Join(fitMethods(), ", "))
		}
		if err := limitInRange(o); err != nil {
			return m, err
		}
		options = append(options, o)
	}
	if !slices.ContainsFunc(options, func(o option) bool { return o.key == "method" }) {
		return m, n.errorf("the key \"method\" is missing; the methods are %s", strings.Join(fitMethods(), ", "))
	}
	m.flags, err = parseMethod(args(options))
	if err != nil {
		return m, blame(options, n, err)
	}
	for _, l := range s.limits {
		own := func(o option) bool { return o.key == l.key }
		if slices.ContainsFunc(options, own) {
			continue
		}
		if f, err := parseMethod(args(append(slices.Clone(options), l))); err == nil { // else the method has no such limit
			options, m.flags = append(options, l), f
		}
	}
	m.Args = args(options)
	slices.Sort(m.Args)
	if m.Name == "" {
		m.Name = m.flags.Method
	}
	return m, nil
}

// blame gives err the place of the option that it names, else that of the method.
func blame(options []option, n node, err error) error {
	text := Plain(err)
	for _, o := range options {
		flag := "--" + strings.ReplaceAll(o.key, "_", "-")
		if rest, ok := strings.CutPrefix(text, flag); ok && (rest == "" || strings.ContainsAny(rest[:1], " :=")) {
			return o.at.errorf("%s", text)
		}
	}
	return n.errorf("%s", text)
}

func fitMethods() []string {
	var names []string
	for _, m := range fit.Methods() {
		names = append(names, m.Name)
	}
	return names
}

func isMethod(name string) bool { return slices.Contains(fitMethods(), name) }

// parseMethod reads and checks the flags of a method.
func parseMethod(args []string) (flags.Fit, error) {
	var f flags.Fit
	if err := flags.Parse(&f, args); err != nil {
		return f, err
	}
	if f.Start != "none" && f.Start != "auto" && !slices.Contains(fit.StartNames(), f.Start) {
		return f, fmt.Errorf("no start %q; the starts are none, auto, %s", f.Start, strings.Join(fit.StartNames(), ", "))
	}
	if strings.HasSuffix(f.Structure, ".json") {
		return f, fmt.Errorf("structure: %w", errTreeFile)
	}
	if _, err := f.Options(); err != nil {
		return f, err
	}
	return f, f.Check()
}

// Solver is the solver that the method names and the path of its executable, each ""
// where it names none.
func (m *Method) Solver() (name, path string) { return m.flags.Solver, m.flags.SolverPath }

// Options returns the options of a fit to ds.
func (m *Method) Options(ctx context.Context, ds *dataset.Dataset) (fit.Options, error) {
	o, err := m.flags.Options()
	if err != nil {
		return o, err
	}
	o.Start = m.flags.Start
	if flags.FixedStructure(m.flags.Method) {
		noFiles := func(string) (*tree.Tree, error) { return nil, errTreeFile }
		o.GTO, err = m.flags.GTO(ctx, noFiles, ds)
	}
	return o, err
}

// setName reads a name that tables, task names and patterns hold.
func setName(dst *string) func(node) error {
	return func(n node) error {
		s, err := n.text()
		if err != nil {
			return err
		}
		if strings.Contains(s, "/") || s == AllData || strings.ContainsFunc(s, isControl) {
			return n.errorf("%q; want a name without slashes, line ends and other control characters, other than %s", s, AllData)
		}
		*dst = s
		return nil
	}
}

// setTitle reads the name of the experiment.
func setTitle(dst *string) func(node) error {
	return func(n node) error {
		s, err := n.text()
		if err != nil {
			return err
		}
		if strings.ContainsFunc(s, isControl) {
			return n.errorf("%q; want a name without line ends and other control characters", s)
		}
		*dst = s
		return nil
	}
}

// isControl says whether r moves a cursor, ends a line, or turns the text after it
// around, so that it reads as what it is not.
func isControl(r rune) bool {
	return unicode.IsControl(r) || r >= '\u2028' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}
