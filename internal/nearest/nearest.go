// Package nearest finds the name that was probably meant by a misspelt one.
package nearest

import (
	"fmt"
	"strings"
)

// Name returns the name that wanted, which is none of them, was probably meant to
// be: the one that the fewest insertions, deletions and changes of letters lead to,
// upper and lower case alike. It is "" where none is near: more than a third of
// the letters and one more would have to go.
func Name(wanted string, names []string) string {
	best, distance := "", min(len(wanted)/3+2, len(wanted))
	for _, name := range names {
		if d := Distance(strings.ToLower(wanted), strings.ToLower(name)); d < distance {
			best, distance = name, d
		}
	}
	return best
}

// Hint asks for the name that was probably meant, or says otherwise where none is near.
func Hint(wanted string, names []string, otherwise string) string {
	if meant := Name(wanted, names); meant != "" {
		return fmt.Sprintf("did you mean %q?", meant)
	}
	return otherwise
}

// Distance is Levenshtein's, over bytes.
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
