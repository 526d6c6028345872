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
)

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
