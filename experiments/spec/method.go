package spec

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/internal/strict"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// Method is a fit method with options, a column of the tables.
type Method struct {
	Name     string
	Baseline string   // method with which it is compared; empty: it is the baseline
	Args     []string // its keys as sorted flags of `octgen fit`, including limits

	Frontier *Frontier // for a method of a frontier; nil for others

	choice   *problem.Choice
	settings fit.Settings
	at       strict.Node // of the key baseline, if present
	keys     *strict.Keys
	tree     *tree.Tree // from its TreeFile
}

// methodKeys are the keys of a method in addition to its options and the settings of fits.
type methodKeys struct {
	Name     string        `help:"Name of the column in tables (default: the method)."`
	Baseline string        `help:"Name of the method with which this one is compared (default: that of the spec)."`
	Frontier *frontierKeys `help:"A series of methods that differ in one limit: the trade-off between errors and a constraint."`
	Method   string        `required:"" help:"Method; octgen methods lists them."`
}

// Available returns an error if the method names a solver that cannot work here.
func (m *Method) Available() error { return m.settings.Available() }

// Options returns the options of a fit to ds.
func (m *Method) Options(ctx context.Context, ds *dataset.Dataset) (fit.Options, error) {
	of, err := m.bound(ctx, ds)
	if err != nil {
		return fit.Options{}, err
	}
	o, err := m.settings.Options(of)
	o.Starters = m.choice.Starters()
	return o, err
}

// TreeFile returns the path of the tree.json that an option of the method names, as written in the
// spec; "" for none. It must be read before Options is called.
func (m *Method) TreeFile() string { return m.choice.Method.Info().TreeFile }

// ReadTree reads the method's TreeFile from path and returns its SHA-256 in hex. The error is an
// *Error.
func (m *Method) ReadTree(path string) (sha string, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", m.TreeMistake(err)
	}
	if m.tree, err = tree.ReadJSON(bytes.NewReader(text)); err != nil {
		return "", m.TreeMistake(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(text)), nil
}

// TreeMistake returns err at the position of the option that names the tree file.
func (m *Method) TreeMistake(err error) error {
	for _, key := range []string{"fix", "structure"} {
		if at := m.keys.At("").Find(key); at.IsSet() {
			return at.Errorf("%s: %w", m.TreeFile(), err)
		}
	}
	return err
}

// bound returns the method with the tree that its options name, if it suits the data.
func (m *Method) bound(ctx context.Context, ds *dataset.Dataset) (problem.Method, error) {
	of, err := problem.ReadFiles(m.choice.Method, m.files())
	if err == nil {
		_, err = of.On(ctx, problem.NewData(ds), 0)
	}
	return of, err
}

// files returns what options may name: the tree that was read.
func (m *Method) files() problem.Files {
	if m.tree == nil {
		return problem.Files{}
	}
	return problem.Files{Tree: func(string) (*tree.Tree, error) { return m.tree, nil }}
}

// checkTree returns an error for a tree file, or a structure, that does not suit the data.
func (m *Method) checkTree(data string, ds *dataset.Dataset) error {
	if m.tree == nil && !m.keys.At("").Find("structure").IsSet() {
		return nil
	}
	_, err := m.bound(context.Background(), ds)
	var option *problem.OptionError
	if errors.As(err, &option) {
		text := strings.TrimPrefix(strings.TrimLeft(option.Text(), ": "), "formulate: ")
		return m.keys.At(option.Option).Errorf("data %s: %s", data, text)
	}
	return err
}

// CountsErrors reports whether the objective of its trees is their errors, without penalties for
// splits and columns.
func (m *Method) CountsErrors() bool {
	return !slices.ContainsFunc(m.Args, func(arg string) bool {
		alpha, priced := strings.CutPrefix(arg, "--alpha=")
		price, err := strconv.ParseFloat(alpha, 64)
		return priced && (err != nil || price != 0) || strings.HasPrefix(arg, "--feature-cost=")
	})
}

// CheckConstraints returns an *Error for a method of classes on numbers and the reverse, for constraints that name a class,
// column or level missing from the data, and for a tree file that does not suit the data.
func (m *Method) CheckConstraints(data string, ds *dataset.Dataset) error {
	if err := problem.CheckLoss(m.choice.Method, ds); err != nil && (ds.Kind() == dataset.Numbers || m.choice.Method.Info().Numbers) {
		return m.keys.At("method").Errorf("the data %s: %w", data, err)
	}
	if err := m.checkTree(data, ds); err != nil {
		return err
	}
	info := m.choice.Method.Info()
	if info.Constraints == nil {
		return nil
	}
	for _, column := range info.Groups {
		if ds.Group(column) == nil {
			return m.keys.At("fair").Errorf("the data %s have no group %s; add group: %[2]s to their keys", data, column)
		}
	}
	_, err := info.Constraints.On(ds)
	var e *constraint.Error
	if errors.As(err, &e) {
		return m.keys.At(strings.ReplaceAll(e.Flag, "-", "_")).Errorf("%s of the data %s: %w", e.Text, data, e.Err)
	}
	return err
}

