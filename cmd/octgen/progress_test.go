package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/solvers"
)

// stopped returns a reporter whose clock stands still.
func stopped(w io.Writer) *reporter { return &reporter{w: w, stop: func() {}} }

// feed shows a reporter a solve with an improvement after 3 s.
func feed(r *reporter) {
	defer r.close()
	t0 := time.Unix(1000, 0)
	r.event(fit.Event{Stage: "solving"})
	for ms := 0; ms <= 15000; ms += 50 {
		e := solvers.Event{Objective: 0.5, Bound: math.Inf(-1), Gap: math.Inf(1), Nodes: int64(ms / 1000), Elapsed: time.Duration(ms) * time.Millisecond}
		if ms >= 3000 {
			e.Objective, e.Bound, e.Gap = 0.25, 0.125, 0.5
		}
		r.progress(&e, t0.Add(e.Elapsed))
	}
	r.event(fit.Event{Warning: "formulate: odd"})
}

// TestProgressPlain: a line per improvement, and one now and then.
func TestProgressPlain(t *testing.T) {
	var out bytes.Buffer
	feed(stopped(&out))
	want := `octgen: solving
octgen:    0.0 s  incumbent 0.5  bound none  gap none  nodes 0
octgen:    3.0 s  incumbent 0.25  bound 0.125  gap 50 %  nodes 3
octgen:   13.0 s  incumbent 0.25  bound 0.125  gap 50 %  nodes 13
octgen: warning: odd
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

// TestProgressLive: one line, redrawn at most every tenth of a second, and gone
// before anything else is written and at the end.
func TestProgressLive(t *testing.T) {
	var out bytes.Buffer
	r := stopped(&out)
	r.block = &liveBlock{w: &out, size: func() (int, int) { return 80, 24 }}
	feed(r)
	if n := bytes.Count(out.Bytes(), []byte("incumbent")); n != 151 {
		t.Errorf("drawn %d times, want 151", n)
	}
	if !bytes.HasSuffix(out.Bytes(), []byte("nodes 15\r\x1b[Koctgen: warning: odd\n")) {
		t.Errorf("ends with %q", out.Bytes()[max(0, out.Len()-60):])
	}
	for line := range bytes.SplitSeq(out.Bytes(), []byte("\r\x1b[K")) {
		if len(line) > 79 {
			t.Errorf("a live line of %d characters: %q", len(line), line)
		}
	}
}

// TestProgressIdle: without news the time goes on.
func TestProgressIdle(t *testing.T) {
	var out bytes.Buffer
	r := stopped(&out)
	t0 := time.Unix(1000, 0)
	r.idle(t0) // nothing to show yet
	r.progress(&solvers.Event{Objective: 0.5, Bound: 0.25, Gap: 0.5}, t0)
	r.idle(t0.Add(9 * time.Second))
	r.idle(t0.Add(12 * time.Second))
	r.close()
	want := `octgen:    0.0 s  incumbent 0.5  bound 0.25  gap 50 %  nodes 0
octgen:   12.0 s  incumbent 0.5  bound 0.25  gap 50 %  nodes 0
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

// TestProgressHint: what can be done is told once, when the stage that it is of goes on
// for long.
func TestProgressHint(t *testing.T) {
	var out bytes.Buffer
	r := stopped(&out)
	t0 := time.Unix(1000, 0)
	r.hintAt = t0.Add(hintAfter)
	r.event(fit.Event{Stage: "searching", Hint: "--depth 2 is proved sooner"})
	r.idle(t0.Add(hintAfter - time.Second))
	r.event(fit.Event{Stage: "writing"})
	r.idle(t0.Add(hintAfter + time.Second))
	r.event(fit.Event{Stage: "searching again", Hint: "--depth 1 is proved sooner"})
	r.idle(t0.Add(hintAfter + 2*time.Second))
	r.idle(t0.Add(hintAfter + 3*time.Second))
	r.close()
	want := "octgen: searching\noctgen: writing\noctgen: searching again\noctgen: --depth 1 is proved sooner\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

// TestProgressQuiet: nothing at all.
func TestProgressQuiet(t *testing.T) {
	var out bytes.Buffer
	feed(newReporter(&out, true))
	if out.Len() > 0 {
		t.Errorf("quiet, but: %q", out.String())
	}
}

// screen is a terminal that is written to: it wraps, scrolls without end, and
// knows the escape codes that octgen uses.
type screen struct {
	t             interface{ Fatalf(string, ...any) }
	width, height int
	rows          [][]rune
	wrapped       []bool // a row goes on in the next one
	row, col      int
}

func (s *screen) size() (int, int) { return s.width, s.height }

func (s *screen) Write(p []byte) (int, error) {
	text := []rune(string(p))
	for i := 0; i < len(text); i++ {
		switch r := text[i]; r {
		case '\r':
			s.col = 0
		case '\n':
			s.row, s.col = s.row+1, 0
		case '\x1b':
			i = s.escape(text, i)
		default:
			s.put(r)
		}
	}
	return len(p), nil
}

func (s *screen) reach() {
	for len(s.rows) <= s.row {
		s.rows, s.wrapped = append(s.rows, nil), append(s.wrapped, false)
	}
}

func (s *screen) put(r rune) {
	if s.col+cellsOf(r) > s.width {
		s.reach()
		s.wrapped[s.row] = true
		s.row, s.col = s.row+1, 0
	}
	s.reach()
	for len(s.rows[s.row]) < s.col {
		s.rows[s.row] = append(s.rows[s.row], ' ')
	}
	s.rows[s.row] = append(s.rows[s.row][:s.col], r)
	s.col++
	if cellsOf(r) == 2 {
		s.rows[s.row] = append(s.rows[s.row], 0)
		s.col++
	}
}

// escape obeys the code at text[i] and returns where it ends.
func (s *screen) escape(text []rune, i int) int {
	end := i + 2
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	if end >= len(text) || text[i+1] != '[' {
		s.t.Fatalf("half an escape code: %q", string(text[i:]))
	}
	n, _ := strconv.Atoi(string(text[i+2 : end]))
	switch text[end] {
	case 'A':
		if n < 1 || n > s.row || n >= s.height {
			s.t.Fatalf("%d rows up from row %d of a terminal with %d", n, s.row, s.height)
		}
		s.row -= n
	case 'J', 'K':
		s.reach()
		if s.col < len(s.rows[s.row]) {
			s.rows[s.row] = s.rows[s.row][:s.col]
		}
		if text[end] == 'J' {
			s.rows, s.wrapped = s.rows[:s.row+1], s.wrapped[:s.row+1]
		}
		s.wrapped[s.row] = false
	default:
		s.t.Fatalf("an unknown escape code: %q", string(text[i:end+1]))
	}
	return end
}

// resize changes the width as terminals do that wrap again.
func (s *screen) resize(width int) {
	s.reach()
	var lines [][]rune
	for i := range s.rows {
		if i > 0 && s.wrapped[i-1] {
			lines[len(lines)-1] = append(lines[len(lines)-1], s.rows[i]...)
		} else {
			lines = append(lines, append([]rune(nil), s.rows[i]...))
		}
	}
	s.rows, s.wrapped, s.row, s.col, s.width = nil, nil, 0, 0, width
	for i, l := range lines {
		if i > 0 {
			s.row, s.col = s.row+1, 0
		}
		s.reach()
		for _, r := range l {
			if r != 0 {
				s.put(r)
			}
		}
	}
}

// lines are the rows, those that belong together as one, without empty ones at
// the end.
func (s *screen) lines() []string {
	var out []string
	for i, r := range s.rows {
		text := strings.ReplaceAll(string(r), "\x00", "")
		if i > 0 && s.wrapped[i-1] {
			out[len(out)-1] += text
		} else {
			out = append(out, text)
		}
	}
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}

// TestLiveBlock: whatever is drawn, written above and resized, the screen holds
// the lines written above, then the last block, and the block's lines fit.
func TestLiveBlock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &screen{t: t, width: rapid.IntRange(5, 40).Draw(t, "width"), height: rapid.IntRange(9, 30).Draw(t, "height")}
		b := &liveBlock{w: s, size: s.size}
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab/ 世é…")), 1, 60, -1)
		var above []string
		drawn := s.width // when the block was drawn
		for step := range rapid.IntRange(1, 12).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				line := fmt.Sprint(step, text.Draw(t, "line"), "|")
				above = append(above, line)
				b.above(line, b.drawn)
				drawn = s.width
			case 1:
				b.erase()
			case 2: // wider, or by so little narrower that the block stays within the terminal
				s.resize(max(5, drawn-2, s.width+rapid.IntRange(-2, 10).Draw(t, "by")))
				continue // before the next drawing the block may be wrapped
			default:
				lines := rapid.SliceOfN(text, 1, 4).Draw(t, "lines")
				for i := range lines {
					lines[i] += "|"
				}
				b.draw(lines)
				drawn = s.width
			}
			want := append(append([]string(nil), above...), b.drawn...)
			if diff := cmp.Diff(want, s.lines(), cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("step %d: %s", step, diff)
			}
		}
		b.erase()
		if diff := cmp.Diff(above, s.lines(), cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestLiveBlockTall: of more lines than the terminal has rows some are counted.
func TestLiveBlockTall(t *testing.T) {
	s := &screen{t: t, width: 30, height: 5}
	b := &liveBlock{w: s, size: s.size}
	for range 3 {
		b.draw([]string{"bar", "a", "b", "c", "d", "e"})
	}
	if diff := cmp.Diff([]string{"bar", "a", "b", "  and 3 more"}, s.lines()); diff != "" {
		t.Error(diff)
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"世界", 3, "世…"}, {"世界", 2, "…"}, {"abc", 0, ""}} {
		if got := cut(c.text, c.width); got != c.want {
			t.Errorf("%q to %d: %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

// TestPainter: lines are coloured by how they begin, however they come, and nothing is
// lost or changed otherwise.
func TestPainter(t *testing.T) {
	text := "|--- status      optimal\nstatus      optimal (treesearch)\nstatus      feasible\nwarning     x\n\ncheck       agree\ncheck       FAILED\nno end"
	want := "|--- status      optimal\n" + green + "status      optimal (treesearch)" + plain + "\n" +
		yellow + "status      feasible" + plain + "\n" + yellow + "warning     x" + plain + "\n\ncheck       agree\n" +
		red + "check       FAILED" + plain + "\nno end"
	for _, step := range []int{1, 7, len(text)} {
		var out bytes.Buffer
		p := &painter{w: &out}
		for rest := text; rest != ""; {
			n := min(step, len(rest))
			if k, err := p.Write([]byte(rest[:n])); k != n || err != nil {
				t.Fatalf("%d bytes of %d, %v", k, n, err)
			}
			rest = rest[n:]
		}
		if err := p.end(); err != nil || out.String() != want {
			t.Errorf("in steps of %d:\n%q\nwant\n%q (%v)", step, out.String(), want, err)
		}
	}
}

// TestNoColours: a pipe, a file and a buffer get none.
func TestNoColours(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	file, err := os.Create(t.TempDir() + "/out")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, to := range []io.Writer{w, file, new(bytes.Buffer)} {
		if takesColours(to) {
			t.Errorf("%T takes colours", to)
		}
	}
	data := "x,y,class\n1,1,a\n2,1,b\n1,2,b\n2,2,a\n"
	if code := run(context.Background(), []string{"fit", "-", "--depth", "2"}, strings.NewReader(data), file, w); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	w.Close()
	told, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	printed, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(printed, []byte("status      optimal")) || bytes.Contains(append(told, printed...), []byte("\x1b")) {
		t.Errorf("printed %q, told %q", printed, told)
	}
}
