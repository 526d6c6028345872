package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/formulate/gto"
)

// FuzzArguments: whatever stands on the command line, it is parsed or it is wrong
// usage, in one line. Arguments are parted by line feeds.
func FuzzArguments(f *testing.F) {
	for _, line := range []string{
		"fit iris.csv --depth 2 --alpha 0.01 --time-limit 1m --seed 3 --json",
		"fit a.csv --max-splits 3 --delimiter tab --holdout 0.25 --code y=1,n=-1,?=0 --class-weight a=2,b=1",
		"mps a.csv --form gto --structure ((a,b),c) --start-format cbc -s s.mst -o m.mps",
		"decode m.octgen.json m.sol --format cbc --solution 2",
		"model solve m.mps --solver cbc --solver-option cuts=off --gap 0.1 --threads 2",
		"model check m.mps m.sol --tolerance 1e-5 --worst 3",
		"model convert m.mps --dialect cplex --format fixed -o -",
		"run spec.yaml --workers 2 --resume", "generate --help", "help fit", "--version", "fit --alpha -1 a.csv",
	} {
		f.Add(strings.ReplaceAll(line, " ", "\n"))
	}
	f.Fuzz(func(t *testing.T, text string) {
		a := &app{ctx: t.Context(), stdin: strings.NewReader(""), stdout: bufio.NewWriter(io.Discard), stderr: io.Discard}
		parsed, err := a.parse(strings.Split(text, "\n"), new(helpAsked))
		if err == nil {
			return // nil for help
		}
		if parsed != nil || exitCode(err) != exitUsage || message(err) == "" {
			t.Fatalf("exit code %d: %v", exitCode(err), err)
		}
	})
}

// FuzzStructure: a structure that parses is written as text that parses to the
// same one, of the same classes.
func FuzzStructure(f *testing.F) {
	for _, text := range []string{"((a,b),(a,b))", "((a,b),c)", `("a b",(a,","))`, "(a,(b,(a,(b,a))))", "a", "", "((a,b)", "(a,b))", "( a , \"\\x00\" )"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, classes, err := gto.ParseNewStructure(text)
		if err != nil {
			return
		}
		if !slices.IsSorted(classes) || len(slices.Compact(slices.Clone(classes))) != len(classes) {
			t.Fatalf("classes %q", classes)
		}
		again, names, err := gto.ParseNewStructure(s.Text(classes))
		if err != nil {
			t.Fatalf("%q was written as %q: %v", text, s.Text(classes), err)
		}
		if d := cmp.Diff(classes, names); d != "" {
			t.Fatalf("%q: classes %s", text, d)
		}
		if d := cmp.Diff(s, again); d != "" {
			t.Fatalf("%q: %s", text, d)
		}
	})
}

// FuzzSidecar: a sidecar that reads is written as one that reads as the same.
func FuzzSidecar(f *testing.F) {
	path := filepath.Join(f.TempDir(), "m.mps")
	data := filepath.Join("..", "..", "examples", "iris.csv")
	if code := run(f.Context(), []string{"mps", data, "--depth", "1", "-o", path, "--quiet"}, nil, io.Discard, os.Stderr); code != 0 {
		f.Fatal("exit code ", code)
	}
	text, err := os.ReadFile(fit.SidecarPath(path))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := fit.ReadSidecar(bytes.NewReader(text))
		if err != nil {
			if !errors.Is(err, fit.ErrInput) {
				t.Fatal(err)
			}
			return
		}
		var first, second bytes.Buffer
		if err := s.Write(&first); err != nil {
			t.Fatal(err)
		}
		again, err := fit.ReadSidecar(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if err := again.Write(&second); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("%v\n%s\n%s", err, first.String(), second.String())
		}
	})
}

// FuzzSpec: any text is a spec, or an error that says where it is wrong. The specs
// of the repository are where it begins.
func FuzzSpec(f *testing.F) {
	for _, pattern := range []string{"experiments/paper/*.yaml", "experiments/paper/quick/*.yaml", "experiments/constraints/*.yaml", "examples/*.yaml"} {
		paths, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pattern)))
		if err != nil || len(paths) == 0 {
			f.Fatal(pattern, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := spec.Parse(text, "s.yaml"); err != nil && !strings.HasPrefix(err.Error(), "s.yaml:") {
			t.Errorf("%v", err)
		}
	})
}
