package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Times, memory, versions and folders are no behaviour.
var irrelevant = []struct {
	pattern *regexp.Regexp
	put     string
}{
	{regexp.MustCompile(`"((?:[a-z_]*_)?seconds|version|octgen|elapsed|started|ended|finished|created|time|when|host|pid)": ?("[^"]*"|[-0-9.e+]+)`), `"$1":0`},
	{regexp.MustCompile(`[0-9.e+-]+ (?:s|ms|µs|seconds?|minutes?|MB|kB)\b`), "T"},
	{regexp.MustCompile(`\b[0-9.]+(?:ms|µs|s|m[0-9.]+s)\b`), "T"},
	{regexp.MustCompile(`/tmp/recorded[0-9]+`), "FOLDER"},
	{regexp.MustCompile(`octgen [0-9a-f][0-9a-f.-]+(?:-dirty)?`), "octgen V"},
	{regexp.MustCompile(`octgen (?:dev|[0-9a-f]{7,}(?:-dirty)?)`), "octgen V"},
	{regexp.MustCompile(`(?m)^octgen: (?:.*incumbent .* bound .*|objective .*|not proved yet .*)\n`), ""}, // comes by the clock
	{regexp.MustCompile(`"trace_seconds":\[[^a-z]*(?:null[^a-z]*)*\]`), ""},
	{regexp.MustCompile(`"(?:binary_sha256|processor|go)":"[^"]*"`), ""},
	{regexp.MustCompile(`data-v="[^"]*" data-times="cell">[^<]*<`), "T"},
	{regexp.MustCompile(`(?s)<svg.*?</svg>`), ""}, // plots of times are among them
	{regexp.MustCompile(`[0-9a-f]{64}`), "HASH"},
}

// byClock are files of experiments that hold times only, or the order in which tasks ended.
var byClock = regexp.MustCompile(`times|seconds|solving|report\.html|trace|\.svg$|lock|journal|\.log$`)

func normal(text string) string {
	for _, i := range irrelevant {
		text = i.pattern.ReplaceAllString(text, i.put)
	}
	return text
}

// compare compares two folders of records, and prints what differs.
func compare(a, b string, out io.Writer) error {
	names, err := filepath.Glob(filepath.Join(a, "*.json"))
	if err != nil {
		return err
	}
	equal, timed, differ := 0, 0, 0
	for _, path := range names {
		x, err := readRecord(path)
		if err != nil {
			return err
		}
		y, err := readRecord(filepath.Join(b, filepath.Base(path)))
		if err != nil {
			return err
		}
		onTime := endedOnTime(x) || endedOnTime(y)
		diff := differs(x, y, onTime)
		switch {
		case diff != "":
			differ++
			fmt.Fprintf(out, "%s: %s\n", filepath.Base(path), diff)
		case onTime:
			timed++
		default:
			equal++
		}
	}
	fmt.Fprintf(out, "%d cases: %d equal, %d that ended on time with the same keys and statuses, %d differ\n", len(names), equal, timed, differ)
	if differ > 0 {
		return fmt.Errorf("%d cases differ", differ)
	}
	return nil
}

func readRecord(path string) (all []recorded, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return all, json.Unmarshal(text, &all)
}

// endedOnTime reports whether a time limit was asked for, or a command took too long.
func endedOnTime(of []recorded) bool {
	return slices.ContainsFunc(of, func(r recorded) bool {
		return r.Code < 0 || slices.Contains(r.Args, "--time-limit")
	})
}

// differs says in what the records of a case differ, "" for nothing.
func differs(x, y []recorded, onTime bool) string {
	if len(x) != len(y) {
		return fmt.Sprintf("%d commands, then %d", len(x), len(y))
	}
	for i := range x {
		p, q := x[i], y[i]
		what := strings.Join(p.Args, " ")
		switch {
		case p.Code < 0 || q.Code < 0:
			return ""
		case p.Code != q.Code:
			return fmt.Sprintf("%s\n  exit code %d, then %d\n  %s  %s", what, p.Code, q.Code, p.Stderr, q.Stderr)
		case onTime:
			if k, l := keys(p.Stdout), keys(q.Stdout); !slices.Equal(k, l) {
				return fmt.Sprintf("%s\n  keys and statuses %v\n  then %v", what, missing(k, l), missing(l, k))
			}
			continue
		}
		for _, t := range []struct{ name, a, b string }{{"output", p.Stdout, q.Stdout}, {"messages", p.Stderr, q.Stderr}} {
			if d := firstDifference(normal(t.a), normal(t.b)); d != "" {
				return fmt.Sprintf("%s\n  %s: %s", what, t.name, d)
			}
		}
		for name, text := range p.Files {
			other, there := q.Files[name]
			if byClock.MatchString(name) && there {
				continue
			}
			if strings.HasSuffix(name, ".jsonl") {
				text, other = sorted(text), sorted(other)
			}
			if d := firstDifference(normal(text), normal(other)); d != "" || !there {
				return fmt.Sprintf("%s\n  file %s: %s", what, name, d)
			}
		}
		if len(p.Files) != len(q.Files) {
			return fmt.Sprintf("%s\n  %d files, then %d", what, len(p.Files), len(q.Files))
		}
	}
	return ""
}

// sorted is a text with its lines in order: tasks end in any.
func sorted(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// missing are those of a that b has not.
func missing(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(k string) bool { return slices.Contains(b, k) })
}

// keys are the keys of a JSON text with the values of statuses, sorted.
func keys(text string) (all []string) {
	var value map[string]any
	if json.Unmarshal([]byte(text), &value) != nil {
		return nil
	}
	for k, v := range value {
		if k == "status" {
			k += " " + fmt.Sprint(v)
		}
		all = append(all, k)
	}
	slices.Sort(all)
	return all
}

// firstDifference shows the first lines that differ, "" for none.
func firstDifference(a, b string) string {
	if a == b {
		return ""
	}
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(x), len(y)) {
		at := func(of []string) string {
			if i < len(of) {
				return of[i]
			}
			return "(nothing)"
		}
		if at(x) != at(y) {
			p, q := at(x), at(y)
			from := 0
			for from < min(len(p), len(q)) && p[from] == q[from] {
				from++
			}
			from = max(0, from-60)
			return fmt.Sprintf("line %d\n    %s\n    %s", i+1, p[from:min(len(p), from+240)], q[from:min(len(q), from+240)])
		}
	}
	return ""
}