// sharedLimits are the limits of methods that have them and do not set their own.
type sharedLimits struct {
	fit.Limits
	entries []strict.Entry
}

// readMethod reads a method.
func readMethod(n strict.Node, limits sharedLimits) (Method, error) {
	var m Method
	of, err := namedMethod(n)
	if err != nil {
		return m, err
	}
	start, err := startOf(n)
	if err != nil {
		return m, err
	}
	m.choice = problem.Choose(of, start)
	entries, err := n.Entries()
	if err != nil {
		return m, err
	}
	for _, e := range entries { // options of other methods are rejected as such
		if err := m.choice.Known(flagOf(e.Key)); err != nil {
			return m, e.Value.Errorf("%w", err)
		}
	}
	var head methodKeys
	extra := m.choice.Extra()
	keys, err := strictVars().Decode(n, &head, of, &m.settings, extra)
	if err != nil {
		return m, err
	}
	m.Name, m.Baseline, m.at, m.keys = cmp.Or(head.Name, head.Method), head.Baseline, keys.At("baseline"), keys
	if err := checkName(keys.At("name"), m.Name); err != nil {
		return m, err
	}
	if err := m.check(entries, extra); err != nil {
		return m, blame(keys, err)
	}
	m.choice.Method = problem.WithDepth(of, problem.DefaultDepth) // for any engine
	return m, m.addLimits(n, entries, limits)
}

// strictVars are the variables in the tags of options and settings.
func strictVars() strict.Vars { return strict.Vars(fit.Vars()) }

// namedMethod returns the method that the key method names, with its default options but the
// default depth of specs.
func namedMethod(n strict.Node) (problem.Method, error) {
	at := n.Find("method")
	if !at.IsSet() {
		if _, err := n.Entries(); err != nil {
			return nil, err
		}
		return nil, n.Errorf("the key \"method\" is missing; the methods are %s", strings.Join(problem.Names(), ", "))
	}
	name, err := at.Text()
	if err != nil {
		return nil, err
	}
	m, err := problem.Lookup(name)
	if err != nil {
		return nil, noSuch(at, "method", name, problem.Names())
	}
	return m, nil
}

// startOf returns the key start, "auto" if it is missing.
func startOf(n strict.Node) (string, error) {
	at := n.Find("start")
	if !at.IsSet() {
		return "auto", nil
	}
	start, err := at.Text()
	if err == nil && !fit.NamesStart(start) {
		err = at.Errorf("no start %q; the starts are %s", start, fit.StartsText())
	}
	return start, err
}

// check takes the options of entries, where extra holds those of the start that the method lacks, and
// checks all options against each other.
func (m *Method) check(entries []strict.Entry, extra any) error {
	for _, e := range entries {
		for _, from := range []any{extra, m.choice.Method} {
			if err := m.choice.Take(from, flagOf(e.Key)); err != nil {
				return err
			}
		}
	}
	if err := m.choice.Validate(); err != nil {
		return err
	}
	return m.settings.Check(m.choice.Method)
}

// addLimits adds the limits that the method has and does not set itself.
func (m *Method) addLimits(n strict.Node, entries []strict.Entry, limits sharedLimits) error {
	var err error
	if m.Args, err = sortedArgs(entries, "name", "baseline"); err != nil {
		return err
	}
	for _, e := range limits.entries {
		if n.Find(e.Key).IsSet() {
			continue
		}
		with, ok := m.settings.Within(limits.Limits, e.Key, m.choice.Method)
		if !ok {
			continue
		}
		args, err := argsOf(e)
		if err != nil {
			return err
		}
		m.settings, m.Args = with, append(m.Args, args...)
	}
	slices.Sort(m.Args)
	return nil
}

// blame returns err at the position of the option that it names.
func blame(keys *strict.Keys, err error) error {
	var option *problem.OptionError
	if errors.As(err, &option) {
		return keys.At(strings.ReplaceAll(option.Option, "-", "_")).Errorf("%s", option.Error())
	}
	return keys.At("").Errorf("%s", err)
}
