//go:build cgo && !nohighs

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// sklearnCase is a tree and its figures on some rows, as testdata/figures.py reads it.
type sklearnCase struct {
	Data        string          `json:"data"`
	Target      string          `json:"target"`
	Weight      string          `json:"weight"`
	Tree        string          `json:"tree"`
	Predictions string          `json:"predictions"`
	Scores      json.RawMessage `json:"scores"`
}

// TestFiguresOfSklearn: the figures of ten trees, on the rows that they were fitted on
// and on others, with and without weights, are scikit-learn's. It needs the
// distribution's python3-sklearn and is part sklearn of scripts/test-all.sh.
func TestFiguresOfSklearn(t *testing.T) {
	if os.Getenv("OCTGEN_SKLEARN") == "" {
		t.Skip("scripts/test-all.sh sklearn runs it")
	}
	examples, script := absolute(t, "../../examples"), absolute(t, "testdata/figures.py")
	t.Chdir(t.TempDir())
	succeeds(t, "generate", "oct-tree", "--features", "4", "--rows", "300", "--classes", "2", "--label-noise", "0.2", "--seed", "3", "-o", "two.csv")
	succeeds(t, "generate", "oct-tree", "--features", "5", "--rows", "600", "--classes", "12", "--depth", "5", "--label-noise", "0.3", "--seed", "4", "-o", "twelve.csv")
	iris, cancer := filepath.Join(examples, "iris.csv"), filepath.Join(examples, "breast-cancer.csv")
	var cases []sklearnCase
	for i, c := range []struct {
		data   string
		weight bool
		args   string
	}{
		{iris, false, "--method cart --depth 2"},
		{iris, false, "--depth 1"}, // one class is never predicted
		{iris, true, "--depth 2"},
		{iris, true, "--method cart --depth 3 --class-weight balanced"},
		{cancer, false, "--depth 2 --missing mean"},
		{cancer, true, "--method cart --depth 5 --missing mean"},
		{"two.csv", true, "--method oc1 --depth 2"},
		{"two.csv", false, "--depth 2 --class-weight balanced"},
		{"twelve.csv", false, "--method cart --depth 4"},
		{"twelve.csv", true, "--method cart --depth 6"},
	} {
		cases = append(cases, sklearnCases(t, i, c.data, c.weight, strings.Fields(c.args))...)
	}
	b, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("cases.json", b, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("/usr/bin/python3", script, "cases.json").CombinedOutput() // the distribution's, which has the package
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	figures := 0
	for _, c := range cases {
		var s struct {
			Confusion struct{ Classes []string }
		}
		if err := json.Unmarshal(c.Scores, &s); err != nil {
			t.Fatal(err)
		}
		k := len(s.Confusion.Classes)
		figures += 4 + 3*k + k*k
	}
	if got := strings.TrimSpace(string(out)); len(cases) != 20 || got != strconv.Itoa(figures) {
		t.Errorf("%d sets of rows, %s figures agree, want %d", len(cases), got, figures)
	}
}

// sklearnCases fits a tree to half of the rows and predicts both halves.
func sklearnCases(t *testing.T, number int, data string, weighted bool, args []string) []sklearnCase {
	t.Helper()
	text, err := os.ReadFile(data)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	rng := rand.New(rand.NewPCG(uint64(number), 1))
	parts := [2][]string{{lines[0]}, {lines[0]}}
	if weighted {
		parts[0][0], parts[1][0] = "w,"+lines[0], "w,"+lines[0]
		args = append(args, "--weight", "w")
	}
	for _, line := range lines[1:] {
		if weighted {
			line = fmt.Sprintf("%v,%s", 0.1+rng.Float64()*3, line)
		}
		part := rng.IntN(2)
		parts[part] = append(parts[part], line)
	}
	header := strings.Split(lines[0], ",")
	tree := fmt.Sprintf("tree%d.json", number)
	var cases []sklearnCase
	for i, part := range []string{"train", "test"} {
		c := sklearnCase{
			Data: fmt.Sprintf("%s%d.csv", part, number), Target: header[len(header)-1], Tree: tree, Predictions: fmt.Sprintf("%s%d.predicted.csv", part, number),
		}
		if weighted {
			c.Weight = "w"
		}
		if err := os.WriteFile(c.Data, []byte(strings.Join(parts[i], "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if part == "train" {
			succeeds(t, append([]string{"fit", c.Data, "--quiet", "-o", tree}, args...)...)
		}
		scores := runJSON(t, "", "predict", tree, c.Data, "--json", "-o", c.Predictions)[part]
		if c.Scores, err = json.Marshal(scores); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	return cases
}

// succeeds runs a command that must succeed.
func succeeds(t *testing.T, args ...string) {
	t.Helper()
	var out, log strings.Builder
	if code := run(t.Context(), args, strings.NewReader(""), &out, &log); code != 0 {
		t.Fatalf("octgen %v: exit code %d: %s", args, code, log.String())
	}
}

// absolute is a path that stays valid in another folder.
func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}
