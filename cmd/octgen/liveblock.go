package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode"

	"golang.org/x/term"
)

// liveBlock is some lines at the bottom of a terminal that are drawn again in
// their place. No line is wider than the terminal, so that each takes one row as
// long as it is not resized; afterwards the rows are counted at the new width, as
// terminals that wrap again have them.
type liveBlock struct {
	w     io.Writer
	size  func() (width, height int)
	drawn []string // what stands on the terminal; the cursor is at its end
}

// newLiveBlock returns a block at the bottom of w, nil where lines on w cannot be
// drawn again.
func newLiveBlock(w io.Writer) *liveBlock {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return nil
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	return &liveBlock{w: w, size: func() (width, height int) { // each time: windows change
		width, height, err := term.GetSize(int(f.Fd()))
		if err != nil || width < 1 {
			width = 80
		}
		if err != nil || height < 1 {
			height = 24
		}
		return width, height
	}}
}

// draw replaces the block, in one write.
func (b *liveBlock) draw(lines []string) { b.replace("", lines) }

// above writes a line over the block, to stay there, and draws the block anew.
func (b *liveBlock) above(text string, lines []string) { b.replace(text+"\n", lines) }

func (b *liveBlock) replace(above string, lines []string) {
	next := b.fitting(lines)
	fmt.Fprint(b.w, b.erasing()+above+strings.Join(next, "\n"))
	b.drawn = next
}

// fitting are the lines that the terminal has room for, cut to its width.
func (b *liveBlock) fitting(lines []string) []string {
	width, height := b.size()
	if height > 2 && len(lines) > height-1 { // more than the terminal has rows could not be erased
		more := len(lines) - (height - 2)
		lines = append(lines[:height-2:height-2], fmt.Sprintf("  and %d more", more))
	}
	next := make([]string, len(lines))
	for i, l := range lines {
		next[i] = cut(l, width-1) // the last column would wrap on some terminals
	}
	return next
}

// erase takes the block away, where there is one.
func (b *liveBlock) erase() {
	if b == nil || len(b.drawn) == 0 {
		return
	}
	fmt.Fprint(b.w, b.erasing())
	b.drawn = nil
}

// erasing moves the cursor to where the block begins and clears from there on.
func (b *liveBlock) erasing() string {
	if len(b.drawn) == 0 {
		return ""
	}
	width, _ := b.size()
	rows := 0
	for _, l := range b.drawn {
		rows += max(1, (cells(l)+width-1)/width)
	}
	if rows == 1 {
		return "\r\x1b[K"
	}
	return fmt.Sprintf("\r\x1b[%dA\x1b[J", rows-1)
}

// cells is the width of a text on a terminal: what comes after Latin, Greek,
// Cyrillic and the like counts twice, which is no less than it takes, but for
// dashes, the ellipsis and blocks.
func cells(text string) int {
	n := 0
	for _, r := range text {
		n += cellsOf(r)
	}
	return n
}

func cellsOf(r rune) int {
	narrow := r < 0x1100 || r >= 0x2010 && r <= 0x2027 || r >= 0x2500 && r <= 0x25ff
	if narrow {
		return 1
	}
	return 2
}

// cut shortens a text to a number of cells.
func cut(text string, width int) string {
	if cells(text) <= width {
		return text
	}
	var b strings.Builder
	left := width - 1
	for _, r := range text {
		if left -= cellsOf(r); left < 0 {
			break
		}
		b.WriteRune(r)
	}
	if width > 0 {
		b.WriteRune('…')
	}
	return b.String()
}

// printable replaces what would move the cursor or change colours.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '?'
		}
		return r
	}, strings.ReplaceAll(strings.ToValidUTF8(text, "?"), "\n", " "))
}

// every calls do with the time, until it is stopped.
func every(d time.Duration, do func(now time.Time)) (stop func()) {
	tick, stopped := time.NewTicker(d), make(chan struct{})
	go func() {
		defer tick.Stop()
		for {
			select {
			case <-stopped:
				return
			case now := <-tick.C:
				do(now)
			}
		}
	}()
	return func() { close(stopped) }
}
