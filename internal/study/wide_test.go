//go:build cgo && !nohighs

package study

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The number of cases; the long study keeps what it has done after every block.
const (
	wideCases     = 2000
	wideLongCases = 100_000
	wideBlock     = 1000
)

// mostShrunk is the number of failures of a block that are shrunk.
const mostShrunk = 10

// wideState is what the study has done, as its file has it.
type wideState struct {
	First    uint64         `json:"first"`
	Next     uint64         `json:"next"`
	Seconds  float64        `json:"seconds"`
	Cases    map[string]int `json:"cases"`    // by row and column of the table
	Unproved map[string]int `json:"unproved"` // of these
	Failures []string       `json:"failures"`
}

// widths are the columns of the table: ratios of the largest to the smallest number.
var widths = []float64{1e2, 1e4, 1e6, 1e9, 1e12, 1e15}

func (c *wide) column() string {
	spread := c.spread()
	for _, w := range widths {
		if spread <= w*(1+1e-9) {
			return fmt.Sprintf("%.0e", w)
		}
	}
	return "more"
}

func (c *wide) row() string {
	if c.constrained() {
		return c.engine + ", constrained"
	}
	return c.engine
}

func (s *wideState) add(c *wide) {
	v := c.judge()
	key := c.row() + "|" + c.column()
	s.Cases[key]++
	switch v.kind {
	case "":
	case unproved:
		s.Unproved[key]++
	default:
		if len(s.Failures) < mostShrunk {
			c = c.shrink(v.kind)
			v = c.judge()
		}
		s.Failures = append(s.Failures, fmt.Sprintf("case wide/%d, %s: %s\n%v\n", c.seed, v.kind, v.text, c))
	}
}

// table is the share of answers without a proof.
func (s *wideState) table() string {
	var rows []string
	for key := range s.Cases {
		if row, _, _ := strings.Cut(key, "|"); !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	slices.Sort(rows)
	var columns []string
	for _, w := range widths {
		columns = append(columns, fmt.Sprintf("%.0e", w))
	}
	columns = append(columns, "more")
	var b strings.Builder
	fmt.Fprintf(&b, "Not proved, by the ratio of the largest to the smallest number:\n| engine | %s |\n|---|%s\n", strings.Join(columns, " | "), strings.Repeat("---:|", len(columns)))
	for _, row := range rows {
		fmt.Fprintf(&b, "| %s |", row)
		for _, column := range columns {
			all, not := s.Cases[row+"|"+column], s.Unproved[row+"|"+column]
			if all == 0 {
				b.WriteString(" |")
				continue
			}
			fmt.Fprintf(&b, " %d of %d (%.2g %%) |", not, all, 100*float64(not)/float64(all))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// progressFile is where the long study keeps what it has done; "" for nowhere.
func progressFile() string {
	if dir := os.Getenv("OCTGEN_STUDY"); dir != "" {
		return filepath.Join(dir, "wide.json")
	}
	return ""
}

// resume reads what was done before, from the same first seed.
func resume(t *testing.T, first uint64) *wideState {
	t.Helper()
	s := &wideState{First: first, Next: first, Cases: map[string]int{}, Unproved: map[string]int{}}
	file := progressFile()
	if file == "" {
		return s
	}
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return s
	}
	before := &wideState{}
	if err == nil {
		err = json.Unmarshal(text, before)
	}
	if err != nil {
		t.Fatal(err)
	}
	if before.First != first {
		return s
	}
	t.Logf("%s: %d cases were done before", file, before.Next-first)
	return before
}

func (s *wideState) keep(t *testing.T) {
	t.Helper()
	file := progressFile()
	if file == "" {
		return
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(file), 0o777)
	}
	if err == nil {
		err = os.WriteFile(file+".part", text, 0o666)
	}
	if err == nil {
		err = os.Rename(file+".part", file)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestWide holds fit against all trees, in exact arithmetic, where weights and costs lie
// far apart: no wrong optimum, no wrong "infeasible", no bound above the optimum by more
// than 1e-9 of it, no broken constraint, no failed check.
func TestWide(t *testing.T) {
	if name, ok := strings.CutPrefix(os.Getenv("OCTGEN_CASE"), "wide/"); ok {
		seed, err := strconv.ParseUint(name, 10, 64)
		if err != nil {
			t.Fatalf("OCTGEN_CASE=wide/%s; want a number", name)
		}
		c := drawWide(seed)
		t.Logf("%v\n%+v", c, c.judge())
		return
	}
	cases := wideCases
	if long() {
		cases = wideLongCases
	}
	cases = fromEnvironment(t, "OCTGEN_CASES", cases)
	first := uint64(fromEnvironment(t, "OCTGEN_SEED", 1)) << 32
	s := resume(t, first)
	for s.Next < first+uint64(cases) {
		began, failures := time.Now(), s.Failures
		s.Failures = nil
		for end := min(s.Next+wideBlock, first+uint64(cases)); s.Next < end; s.Next++ {
			s.add(drawWide(s.Next))
		}
		for _, f := range s.Failures {
			t.Error(f)
		}
		s.Failures = append(failures, s.Failures...)
		s.Seconds += time.Since(began).Seconds()
		s.keep(t)
		if long() {
			t.Logf("%d cases in %.0f s, %d failures", s.Next-first, s.Seconds, len(s.Failures))
		}
	}
	t.Logf("%d cases in %.1f s\n%s", s.Next-first, s.Seconds, s.table())
	if len(s.Failures) > 0 {
		t.Errorf("%d of %d cases fail", len(s.Failures), s.Next-first)
	}
}
