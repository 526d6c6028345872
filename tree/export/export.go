// Package export writes a tree for production: as SQL, C, Go, Python, JavaScript, PMML,
// ONNX, rules or a page, over the columns of the file that it was fitted on, to answer like
// octgen. What the encoder knows of the columns (categories, what stands for a missing
// field, codes) is part of what is written.
//
// Three promises hold for every target. Numbers are the shortest decimals that read back
// to the same double, comparisons are "less than", and a hyperplane's terms are rounded
// and added one after the other as [tree.Split] does, so that a row at a threshold goes
// where octgen sends it. A row that octgen predict would refuse for a column that the
// tree asks for (a missing field that nothing stands for, a text that is no number, a
// category that training did not have) has no class: NULL, None, null, "" or -1, as the
// target has it. Names and texts are quoted so that none of them can be read as
// anything else; what a target cannot hold is an error.
package export

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/page"
)

// target is a language or format that trees are written in.
type target struct {
	name    string
	options []string // of Options, by their flags, beside unknown
	write   func(out *bufio.Writer, t *tree.Tree, o Options) error
}

// targets are in the order of help texts.
var targets = []target{
	{"sql", []string{"dialect", "select"}, planned(writeSQL)},
	{"c", []string{"name"}, planned(writeC)},
	{"go", []string{"name"}, planned(writeGo)},
	{"python", nil, planned(writePython)},
	{"javascript", []string{"name"}, planned(writeJavaScript)},
	{"pmml", nil, planned(writePMML)},
	{"onnx", nil, planned(writeONNX)},
	{"rules", nil, writeRules},
	{"html", nil, writeHTML},
}

// Targets returns the names that Write takes.
func Targets() []string {
	names := make([]string, len(targets))
	for i := range targets {
		names[i] = targets[i].name
	}
	return names
}

// RefusalError says what a target cannot hold, or what is wrong with the tree or the
// options.
type RefusalError struct{ cause error }

func (e *RefusalError) Error() string { return e.cause.Error() }

func (e *RefusalError) Unwrap() error { return e.cause }

// Write writes t for the target, one of Targets, piece by piece. A tree that the target
// cannot hold, such as one whose texts have characters that it has not, is a *RefusalError
// that says what and why; nothing is written then. Other errors are those of w.
func Write(w io.Writer, t *tree.Tree, to string, o Options) error {
	sink := &sink{to: w}
	out := bufio.NewWriter(sink)
	err := write(out, t, to, o)
	if sink.err != nil {
		return sink.err
	}
	if err != nil {
		return &RefusalError{err}
	}
	return out.Flush()
}

// sink keeps the error of a writer.
type sink struct {
	to  io.Writer
	err error
}

func (s *sink) Write(b []byte) (n int, err error) {
	n, err = s.to.Write(b)
	s.err = err
	return n, err
}

func write(out *bufio.Writer, t *tree.Tree, to string, o Options) error {
	i := slices.IndexFunc(targets, func(g target) bool { return g.name == to })
	if i < 0 {
		return fmt.Errorf("unknown target %q; want %s", to, strings.Join(Targets(), ", "))
	}
	if err := targets[i].check(&o); err != nil {
		return err
	}
	if err := t.Validate(); err != nil {
		return err
	}
	if err := targets[i].write(out, t, o); err != nil {
		return fmt.Errorf("%s: %w", to, err)
	}
	return nil
}

// Bytes is Write into memory.
func Bytes(t *tree.Tree, to string, o Options) ([]byte, error) {
	var out bytes.Buffer
	if err := Write(&out, t, to, o); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// planned is a target that is written from the plan of a tree.
func planned(write func(out *bufio.Writer, p *plan, o Options) error) func(*bufio.Writer, *tree.Tree, Options) error {
	return func(out *bufio.Writer, t *tree.Tree, o Options) error {
		p, err := newPlan(t, o.Unknown)
		if err != nil {
			return err
		}
		return write(out, p, o)
	}
}

// writeHTML writes a page for browsers, on which a row that is entered shows its path.
func writeHTML(out *bufio.Writer, t *tree.Tree, _ Options) error {
	return page.WriteHTML(out, t, page.Options{})
}

// check refuses options of other targets and gives defaults.
func (g *target) check(o *Options) error {
	for _, option := range []struct{ flag, value string }{{"dialect", o.Dialect}, {"select", o.Table}, {"name", o.Name}} {
		if option.value != "" && !slices.Contains(g.options, option.flag) {
			return fmt.Errorf("--%s is not for %s", option.flag, g.name)
		}
	}
	switch o.Unknown {
	case "", dataset.UnknownError, dataset.UnknownOther:
	default:
		return fmt.Errorf("unknown categories %q; want error or other", string(o.Unknown))
	}
	if o.Name == "" {
		o.Name = defaultName
	}
	return nil
}
