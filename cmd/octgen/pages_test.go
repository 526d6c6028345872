//go:build cgo && !nohighs

package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
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
	write(t, "numbers.csv", "a,b,y\n"+strings.NewReplacer("no\n", "1.5\n", "yes\n", "2\n").Replace(rows))
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

// TestReadmeGo: the Go code of README is the code of this test, so it compiles and runs.
func TestReadmeGo(t *testing.T) {
	code := func(file, from, to string) string {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(text), from)
		block, _, _ := strings.Cut(rest, to)
		return strings.Join(strings.Fields(block), " ")
	}
	readme := code(filepath.Join("..", "..", "README.md"), "```go\n", "fmt.Print")
	if d := cmp.Diff(code("pages_test.go", "only. README:\n", "// end"), readme); d != "" {
		t.Error(d)
	}
	t.Chdir(filepath.Join("..", "..", "examples"))
	ctx := context.Background()
	//lint:ignore SA4006 a page shows the errors of its last line only. README:
	ds, err := dataset.Load("iris.csv", dataset.LoadOptions{})
	res, err := fit.Run(ctx, ds, fit.Options{
		Method: &problem.OCT{Shape: problem.Shape{
			Levels: problem.Levels{Depth: 4}, Price: problem.Price{Alpha: 0.01},
		}},
		Solve: solvers.Options{TimeLimit: time.Minute},
	})
	// end
	if err != nil || res.Tree == nil {
		t.Errorf("%v, %v", res, err)
	}
}

// varying are what differs from run to run, or with the version of HiGHS.
var varying = regexp.MustCompile(`HiGHS [0-9.]+, |highs [0-9.]+, |highs [0-9.]+|[0-9]+ nodes?, |[0-9.]+ s\b`)

