package mps

import (
	"encoding/binary"
	"math/bits"
)

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
