package run

import (
	"fmt"
	"strings"
)

// Damage is a line of a journal that is no record. It is passed over, so that its task,
// unless another line has it, is one without a result. What a crash left of a last line is
// none.
type Damage struct {
	File string `json:"file"`
	Line int    `json:"line"` // 1, 2, ...
	Why  string `json:"why"`
}

// err is the damage as an error, for those who need the whole file.
func (d *Damage) err() error {
	return fmt.Errorf("%s:%d: the line is no result (%s); take it out and run the task again with --resume", d.File, d.Line, d.Why)
}

// shownDamages is how many of many damages are named.
const shownDamages = 5

// DamageText says which lines are damaged and what to do, "" where none is.
func DamageText(all []Damage) string {
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	if len(all) == 1 {
		b.WriteString("1 line is no result and is passed over: ")
	} else {
		fmt.Fprintf(&b, "%d lines are no results and are passed over: ", len(all))
	}
	for i, d := range all[:min(len(all), shownDamages)] {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s:%d (%s)", d.File, d.Line, d.Why)
	}
	if more := len(all) - shownDamages; more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	b.WriteString("; what is missing for it is run again by octgen run with --resume")
	return b.String()
}
