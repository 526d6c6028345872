package external

import (
	"bytes"
	"os"
	"strings"
)

const (
	tailLines = 20       // of the log in errors
	maxLine   = 4096     // bytes of a line that are looked at
	maxLog    = 64 << 20 // bytes of a log that are kept and handed on
)

// log takes an optimizer's output: into the record, line by line, to
// Options.Log and to a file, as it comes.
type log struct {
	job    *job
	record *record
	file   *os.File // nil once it fails
	handOn bool     // to Options.Log
	size   int
	part   []byte // of a line that is not complete
	last   []string
}

func newLog(j *job, r *record) *log {
	l := &log{job: j, record: r, handOn: j.opt.Log != nil}
	if f, err := os.OpenFile(j.file(logFile), os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		l.file = f
	}
	return l
}

func (l *log) close() {
	if l.file != nil {
		_ = l.file.Close() // it is for people, where the run fails
	}
}

// take takes the next bytes of output.
func (l *log) take(b []byte) {
	l.copy(b)
	for len(b) > 0 {
		end := bytes.IndexAny(b, "\n\r")
		line := b
		if end >= 0 {
			line = b[:end]
		}
		if room := maxLine - len(l.part); room > 0 {
			l.part = append(l.part, line[:min(room, len(line))]...)
		}
		if end < 0 {
			break
		}
		l.line()
		b = b[end+1:]
	}
	if l.record.news && l.job.opt.Progress != nil {
		l.record.news = false
		l.job.opt.Progress(l.record.event(l.job))
	}
}

// finish takes what is left of a last line without an end.
func (l *log) finish() {
	if len(l.part) > 0 {
		l.take([]byte("\n"))
	}
}

// copy hands on the bytes, up to the size that logs may have.
func (l *log) copy(b []byte) {
	if l.size < maxLog && l.size+len(b) >= maxLog {
		b = append(b[:maxLog-l.size:maxLog-l.size], "\n[the rest of the log is left out]\n"...)
		defer func() { l.size = maxLog }()
	} else if l.size >= maxLog {
		return
	}
	l.size += len(b)
	if l.handOn {
		if _, err := l.job.opt.Log.Write(b); err != nil {
			l.handOn = false
		}
	}
	if l.file != nil {
		if _, err := l.file.Write(b); err != nil {
			l.close()
			l.file = nil
		}
	}
}

// line takes the line that is complete.
func (l *log) line() {
	line := strings.TrimRight(strings.ToValidUTF8(string(l.part), "?"), " \t")
	l.part = l.part[:0]
	if line == "" {
		return
	}
	if len(l.last) == tailLines {
		l.last = append(l.last[:0], l.last[1:]...)
	}
	l.last = append(l.last, line)
	p, r := l.job.program, l.record
	if p.refusal != nil && r.refused == "" {
		if found := p.refusal.FindStringSubmatch(line); found != nil {
			r.refused, r.fatal = found[1], line
			return
		}
	}
	if p.fatal != nil && r.fatal == "" && p.fatal.MatchString(line) {
		r.fatal = strings.TrimSpace(line)
		return
	}
	p.scan(line, r)
}

// tail returns the last lines, without control characters.
func (l *log) tail() []string {
	out := make([]string, len(l.last))
	for i, line := range l.last {
		out[i] = strings.Map(func(r rune) rune {
			if r < ' ' && r != '\t' || r == 0x7f {
				return '?'
			}
			return r
		}, line[:min(len(line), 200)])
	}
	return out
}
