package completion

import (
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

type grammar struct {
	Fit struct {
		Data   string `arg:"" name:"DATA.csv"`
		Method string `help:"How to make the tree; see methods."`
		Margin string `placeholder:"all|right" help:"Rows that keep it (all of them)."`
		Engine string `enum:"auto,search" default:"auto"`
		Output string `short:"o" placeholder:"tree.json"`
		Quiet  bool
		Depth  int  `placeholder:"N"`
		Old    bool `hidden:""`
	} `cmd:"" help:"Fit a tree. It is optimal."`
	Model struct {
		Check struct{} `cmd:""`
		Info  struct{} `cmd:""`
	} `cmd:""`
	Shell struct {
		Name string `arg:"" enum:"bash,zsh"`
	} `cmd:""`
	Secret struct{} `cmd:"" hidden:""`
}

func TestComplete(t *testing.T) {
	k, err := kong.New(new(grammar), kong.Name("p"), kong.Exit(func(int) {}))
	if err != nil {
		t.Fatal(err)
	}
	values := func(flag string) []string {
		if flag == "method" {
			return []string{"cart", "oct", "oct-h"}
		}
		return nil
	}
	const files = "FILES"
	for words, want := range map[string]string{
		"":                         "fit model shell",
		"f":                        "fit",
		"x":                        "",
		"model ":                   "check info",
		"shell ":                   "bash zsh",
		"fit ":                     files,
		"fit --me":                 "--method",
		"fit --":                   "--help --method --margin --engine --output --quiet --depth",
		"fit --method ":            "cart oct oct-h",
		"fit --method o":           "oct oct-h",
		"fit --method=o":           "--method=oct --method=oct-h",
		"fit --method = o":         "oct oct-h", // bash
		"fit --method =":           "cart oct oct-h",
		"fit --method = oct --eng": "--engine",
		"fit --margin ":            "all right",
		"fit --engine s":           "search",
		"fit --depth ":             "",
		"fit --none=x":             "",
		"fit -o ":                  files,
		"fit --quiet ":             files,
		"fit d.csv --quiet --q":    "--quiet",
	} {
		candidates, isFiles := Complete(k.Model, strings.Split(words, " "), values)
		var got []string
		for _, c := range candidates {
			got = append(got, c.Word)
		}
		if isFiles {
			got = append(got, files)
		}
		if !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%q: %q, want %s", words, got, want)
		}
	}
	all, _ := Complete(k.Model, nil, values)
	if all[0] != (Candidate{"fit", "Fit a tree"}) {
		t.Errorf("%+v", all[0])
	}
}

func TestScripts(t *testing.T) {
	for _, shell := range Shells() {
		s := Script(shell, "p")
		if !strings.Contains(s, Command) || strings.Contains(s, "PROGRAM") || strings.Contains(s, "COMMAND ") || !strings.Contains(s, filesWanted) {
			t.Errorf("%s:\n%s", shell, s)
		}
	}
	if Script("csh", "p") != "" {
		t.Error("a script for csh")
	}
}
