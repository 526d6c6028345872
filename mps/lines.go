package mps

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
)

const (
	maxLine    = 1 << 16 // characters, the line feed included
	readSize   = 1 << 18
	padding    = 16  // readable bytes behind every line, so that words can be read at once
	maxNoBytes = 100 // reads in a row that give neither bytes nor an error
	gzipMagic0 = 0x1f
	gzipMagic1 = 0x8b

	byteOrderMark = "\ufeff" // which some editors put before a text in UTF-8
)

var errTooLarge = errors.New("too large")

// lines gives the lines of a plain or gzip file.
type lines struct {
	r      io.Reader
	buf    []byte // the bytes read and not given yet are buf[lo:hi]
	lo, hi int
	err    error // r's, after these bytes
	number int   // of the last line, from 1
	left   int64 // bytes still allowed
	max    int64 // and at the beginning

	source *countingReader
	size   int64 // of the source, 0 if unknown
}

func newLines(r io.Reader, maxBytes int64) (*lines, error) {
	l := &lines{left: maxBytes, max: maxBytes, source: &countingReader{r: r}, size: sizeOf(r)}
	b := bufio.NewReaderSize(l.source, maxLine)
	l.r = b
	if magic, err := b.Peek(2); err == nil && magic[0] == gzipMagic0 && magic[1] == gzipMagic1 {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, err
		}
		l.r = z
	}
	if mark, err := b.Peek(len(byteOrderMark)); err == nil && string(mark) == byteOrderMark {
		if _, err := b.Discard(len(byteOrderMark)); err != nil {
			return nil, err
		}
	}
	l.buf = make([]byte, readSize+padding)
	return l, nil
}

// sizeOf returns how many bytes r will give if that is known, else 0.
func sizeOf(r io.Reader) int64 {
	switch r := r.(type) {
	case *os.File:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size()
		}
	case interface{ Len() int }:
		return int64(r.Len())
	}
	return 0
}

// rest returns how many bytes are still to come for each of those since the
// place, given as left was there; 0 if it is not known.
func (l *lines) rest(since int64) float64 {
	if l.size == 0 || since <= l.left {
		return 0
	}
	given := float64(l.max - l.left)
	read := given + float64(l.hi-l.lo)
	// What was read stands for as much of the source: gzip shortens evenly.
	all := read * float64(l.size) / float64(l.source.n)
	return max(0, all-given) / float64(since-l.left)
}

// countingReader counts the bytes of r.
type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// next returns the next line without its line feed, valid until the next call
// and followed by padding within its capacity. The error is io.EOF after the
// last.
func (l *lines) next() ([]byte, error) {
	for {
		n := bytes.IndexByte(l.buf[l.lo:l.hi], '\n') + 1
		full := n > maxLine || n == 0 && l.hi-l.lo >= maxLine
		if n == 0 && !full && l.err == nil {
			l.fill()
			continue
		}
		if n == 0 {
			n = l.hi - l.lo
		}
		line := l.buf[l.lo : l.lo+n]
		l.lo += n
		if n > 0 {
			l.number++
		}
		if l.left -= int64(n); l.left < 0 {
			return nil, errTooLarge
		}
		switch {
		case full:
			return nil, fmt.Errorf("the line has more than %d characters", maxLine)
		case n > 0 && line[n-1] == '\n':
			return line[:n-1], nil
		case n > 0 && l.err == io.EOF:
			return line, nil
		}
		return nil, l.err
	}
}

// fill moves the rest to the front of the buffer and reads once behind it.
func (l *lines) fill() {
	l.hi = copy(l.buf, l.buf[l.lo:l.hi])
	l.lo = 0
	for range maxNoBytes {
		n, err := l.r.Read(l.buf[l.hi:readSize])
		l.hi += n
		if l.err = err; n > 0 || err != nil {
			return
		}
	}
	l.err = io.ErrNoProgress
}
