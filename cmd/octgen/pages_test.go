//go:build cgo && !nohighs

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/solvers"
)

// onPages is a line of the documentation that fits a tree, without its comment.
var onPages = regexp.MustCompile(`(?m)^ {4}octgen (fit .*?)(?: +#.*)?$`)

// optional are parts of a command in brackets; absent, the solvers that a machine may
// not have.
var (
	optional = regexp.MustCompile(`\[[^]]*\]`)
	named    = regexp.MustCompile(`--solver (\S+)`)
)

// TestPages: the fits on the documentation's pages are commands that work.
func TestPages(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, page := range append(pages, filepath.Join("..", "..", "README.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range onPages.FindAllStringSubmatch(string(text), -1) {
			lines = append(lines, m[1])
		}
	}
	t.Chdir(t.TempDir())
	rows := strings.TrimPrefix(small, "a,b,class\n")
	write(t, "DATA.csv", small+rows)
	write(t, "data.csv", small+rows)
	write(t, "costs.csv", "true,yes,no\nno,1,0\nyes,0,5\n")
	tried := 0
	for _, line := range lines {
		if m := named.FindStringSubmatch(line); m != nil {
			if s, err := solvers.Lookup(m[1]); err != nil || s.Available() != nil {
				continue
			}
		}
		tried++
		line = strings.ReplaceAll(optional.ReplaceAllString(line, ""), "60s", "1s")
		var out, log bytes.Buffer
		if code := run(context.Background(), strings.Fields(line+" --quiet"), nil, &out, &log); code != 0 {
			t.Errorf("octgen %s: exit code %d: %s", line, code, log.String())
		}
	}
	if tried < 30 {
		t.Errorf("%d commands, want 30 or more", tried)
	}
}

// TestReadme: the commands of the README on the data of examples/ work as printed, one
// after the other, and print what the page says where it says it.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	examples, err := filepath.Abs(filepath.Join("..", "..", "examples"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.CopyFS("examples", os.DirFS(examples)); err != nil {
		t.Fatal(err)
	}
	seconds := regexp.MustCompile(`[0-9]+ nodes?, [0-9.]+ s|optimal, [0-9.]+ s`)
	tried, compared := 0, 0
	for _, block := range indentedBlocks(strings.ReplaceAll(string(text), "\n\n    ", "\n    \n    ")) {
		for _, command := range strings.Split(block, "$ bin/octgen ")[1:] {
			line, want, _ := strings.Cut(strings.TrimSpace(command), "\n")
			var out, log bytes.Buffer
			if code := run(context.Background(), strings.Fields(line), nil, &out, &log); code != 0 {
				t.Fatalf("%s: exit code %d: %s", line, code, log.String())
			}
			tried++
			if want = strings.TrimSpace(want); want == "" {
				continue
			}
			compared++
			if d := cmp.Diff(seconds.ReplaceAllString(want, ""), seconds.ReplaceAllString(strings.TrimSpace(out.String()), "")); d != "" {
				t.Errorf("%s (-page +printed):\n%s", line, d)
			}
		}
	}
	if tried < 8 || compared < 3 {
		t.Errorf("%d commands, %d of them with what they print; want 8 and 3 or more", tried, compared)
	}
}

// TestMethodsPage: docs/engines.md has what `octgen methods` prints, which is what is
// registered.
func TestMethodsPage(t *testing.T) {
	page := filepath.Join("..", "..", "docs", "engines.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var out, log bytes.Buffer
	if code := run(context.Background(), []string{"methods"}, nil, &out, &log); code != 0 {
		t.Fatalf("exit code %d: %s", code, log.String())
	}
	before, rest, _ := strings.Cut(string(text), "```\n")
	_, after, found := strings.Cut(rest, "```\n")
	if !found {
		t.Fatal("there is no block in the page")
	}
	want := before + "```\n" + out.String() + "```\n" + after
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(want, string(text)); d != "" {
		t.Errorf("make golden writes the page again (-registered +page):\n%s", d)
	}
}

// varying are what differs from run to run, or with the version of HiGHS.
var varying = regexp.MustCompile(`HiGHS [0-9.]+, [0-9]+ nodes?, [0-9.]+ s`)

// TestModelPage runs the commands of docs/model.md: they print what the page
// shows.
func TestModelPage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "model.md"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	commands := 0
	for _, block := range indentedBlocks(string(text)) {
		if strings.HasPrefix(block, "NAME plan") {
			write(t, "plan.mps", block)
			continue
		}
		for part := range strings.SplitSeq("\n"+block, "\n$ octgen ") {
			if part = strings.TrimPrefix(part, "\n"); part == "" {
				continue
			}
			commands++
			line, want, _ := strings.Cut(part, "\n")
			var out, log bytes.Buffer
			code := run(context.Background(), strings.Fields(line), nil, &out, &log)
			if wantCode := strings.Count(want, "FAILED"); code != wantCode {
				t.Fatalf("%s: exit code %d, want %d\n%s", line, code, wantCode, log.String())
			}
			if d := cmp.Diff(varying.ReplaceAllString(want, "HiGHS"), varying.ReplaceAllString(strings.TrimSpace(out.String()), "HiGHS")); d != "" {
				t.Errorf("%s (-page +printed):\n%s", line, d)
			}
			if strings.Contains(line, "-o plan.sol") {
				solution, err := os.ReadFile("plan.sol")
				if err != nil {
					t.Fatal(err)
				}
				write(t, "worse.sol", strings.Replace(string(solution), "van 1", "van 0", 1))
			}
		}
	}
	if commands != 7 {
		t.Errorf("%d commands on the page, want 7", commands)
	}
}

// indentedBlocks are the parts of a page that are indented by four blanks.
func indentedBlocks(text string) (blocks []string) {
	var block []string
	for line := range strings.Lines(text + "\n") {
		if code, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "    "); ok {
			block = append(block, code)
		} else if block != nil {
			blocks, block = append(blocks, strings.Join(block, "\n")), nil
		}
	}
	return blocks
}
