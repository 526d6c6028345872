package problem_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/tree"
)

// TestStructure: a structure in words, of CART or of a tree's file is found for the
// data, in a copy; what is wrong with it is an error of --structure.
func TestStructure(t *testing.T) {
	ctx, ds := context.Background(), xor(t)
	stump := tree.NewLeaf(ds, 0)
	stump.Grow(0, tree.Univariate(0, 0.5), 1, 0)
	other := tree.NewLeaf(ds, 0)
	other.Classes = []string{"a", "b"}
	files := problem.Files{Tree: func(path string) (*tree.Tree, error) {
		switch path {
		case "stump.json":
			return stump, nil
		case "other.json":
			return other, nil
		case "bad.json":
			return nil, errors.New("it is no tree")
		}
		return nil, fmt.Errorf("open: %w", os.ErrNotExist)
	}}
	for _, c := range []struct {
		structure string
		depth     int
		files     problem.Files
		text      string // of the structure that is built
		err       string
	}{
		{"", 0, files, "((no,yes),(no,yes))", ""},
		{"", 1, files, "(no,yes)", ""},
		{"(no,(yes,no))", 0, files, "(no,(yes,no))", ""},
		{"cart", 1, problem.Files{}, "(no,yes)", ""},
		{"cart", 2, problem.Files{}, "((no,no),yes)", ""},
		{"stump.json", 0, files, "(yes,no)", ""},
		{"(no,maybe)", 0, files, "", "--structure: "},
		{"(no", 0, files, "", "--structure: "},
		{"other.json", 0, files, "", `--structure other.json: the tree has the classes ["a" "b"], the data ["no" "yes"]`},
		{"bad.json", 0, files, "", "--structure: it is no tree"},
		{"none.json", 0, files, "", "--structure: there is no file none.json"},
		{"stump.json", 0, problem.Files{}, "", "--structure: no tree files are read here"},
	} {
		m := &problem.GTO{Structured: problem.Structured{Levels: problem.Levels{Depth: problem.Depth(c.depth)}, Structure: c.structure}}
		got, err := built(ctx, m, problem.NewData(ds), c.files)
		if c.err != "" || err != nil {
			if c.err == "" || err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q: %v, want %q", c.structure, err, c.err)
			}
			var option *problem.OptionError
			if strings.HasPrefix(c.err, "--") && (!errors.As(err, &option) || option.Option != "structure") {
				t.Errorf("%q: %v is no error of --structure", c.structure, err)
			}
			continue
		}
		if got != c.text {
			t.Errorf("%q, depth %d: structure %s, want %s", c.structure, c.depth, got, c.text)
		}
	}
}

// built is the structure of the program of m for these data; m is left as it was.
func built(ctx context.Context, m *problem.GTO, d *problem.Data, files problem.Files) (string, error) {
	was := *m
	of, err := problem.ReadFiles(m, files)
	if err != nil {
		return "", err
	}
	if *m != was {
		return "", errors.New("the method was changed")
	}
	p, err := of.On(ctx, d, 0)
	if err != nil {
		return "", err
	}
	built, err := p.Build(ctx, problem.BuildOptions{})
	if err != nil {
		return "", err
	}
	return built.Spec.Structure, nil
}
