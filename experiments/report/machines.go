package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/experiments/run"
)

// machines are remarks on where the results were made, none where one kind of machine
// and one program made them all. Only times, and what time ended, depend on it.
func machines(records []run.Record) []string {
	var notes []string
	for _, of := range []struct {
		what string
		text func(p *run.Provenance) string
	}{
		{"processors", func(p *run.Provenance) string { return p.Processor }},
		{"numbers of cores", func(p *run.Provenance) string { return fmt.Sprint(p.Cores) }},
		{"systems", func(p *run.Provenance) string { return p.System }},
		{"builds of octgen", func(p *run.Provenance) string { return p.Version + " " + p.Binary[:min(8, len(p.Binary))] }},
	} {
		if n := fitsBy(records, of.text); len(n) > 1 {
			notes = append(notes, fmt.Sprintf("The fits were made by different %s: %s.", of.what, countsText(n)))
		}
	}
	if limited := unlikeLimited(records); limited > 0 {
		notes = append(notes, fmt.Sprintf("Warning: time ended %d of the fits, on machines of different kinds: those of the faster ones had more of it.", limited))
	}
	return notes
}

// fitsBy counts the fits whose machine has the same text.
func fitsBy(records []run.Record, text func(p *run.Provenance) string) map[string]int {
	n := make(map[string]int)
	for i := range records {
		if p := records[i].Provenance; p != nil && records[i].Result != nil {
			n[text(p)]++
		}
	}
	return n
}

// unlikeLimited is the number of fits that time ended, 0 unless machines of different
// kinds made them.
func unlikeLimited(records []run.Record) int {
	var limited []run.Record
	for i := range records {
		if r := &records[i]; r.Result != nil && (metric.Limit(r.Result) == "time" || r.CutShort) {
			limited = append(limited, *r)
		}
	}
	kinds := fitsBy(limited, func(p *run.Provenance) string { return fmt.Sprint(p.Processor, p.Cores, p.System) })
	if len(kinds) < 2 {
		return 0
	}
	return len(limited)
}

// mostMachines is how many kinds of machines a remark names.
const mostMachines = 6

// countsText lists counts by their names.
func countsText(n map[string]int) string {
	names := slices.Sorted(maps.Keys(n))
	var parts []string
	for _, name := range names[:min(mostMachines, len(names))] {
		parts = append(parts, fmt.Sprintf("%s (%d)", clean(name), n[name]))
	}
	text := strings.Join(parts, ", ")
	if more := len(names) - mostMachines; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
