package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSameFigures: the comparison of the quickstart on three of its data sets gives the
// same bytes with one processor and with two, in different folders.
func TestSameFigures(t *testing.T) {
	examples, err := filepath.Abs(filepath.Join("..", "..", "examples"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(examples, "quickstart.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for line := range strings.Lines(string(text)) {
		if !strings.Contains(line, "file:") || strings.Contains(line, "iris") || strings.Contains(line, "heart") || strings.Contains(line, "seeds") {
			kept = append(kept, line)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var figures [2]string
	for i := range figures {
		dir := t.TempDir()
		if err := os.Symlink(self, filepath.Join(dir, "octgen")); err != nil {
			linkless(t, err)
		}
		if err := os.WriteFile(filepath.Join(dir, "spec.yaml"), []byte(strings.Join(kept, "")), 0o600); err != nil {
			t.Fatal(err)
		}
		c := exec.CommandContext(t.Context(), filepath.Join(dir, "octgen"), "run", "spec.yaml", "--out", "results", "--quiet")
		c.Dir = dir
		c.Env = append(os.Environ(), "OCTGEN_DATA="+examples, fmt.Sprint("GOMAXPROCS=", i+1))
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		summary, err := os.ReadFile(filepath.Join(dir, "results", "summary.csv"))
		if err != nil {
			t.Fatal(err)
		}
		figures[i] = string(summary)
	}
	if figures[0] != figures[1] {
		t.Errorf("one processor:\n%s\ntwo:\n%s", figures[0], figures[1])
	}
	for _, data := range []string{"iris", "heart", "seeds"} {
		if !strings.Contains(figures[0], data+",OCT,proved,5,0,100,") {
			t.Errorf("%s is not proved:\n%s", data, figures[0])
		}
	}
}
