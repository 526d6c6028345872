package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestParseAllocates: reading a command line, which every command waits for, makes a
// few tens of thousands of objects; half a million once stood for a tenth of a second.
func TestParseAllocates(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"fit", "data.csv", "--depth", "2", "--alpha", "0.1"}} {
		made := testing.AllocsPerRun(2, func() {
			var out bytes.Buffer
			a := &app{stdout: bufio.NewWriter(&out), stderr: &out}
			if parsed, err := a.parse(args, new(helpAsked)); err != nil || parsed == nil {
				t.Fatalf("%v: %v", args, err)
			}
		})
		if made > 100_000 {
			t.Errorf("octgen %v makes %v objects before it begins", args, made)
		}
	}
}

// shells are how the scripts are asked for the completions of a line as a user would by
// the Tab key; each prints them one a line.
var shells = map[string]struct{ args, probe string }{
	"bash": {"-c", `
		source "$SCRIPT"
		COMP_LINE=$LINE_ COMP_POINT=${#LINE_}
		read -ra COMP_WORDS <<<"${LINE_//=/ = }"
		[[ $LINE_ == *' ' || $LINE_ == *= ]] && { [[ $LINE_ == *= ]] || COMP_WORDS+=(""); }
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		complete -p octgen >/dev/null || exit 1
		_octgen
		printf '%s\n' "${COMPREPLY[@]}"`},
	"fish": {"-c", `source $SCRIPT; complete -C "$LINE_" | string replace -r '\t.*' ''; true`},
	// zsh completes in its line editor only: its own functions are put in place of those.
	"zsh": {"-fc", `
		compdef() { :; }
		_files() { print -l -- *; }
		_describe() { for d in "${described[@]}"; do print -r -- "${d%%:*}"; done; }
		source "$SCRIPT"
		words=("${(@s: :)LINE_}")
		CURRENT=${#words}
		_octgen`},
}

// TestCompletionInShells runs the scripts in the shells that are there; with
// OCTGEN_SHELLS all of them must be.
func TestCompletionInShells(t *testing.T) {
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(dir, "octgen")); err != nil {
		linkless(t, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "mine.csv"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for shell, how := range shells {
		t.Run(shell, func(t *testing.T) {
			if _, err := exec.LookPath(shell); err != nil {
				if os.Getenv("OCTGEN_SHELLS") != "" {
					t.Fatal(err)
				}
				t.Skip(err)
			}
			script := filepath.Join(dir, "completion."+shell)
			var out bytes.Buffer
			if code := run(t.Context(), []string{"completion", shell}, nil, &out, &out); code != 0 {
				t.Fatal(out.String())
			}
			if err := os.WriteFile(script, out.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			for line, want := range map[string]string{
				"octgen comp":                    "completion",
				"octgen fit --class-w":           "--class-weight",
				"octgen fit --method local":      "local-search",
				"octgen fit --engine s":          "search",
				"octgen fit d.csv --margin ":     "all right",
				"octgen model ":                  "check convert info solve",
				"octgen completion ":             "bash fish zsh",
				"octgen show --format s":         "svg",
				"octgen fit --frobnicate=nonsen": "",
				"octgen fit mi":                  "mine.csv",
			} {
				c := exec.CommandContext(t.Context(), shell, how.args, how.probe)
				c.Dir = dir
				c.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "SCRIPT="+script, "LINE_="+line, "HOME="+dir)
				text, err := c.CombinedOutput()
				if err != nil {
					t.Fatalf("%q: %v\n%s", line, err, text)
				}
				got := map[string]bool{}
				for _, word := range strings.Fields(string(text)) {
					got[word] = true
				}
				for _, word := range strings.Fields(want) {
					if !got[word] {
						t.Errorf("%q: %q lacks %s", line, text, word)
					}
				}
				if want == "" && len(got) > 0 {
					t.Errorf("%q: %q, want nothing", line, text)
				}
			}
		})
	}
}

// linkless skips the test on Windows, whose users may make no links; elsewhere it fails.
func linkless(t *testing.T, err error) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip(err)
	}
	t.Fatal(err)
}
