package main

import (
	"bytes"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// Colours of terminals: green for what is proved, yellow for what is not and for
// warnings, red for what failed. Files, pipes and other programs get none.
const (
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	plain  = "\x1b[0m"
)

// lineColours are the colours of lines by their beginning; the first that fits counts.
var lineColours = []struct{ begins, colour string }{
	{"status      optimal", green},
	{"status      infeasible", red},
	{"status      ", yellow},
	{"warning     ", yellow},
	{"check       FAILED", red},
}

// takesColours reports whether w is a terminal whose user has not asked for none
// (NO_COLOR, or TERM=dumb).
func takesColours(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// coloured is text in a colour, where w takes colours.
func coloured(w io.Writer, colour, text string) string {
	if !takesColours(w) {
		return text
	}
	return colour + text + plain
}

// painter colours whole lines on their way to w. What comes after the last end of a line
// waits for its rest.
type painter struct {
	w    io.Writer
	rest []byte
}

// painted is w with its lines coloured, where it takes colours, and what writes the rest
// at the end.
func painted(w io.Writer) (_ io.Writer, end func() error) {
	if !takesColours(w) {
		return w, func() error { return nil }
	}
	p := &painter{w: w}
	return p, p.end
}

// Write implements io.Writer.
func (p *painter) Write(text []byte) (int, error) {
	p.rest = append(p.rest, text...)
	last := bytes.LastIndexByte(p.rest, '\n')
	if last < 0 {
		return len(text), nil
	}
	var out strings.Builder
	for line := range strings.Lines(string(p.rest[:last+1])) {
		out.WriteString(paint(line))
	}
	p.rest = append(p.rest[:0], p.rest[last+1:]...)
	_, err := io.WriteString(p.w, out.String())
	if err != nil {
		return 0, err
	}
	return len(text), nil
}

func (p *painter) end() error {
	_, err := p.w.Write(p.rest)
	p.rest = nil
	return err
}

// paint colours a line, which ends with a line feed.
func paint(line string) string {
	for _, c := range lineColours {
		if strings.HasPrefix(line, c.begins) {
			return c.colour + strings.TrimSuffix(line, "\n") + plain + "\n"
		}
	}
	return line
}
