package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// step is a command of a case: the arguments of octgen, which runs in the case's folder.
type step []string

// drawn is a case: files to be written beforehand, and commands.
type drawn struct {
	files map[string]string
	steps []step
}

// sample is a part of an example, with columns made up for weights, groups and rewards.
type sample struct {
	columns, classes []string // features; classes by frequency
	text             string
	weighted         bool
	grouped          bool
	policy           []string // columns of rewards; nil for classes
	numeric          bool
}

// drawer draws one case.
type drawer struct {
	*rand.Rand
	folder string
}

func (d *drawer) chance(p float64) bool { return d.Float64() < p }

func pick[T any](d *drawer, of ...T) T { return of[d.IntN(len(of))] }

// tables are the examples, with the number of rows that a case may take of each.
var tables = []struct {
	name    string
	most    int
	numeric bool
}{
	{"iris", 150, true}, {"wine", 120, true}, {"seeds", 150, true}, {"balance-scale", 150, true}, {"banknote", 200, true},
	{"blood-transfusion", 200, true}, {"breast-cancer", 80, true}, {"heart", 120, false}, {"house-votes", 150, false}, {"tic-tac-toe", 150, false}, {"german-credit", 80, false},
}

// sample draws rows of an example, at most so many.
func (d *drawer) sample(most int, policy, numeric bool) sample {
	of := tables
	if numeric {
		of = slices.DeleteFunc(slices.Clone(of), func(t struct {
			name    string
			most    int
			numeric bool
		}) bool {
			return !t.numeric
		})
	}
	t := of[d.IntN(len(of))]
	text, err := os.ReadFile(filepath.Join(d.folder, t.name+".csv"))
	if err != nil {
		panic(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	header, rows := strings.Split(lines[0], ","), lines[1:]
	d.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	rows = rows[:min(len(rows), 12+d.IntN(min(most, t.most)-11))]
	s := sample{columns: header[:len(header)-1], numeric: t.numeric, weighted: d.chance(0.2), grouped: d.chance(0.3)}
	seen := map[string]int{}
	for _, r := range rows {
		seen[r[strings.LastIndexByte(r, ',')+1:]]++
	}
	for c := range seen {
		s.classes = append(s.classes, c)
	}
	slices.SortFunc(s.classes, func(a, b string) int {
		if seen[a] != seen[b] {
			return seen[b] - seen[a]
		}
		return strings.Compare(a, b)
	})
	if policy {
		s.weighted = false
		s.policy = []string{"stay", "call", "visit"}[:2+d.IntN(2)]
	}
	s.write(d, header, rows, pick(d, 0, 0, 1, 2))
	return s
}

// write makes the CSV text. Weights are whole numbers, multiples of a quarter, or real.
func (s *sample) write(d *drawer, header, rows []string, kind int) {
	var out strings.Builder
	extra := []string{}
	if s.weighted {
		extra = append(extra, "wt")
	}
	if s.grouped {
		extra = append(extra, "grp")
	}
	class := header[len(header)-1]
	if s.policy != nil {
		extra, class = append(extra, s.policy...), ""
	}
	names := append(slices.Clone(s.columns), extra...)
	if class != "" {
		names = append(names, class)
	}
	out.WriteString(strings.Join(names, ",") + "\n")
	for _, r := range rows {
		at := strings.LastIndexByte(r, ',')
		out.WriteString(r[:at])
		if s.weighted {
			w := float64(1 + d.IntN(4))
			switch kind {
			case 1:
				w /= 4
			case 2:
				w = 0.5 + d.Float64()
			}
			out.WriteString("," + strconv.FormatFloat(w, 'g', 6, 64))
		}
		if s.grouped {
			out.WriteString("," + pick(d, "a", "a", "b"))
		}
		for range s.policy {
			out.WriteString("," + strconv.FormatFloat(float64(d.IntN(40))/8, 'g', -1, 64))
		}
		if class != "" {
			out.WriteString("," + r[at+1:])
		}
		out.WriteByte('\n')
	}
	s.text = out.String()
}

// data are the flags by which the sample is read.
func (s *sample) data(d *drawer) (flags step) {
	if s.policy != nil {
		flags = append(flags, "--rewards", strings.Join(s.policy, ","))
	}
	if s.weighted {
		flags = append(flags, "--weight", "wt")
	}
	if s.grouped && (s.policy != nil || d.chance(0.5)) {
		flags = append(flags, pick(d, "--group", "--group-as-feature", "--ignore"), "grp")
		if s.policy != nil {
			flags[len(flags)-2] = "--ignore"
		}
	} else if s.grouped {
		flags = append(flags, "--ignore", "grp")
	}
	if d.chance(0.3) {
		flags = append(flags, "--missing", pick(d, "drop", "mean", "category"))
	}
	if !s.numeric && d.chance(0.3) {
		flags = append(flags, "--categorical", "ordinal")
	}
	if s.policy == nil && d.chance(0.1) {
		flags = append(flags, "--class-weight", "balanced")
	}
	return flags
}

// class is one of the classes, quoted for a constraint where it has to be.
func (s *sample) class(d *drawer) string {
	return pick(d, s.classes[:min(len(s.classes), 2)]...)
}

// costs draws a cost matrix.
func (s *sample) costs(d *drawer) string {
	var all []string
	for _, a := range s.classes {
		for _, b := range s.classes {
			if a != b && d.chance(0.7) {
				all = append(all, fmt.Sprintf("%s:%s=%v", a, b, pick(d, 1.0, 2, 5, 0.5, 1.3, 0)))
			}
		}
	}
	if len(all) == 0 {
		return s.classes[0] + ":" + s.classes[len(s.classes)-1] + "=3"
	}
	return strings.Join(all, ",")
}

// constraints draws up to two constraints.
func (s *sample) constraints(d *drawer) (flags step) {
	rate := func() string { return strconv.FormatFloat(float64(d.IntN(101))/100, 'g', -1, 64) }
	column := func() string { return pick(d, s.columns...) }
	for range 1 + d.IntN(2) {
		switch d.IntN(10) {
		case 0, 1:
			flags = append(flags, "--recall", s.class(d)+">="+rate())
		case 2:
			flags = append(flags, "--precision", s.class(d)+">="+rate())
		case 3:
			flags = append(flags, "--share", s.class(d)+"<="+rate())
		case 4:
			if s.grouped {
				flags = append(flags, "--fair", pick(d, "statistical-parity", "equal-opportunity", "equalized-odds")+":grp<="+pick(d, "0.05", "0.1", "0.3"), "--positive", s.class(d))
			}
		case 5:
			flags = append(flags, "--leaf-purity", pick(d, "0.6", "0.8", "1"))
		case 6:
			flags = append(flags, "--max-features", pick(d, "1", "2", "3"))
		case 7:
			flags = append(flags, "--feature-cost", column()+"="+pick(d, "0.05", "0.2", "1"))
		case 8:
			flags = append(flags, "--forbid", column())
		case 9:
			flags = append(flags, "--monotone", column()+"="+pick(d, "+1", "-1"), "--class-order", strings.Join(s.classes, ","))
		}
	}
	return flags
}
