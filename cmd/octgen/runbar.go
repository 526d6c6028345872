package main

import (
	"fmt"
	"strings"
)

// runBar draws how many tasks are done: 25% |█████               | (1/4). Parts of
// a percent and of a cell do not count.
type runBar struct {
	width       int // between the ends
	done, total int
}

func (b *runBar) String() string {
	percent := 100 * b.done / max(1, b.total)
	full := b.width * percent / 100
	return fmt.Sprintf("%d%% |%s%s| (%d/%d)", percent, strings.Repeat("█", full), strings.Repeat(" ", b.width-full), b.done, b.total)
}
