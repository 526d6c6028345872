package mps

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"math/bits"
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

const maxFields = 7 // of our own comments; data lines have 6

// split cuts a line, which has padding behind it, into its fields and returns
// how many there are; only the first maxFields are kept. A field after the first
// that begins with $ starts a comment.
func split(line []byte, field *[maxFields][]byte) int {
	b, end := line[:len(line)+padding], len(line)
	n := 0
	for k := 0; ; {
		for k < end && isBlank(b[k]) {
			k++
		}
		if k >= end || n > 0 && b[k] == '$' {
			return n
		}
		start := k
		k = min(fieldEnd(b, k, end), end)
		if n < maxFields {
			field[n] = b[start:k]
		}
		n++
	}
}

// fieldEnd returns where the field that holds b[k] ends, or something beyond
// end. It looks at eight bytes at a time.
func fieldEnd(b []byte, k, end int) int {
	for k < end {
		x := binary.LittleEndian.Uint64(b[k:])
		// The high bit of each byte up to ' ', exact for the first of them.
		small := (x - 0x2121212121212121) &^ x & 0x8080808080808080
		if small == 0 {
			k += 8
			continue
		}
		k += bits.TrailingZeros64(small) / 8
		if k >= end || isBlank(b[k]) {
			return k
		}
		k++ // another control character
	}
	return k
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// equalFold compares s with an upper-case ASCII word.
func equalFold(s []byte, word string) bool {
	if len(s) != len(word) {
		return false
	}
	for i, c := range s {
		if 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		if c != word[i] {
			return false
		}
	}
	return true
}

// clip shortens text for a message.
func clip(s []byte) string {
	if len(s) > 60 {
		return string(s[:60]) + "..."
	}
	return string(s)
}

const maxShort = 15 // bytes of a name that its key holds

// symbols maps names to 0, 1, 2, ... in order of insertion: an open-addressing
// table over one byte arena, without a string per name.
type symbols struct {
	text []byte
	end  []int // name i is text[end[i-1]:end[i]]
	syms []symbol
	slot []int32
	last int32 // the name found by findNext
	mix  key   // secret, so that nobody can choose names that collide
	seed maphash.Seed
}

// symbol is what is known of a name.
type symbol struct {
	key
	after int32 // 1 + the name that findNext found after this one
	mark  int32 // for the user
}

// key is a short name, padded with zeros, and its length in the highest byte; of
// a long name, its hash and a length that no short one has.
type key struct{ lo, hi uint64 }

func newSymbols() *symbols {
	s := &symbols{slot: make([]int32, 64), seed: maphash.MakeSeed()}
	s.mix = key{maphash.Bytes(s.seed, []byte{0}), maphash.Bytes(s.seed, []byte{1})}
	return s
}

func (s *symbols) len() int { return len(s.end) }

// name returns name i; it is valid until the next insertion.
func (s *symbols) name(i int) []byte {
	lo := 0
	if i > 0 {
		lo = s.end[i-1]
	}
	return s.text[lo:s.end[i]]
}

// keyOf returns the key of name. It reads whole words, which may reach beyond
// the name within its capacity.
func (s *symbols) keyOf(name []byte) key {
	n := len(name)
	if n > maxShort {
		return key{maphash.Bytes(s.seed, name), uint64(maxShort+1) << 56}
	}
	if cap(name) < 16 {
		name = append(make([]byte, 0, 16), name...)
	}
	return shortKey(name[:16], n)
}

// shortKey returns the key of the first n bytes of b, which has 16.
func shortKey(b []byte, n int) key {
	k := key{lo: binary.LittleEndian.Uint64(b), hi: uint64(n) << 56}
	if n <= 8 {
		k.lo &= 1<<(8*n) - 1
	} else {
		k.hi |= binary.LittleEndian.Uint64(b[8:]) & (1<<(8*(n-8)) - 1)
	}
	return k
}

// find returns the index of name, or -1.
func (s *symbols) find(name []byte) int {
	i, _ := s.probe(name, s.keyOf(name))
	return i
}

// findNext is find for a name whose key is known, fast if it comes after the
// name found before as it did the last time: columns often have like rows.
func (s *symbols) findNext(name []byte, k key) int {
	if len(s.syms) == 0 {
		return -1
	}
	before := &s.syms[s.last]
	if next := before.after - 1; next >= 0 && s.syms[next].key == k && len(name) <= maxShort {
		s.last = next
		return int(next)
	}
	i, _ := s.probe(name, k)
	if i >= 0 {
		before.after, s.last = int32(i)+1, int32(i)
	}
	return i
}

// insert adds name and returns its index, or -1 if it is there already.
func (s *symbols) insert(name []byte) int {
	if 2*len(s.end) >= len(s.slot) {
		s.grow()
	}
	k := s.keyOf(name)
	i, at := s.probe(name, k)
	if i >= 0 {
		return -1
	}
	s.text = append(s.text, name...)
	s.end = append(s.end, len(s.text))
	s.syms = append(s.syms, symbol{key: k})
	s.slot[at] = int32(len(s.end))
	return len(s.end) - 1
}

// home returns the slot where the search for a key begins.
func (s *symbols) home(k key) uint32 {
	hi, lo := bits.Mul64(k.lo^s.mix.lo, k.hi^s.mix.hi)
	return uint32(hi^lo) & uint32(len(s.slot)-1)
}

// probe returns the index of name, or -1 and the slot where it would go.
func (s *symbols) probe(name []byte, k key) (index int, at uint32) {
	mask := uint32(len(s.slot) - 1)
	for at = s.home(k); s.slot[at] != 0; at = (at + 1) & mask {
		i := int(s.slot[at] - 1)
		if s.syms[i].key == k && (len(name) <= maxShort || string(s.name(i)) == string(name)) {
			return i, at
		}
	}
	return -1, at
}

func (s *symbols) grow() {
	s.slot = make([]int32, 2*len(s.slot)) // of index+1; 0 is empty; the length is a power of two
	mask := uint32(len(s.slot) - 1)
	for i := range s.syms {
		at := s.home(s.syms[i].key)
		for s.slot[at] != 0 {
			at = (at + 1) & mask
		}
		s.slot[at] = int32(i + 1)
	}
}