// TestPrinted runs the commands after "$ " on the pages below, one after the other, and
// compares what octgen prints with what follows on the page. A line "..." stands for any
// lines. "$ cat FILE" of a new file writes it. -update writes the pages again.
func TestPrinted(t *testing.T) {
	examples, err := filepath.Abs(filepath.Join("..", "..", "examples"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"README.md", "docs/tutorial.md", "docs/data.md", "docs/constraints.md", "docs/solvers.md", "docs/production.md"} {
		page := filepath.Join(filepath.Dir(examples), filepath.FromSlash(name))
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			if err := os.CopyFS("examples", os.DirFS(examples)); err != nil {
				t.Fatal(err)
			}
			var printed strings.Builder
			lines := strings.SplitAfter(string(text), "\n")
			for i := 0; i < len(lines); {
				printed.WriteString(lines[i])
				command, ok := strings.CutPrefix(lines[i], "    $ ")
				if i++; !ok {
					continue
				}
				end := i
				for j := i; j < len(lines) && !strings.HasPrefix(lines[j], "    $ ") && (lines[j] == "\n" || strings.HasPrefix(lines[j], "    ")); j++ {
					if lines[j] != "\n" {
						end = j + 1
					}
				}
				shown := strings.Join(lines[i:end], "")
				want := strings.ReplaceAll(strings.TrimPrefix(shown, "    "), "\n    ", "\n")
				got := printedBy(t, strings.TrimSpace(command), want)
				if want != "" && got != "" && !matches(want, got) {
					if !*update || strings.Contains(want, "\n...\n") {
						t.Errorf("%s (-page +printed):\n%s", command, cmp.Diff(want, got))
					} else {
						shown = strings.ReplaceAll("    "+strings.ReplaceAll(strings.TrimSuffix(got, "\n"), "\n", "\n    ")+"\n", "\n    \n", "\n\n")
					}
				}
				printed.WriteString(shown)
				i = end
			}
			if *update {
				if err := os.WriteFile(page, []byte(printed.String()), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// printedBy is what a command prints; "" of those that are not octgen's.
func printedBy(t *testing.T, command, page string) string {
	t.Helper()
	command, _, _ = strings.Cut(command, "  #")
	line, ok := strings.CutPrefix(strings.TrimPrefix(command, "bin/"), "octgen ")
	if !ok {
		if file, ok := strings.CutPrefix(command, "cat "); ok && !strings.Contains(file, " ") {
			write(t, file, page)
		} else if _, err := exec.LookPath(strings.Fields(command)[0]); err != nil {
			t.Skip(err)
		} else if out, err := exec.Command("sh", "-c", command).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
		return ""
	}
	var out, log bytes.Buffer
	code := run(context.Background(), strings.Fields(strings.ReplaceAll(line, "'", "")), nil, &out, &log)
	if want := strings.Count(page, "FAILED"); code != want {
		t.Fatalf("%s: exit code %d, want %d: %s", command, code, want, log.String())
	}
	return strings.TrimRight(out.String(), "\n") + "\n"
}

// matches reports whether want is got, up to what varies and to lines "...".
func matches(want, got string) bool {
	want, got = varying.ReplaceAllString(want, ""), varying.ReplaceAllString(got, "")
	parts := strings.Split("\n"+want, "\n...\n")
	rest, ok := strings.CutPrefix("\n"+got, parts[0])
	for _, part := range parts[1:] {
		if i := strings.Index(rest, "\n"+strings.TrimSuffix(part, "\n")); i < 0 {
			return false
		} else {
			rest = rest[i+len("\n"+strings.TrimSuffix(part, "\n")):]
		}
	}
	return ok && (strings.TrimSpace(rest) == "" || strings.HasSuffix("\n"+want, "\n...\n"))
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

// commands are the command lines of a page, without their comments.
var commands = regexp.MustCompile(`(?m)^(?: {4}(?:\$ )?)?(?:bin/)?octgen ([a-z].*?)(?: +#.*)?$`)

// TestPageCommands: every line with a command on the pages is one by the grammar.
func TestPageCommands(t *testing.T) {
	cut := regexp.MustCompile(` [|>].*| && .*| \|\| .*|;.*`)
	for page, text := range pages(t) {
		inBlock := false
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "```") {
				inBlock = !inBlock
			}
			m := commands.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
			if m == nil || !inBlock && !strings.HasPrefix(line, "    ") {
				continue
			}
			words := fields(cut.ReplaceAllString(optional.ReplaceAllString(m[1], ""), ""))
			if _, err := (&app{ctx: context.Background(), stdout: bufio.NewWriter(io.Discard), stderr: io.Discard}).parse(words, new(helpAsked)); err != nil {
				t.Errorf("%s: octgen %s: %v", page, m[1], err)
			}
		}
	}
}

// fields are the words of a command line, those in single quotes whole.
func fields(line string) (words []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 0 {
			words = append(words, strings.Fields(part)...)
		} else {
			words = append(words, part)
		}
	}
	return words
}

// pages are the texts of the documentation by their paths.
func pages(t *testing.T) map[string]string {
	t.Helper()
	root := filepath.Join("..", "..")
	texts := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/tables/*.md", "examples/*.md"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts[file] = string(text)
		}
	}
	return texts
}

// TestLinks: links between pages lead to files and headings that exist.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading := regexp.MustCompile("(?m)^#+ (.*)$")
	dropped := regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
	for page, text := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			path, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(path, ":") {
				continue
			}
			file := page
			if path != "" {
				file = filepath.Join(filepath.Dir(page), filepath.FromSlash(path))
			}
			target, err := os.ReadFile(file)
			if info, _ := os.Stat(file); err != nil && (info == nil || !info.IsDir()) {
				t.Errorf("%s: %s: no such file", page, m[1])
				continue
			}
			found := anchor == ""
			for _, h := range heading.FindAllStringSubmatch(string(target), -1) {
				found = found || strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-") == anchor
			}
			if !found {
				t.Errorf("%s: %s: no such heading", page, m[1])
			}
		}
	}
}
