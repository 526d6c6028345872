package main

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

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
