package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"

	"golang.org/x/term"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/internal/atomicfile"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/external" // also registers the solvers
)

// How often progress is shown: a live line is redrawn at most every liveEvery;
// plain lines come after an improvement at most every plainEvery, and without
// one every plainIdle.
const (
	liveEvery  = 100 * time.Millisecond
	plainEvery = time.Second
	plainIdle  = 10 * time.Second
	clockEvery = 500 * time.Millisecond // looks whether a solver without news is to be shown
	hintAfter  = 3 * time.Second        // work goes on for so long: why, and what can be done
)

// reporter writes the news of a fit to a terminal, as one line that is redrawn,
// or as plain lines.
type reporter struct {
	mu    sync.Mutex
	w     io.Writer  // nil: quiet
	block *liveBlock // for the line; nil where w is no terminal
	last  time.Time
	shown solvers.Event

	until time.Time // end of the time limit; zero for none

	news    solvers.Event // the latest one
	arrived time.Time     // when; zero before the solver runs
	stop    func()        // ends the clock

	hint   string    // what can be done about the stage that was reached last, "" for nothing
	hintAt time.Time // when it is told
}

func newReporter(w io.Writer, quiet bool) *reporter {
	if quiet {
		return &reporter{}
	}
	r := &reporter{w: w, block: newLiveBlock(w), hintAt: time.Now().Add(hintAfter)}
	r.stop = every(clockEvery, r.idle)
	return r
}

// idle shows the latest news again with the time since: the solver may have none for
// long, as in a long relaxation.
func (r *reporter) idle(now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.w != nil && r.hint != "" && now.After(r.hintAt) {
		r.write(r.hint)
		r.hint = ""
	}
	if r.arrived.IsZero() || now.Sub(r.arrived) < clockEvery {
		return
	}
	e := r.news
	e.Elapsed += now.Sub(r.arrived)
	r.show(&e, now)
}

// event shows an event of a fit.
func (r *reporter) event(e fit.Event) {
	switch {
	case e.Progress != nil:
		r.progress(e.Progress, time.Now())
	case e.Warning != "":
		r.warn(plainText(e.Warning))
	default:
		r.line(e.Stage)
		r.mu.Lock()
		r.hint = e.Hint
		r.mu.Unlock()
	}
}

// warnings shows what looks wrong in data.
func (r *reporter) warnings(texts []string) {
	for _, text := range texts {
		r.warn(printable(text))
	}
}

// warn writes a warning.
func (r *reporter) warn(text string) { r.line(coloured(r.w, yellow, "warning:") + " " + text) }

// line writes a line of its own.
func (r *reporter) line(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.w != nil {
		r.write(text)
	}
}

// write writes a line in the place of the live one.
func (r *reporter) write(text string) {
	r.block.erase()
	fmt.Fprintln(r.w, "octgen:", text)
}

// progress shows how far a solve is, unless it was shown just now.
func (r *reporter) progress(e *solvers.Event, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.w == nil {
		return
	}
	r.news, r.arrived = *e, now
	r.show(e, now)
}

func (r *reporter) show(e *solvers.Event, now time.Time) {
	since := now.Sub(r.last)
	if r.block != nil {
		if since >= liveEvery {
			r.block.draw([]string{r.progressText(e, now)})
			r.last = now
		}
		return
	}
	better := e.Objective != r.shown.Objective && !math.IsNaN(e.Objective) || e.Bound != r.shown.Bound && !math.IsInf(e.Bound, 0)
	if better && since >= plainEvery || since >= plainIdle {
		fmt.Fprintln(r.w, "octgen:", r.progressText(e, now))
		r.last, r.shown = now, *e
	}
}

// close takes the live line away and ends the reports.
func (r *reporter) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.w != nil {
		r.block.erase()
		r.stop()
		r.w = nil
	}
}

func (r *reporter) progressText(e *solvers.Event, now time.Time) string {
	text := fmt.Sprintf("%6.1f s  incumbent %s  bound %s  gap %s  nodes %d",
		e.Elapsed.Seconds(), figure(e.Objective), figure(e.Bound), percent(e.Gap), e.Nodes)
	if !r.until.IsZero() {
		text += "  left " + roughly(r.until.Sub(now))
	}
	return text
}

// limit shows the time left of a limit, 0 for none.
func (r *reporter) limit(d duration) {
	if d > 0 {
		r.until = time.Now().Add(time.Duration(d))
	}
}

// attended begins work that is told of on standard error, unless it is to be quiet,
// and that an interrupt ends early, which the text then says. done ends both.
func (a *app) attended(quiet bool, text string) (ctx context.Context, rep *reporter, done func()) {
	rep = newReporter(a.stderr, quiet)
	ctx, stop := interruptible(cmp.Or(a.work, a.ctx), func() { rep.line(text) })
	return ctx, rep, func() { rep.close(); stop() }
}

// What is told of an interrupt.
const (
	onceMore   = "interrupted; once more ends at once"
	solverStop = "interrupted: waiting for the solver to stop; once more ends at once"
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

// attention is what SIGINT and SIGTERM come to: the first one while work is under way
// ends that early; any other ends the program at once, with nothing half-written left
// behind, be it before the work, after it, while what was found is written, or because
// one was enough.
type attention struct {
	once sync.Once
	mu   sync.Mutex
	work *interrupted // under way, or ended early; nil for none
}

// interrupted is work that an interrupt may end.
type interrupted struct {
	come   bool // the interrupt
	cancel context.CancelFunc
	first  func()
}

var signals attention

// watch begins to look at signals, once.
func (a *attention) watch() {
	a.once.Do(func() {
		come := make(chan os.Signal, 2)
		signal.Notify(come, os.Interrupt, syscall.SIGTERM)
		go func() {
			for range come {
				a.interrupt()
			}
		}()
	})
}

func (a *attention) interrupt() {
	a.mu.Lock()
	w := a.work
	if w == nil || w.come {
		external.Abandon()
		atomicfile.Abandon()
		os.Exit(exitInterrupted)
	}
	w.come = true
	a.mu.Unlock()
	w.cancel()
	go w.first()
}

// interruptible returns a context that the first SIGINT or SIGTERM cancels, after which
// first is called on a goroutine of its own. stop ends that: the next signal ends the
// program at once.
func interruptible(parent context.Context, first func()) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	w := &interrupted{cancel: cancel, first: first}
	signals.watch()
	signals.mu.Lock()
	defer signals.mu.Unlock()
	signals.work = w
	return ctx, func() {
		signals.mu.Lock()
		defer signals.mu.Unlock()
		if signals.work == w {
			signals.work = nil
		}
		cancel()
	}
}
