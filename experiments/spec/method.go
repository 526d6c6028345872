package spec

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/flags"
	"github.com/octgen/octgen/internal/strict"
	"github.com/octgen/octgen/tree"
)

// Method is a row of the table: a method of fit with options. This file and
// methodschema.go are all that knows how a method's keys are read: as flags of
// `octgen fit`.
type Method struct {
	Name     string
	Baseline string   // method that it is compared with; empty: itself is the baseline
	Args     []string // its flags as `octgen fit` takes them, limits included, sorted

	flags flags.Fit
	at    strict.Node // of the key baseline, where it has one
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

var errTreeFile = errors.New("a spec takes no tree files; want a name")

// option is a key of a method as flags of the command line.
type option struct {
	key  string
	args []string
	at   strict.Node
}

func limitFlags() []string { return []string{"time-limit", "node-limit", "threads", "work-limit"} }

// readLimits reads limits that hold for every method that has them.
func readLimits(n strict.Node) ([]option, error) {
	if !n.IsSet() {
		return nil, nil
	}
	entries, err := n.Entries()
	if err != nil {
		return nil, err
	}
	var limits []option
	for _, e := range entries {
		o, err := readOption(e, limitFlags())
		if err == nil {
			err = limitInRange(o)
		}
		if err != nil {
			return nil, err
		}
		limits = append(limits, o)
	}
	return limits, nil
}

// limitInRange refuses a limit that no method can have, whatever the methods: one
// that a method does not have is left out there, so that nobody else would say so.
func limitInRange(o option) error {
	var f flags.Fit
	if err := flags.Parse(&f, o.args); err != nil {
		return o.at.Errorf("%s", Plain(err))
	}
	if v := min(f.NodeLimit, f.WorkLimit, int64(f.Threads)); v < 0 {
		return o.at.Errorf("%d; want a whole number, 0 or more", v)
	}
	return nil
}

// readMethod reads a method; limits are those that it takes where it has them and
// does not say otherwise.
func readMethod(n strict.Node, limits []option) (Method, error) {
	m, options, err := readOptions(n)
	if err != nil {
		return m, err
	}
	m.flags, err = parseMethod(argsOfAll(options))
	if err != nil {
		return m, blame(options, n, err)
	}
	for _, l := range limits {
		own := func(o option) bool { return o.key == l.key }
		if slices.ContainsFunc(options, own) {
			continue
		}
		if f, err := parseMethod(argsOfAll(append(slices.Clone(options), l))); err == nil { // else the method has no such limit
			options, m.flags = append(options, l), f
		}
	}
	m.Args = argsOfAll(options)
	slices.Sort(m.Args)
	if m.Name == "" {
		m.Name = m.flags.Method
	}
	return m, nil
}

// readOptions reads the keys of a method, each by itself.
func readOptions(n strict.Node) (Method, []option, error) {
	var m Method
	var options []option
	entries, err := n.Entries()
	if err != nil {
		return m, nil, err
	}
	names := append([]string{"name", "baseline"}, flags.Names(new(flags.Fit))...)
	for _, e := range entries {
		switch e.Key {
		case "name":
			if m.Name, err = e.Value.Text(); err == nil {
				err = checkName(e.Value, m.Name)
			}
		case "baseline":
			m.at = e.Value
			m.Baseline, err = e.Value.Text()
		default:
			var o option
			o, err = readOption(e, names)
			options = append(options, o)
		}
		if err != nil {
			return m, nil, err
		}
	}
	if !n.Find("method").IsSet() {
		return m, nil, n.Errorf("the key \"method\" is missing; the methods are %s", strings.Join(fitMethods(), ", "))
	}
	return m, options, nil
}

// readOption reads a key as one of these flags.
func readOption(e strict.Entry, names []string) (option, error) {
	o := option{key: e.Key, at: e.Value}
	if !slices.Contains(names, flagOf(e.Key)) || strings.Contains(e.Key, "-") {
		var keys []string
		for _, name := range names {
			keys = append(keys, keyOf(name))
		}
		return o, e.Unknown(keys)
	}
	if err := oneValue(e); err != nil {
		return o, err
	}
	var err error
	if o.args, err = argsOf(e); err != nil {
		return o, err
	}
	if e.Key == "method" {
		name, err := e.Value.Text()
		if err == nil && !slices.Contains(fitMethods(), name) {
			err = noSuch(e.Value, "method", name, fitMethods())
		}
		if err != nil {
			return o, err
		}
	}
	var f flags.Fit
	if err := flags.Parse(&f, o.args); err != nil {
		return o, e.Value.Errorf("%s", Plain(err))
	}
	return o, limitInRange(o)
}

// oneValue refuses a list or a mapping for a flag that has one value: of several the
// last one would win without a word.
func oneValue(e strict.Entry) error {
	if !e.Value.IsList() && !e.Value.IsMapping() {
		return nil
	}
	for _, f := range flags.Describe(new(flags.Fit)) {
		switch kind := f.Type.Kind(); {
		case f.Name != flagOf(e.Key) || kind == reflect.Map:
		case kind == reflect.Slice && e.Value.IsMapping():
			return e.Value.Errorf("a mapping; want one value or a list")
		case kind != reflect.Slice:
			_, err := e.Value.Text()
			return err
		}
	}
	return nil
}

// keyOf is the key of a flag.
func keyOf(flag string) string { return strings.ReplaceAll(flag, "-", "_") }

func argsOfAll(options []option) []string {
	var all []string
	for _, o := range options {
		all = append(all, o.args...)
	}
	return all
}

// blame gives err the place of the option that it names, else that of the method.
func blame(options []option, n strict.Node, err error) error {
	text := Plain(err)
	for _, o := range options {
		if rest, ok := strings.CutPrefix(text, "--"+flagOf(o.key)); ok && (rest == "" || strings.ContainsAny(rest[:1], " :=")) {
			return o.at.Errorf("%s", text)
		}
	}
	return n.Errorf("%s", text)
}

func fitMethods() []string {
	var names []string
	for _, m := range fit.Methods() {
		names = append(names, m.Name)
	}
	return names
}

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
