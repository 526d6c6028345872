//go:build cgo && !nohighs

package study

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The number of cases over all engines.
const (
	usualCases = 5000
	longCases  = 100_000
)

// fromEnvironment is a number that an environment variable sets.
func fromEnvironment(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		t.Fatalf("%s=%s; want a number", name, text)
	}
	return n
}

func long() bool { return os.Getenv("OCTGEN_LONG") == "1" }

// only is the one case that OCTGEN_CASE=ENGINE/N asks for.
func only(t *testing.T) *instance {
	t.Helper()
	text := os.Getenv("OCTGEN_CASE")
	if text == "" {
		return nil
	}
	e, number, _ := strings.Cut(text, "/")
	n, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		t.Fatalf("OCTGEN_CASE=%s; want ENGINE/N", text)
	}
	return draw(engine(e), n)
}

// tally counts verdicts, and keeps the first of each kind.
type tally struct {
	cases int
	time  time.Duration
	kinds map[string][]string
}

func (c *tally) add(in *instance, v verdict) {
	c.cases++
	if v.kind == "" {
		return
	}
	if c.kinds == nil {
		c.kinds = make(map[string][]string)
	}
	c.kinds[v.kind] = append(c.kinds[v.kind], fmt.Sprintf("%s\n%v", v.text, in))
}

// report fails the test where there is a verdict, with a few of each kind.
func (c *tally) report(t *testing.T, what string) {
	t.Helper()
	t.Logf("%s: %d cases in %.1f s", what, c.cases, c.time.Seconds())
	for kind, texts := range c.kinds {
		t.Errorf("%s: %s in %d of %d cases, such as", what, kind, len(texts), c.cases)
		for _, text := range texts[:min(3, len(texts))] {
			t.Errorf("%s", text)
		}
	}
}

// TestRandom holds every engine against exhaustive search.
func TestRandom(t *testing.T) {
	if in := only(t); in != nil {
		a := in.solve()
		lowest, optimum := in.optimum()
		t.Logf("%v\n%+v\noptimum %v (%v)\nverdict %+v", in, a, optimum, lowest, in.judge(a))
		return
	}
	cases := usualCases
	if long() {
		cases = longCases
	}
	cases = fromEnvironment(t, "OCTGEN_CASES", cases)
	first := uint64(fromEnvironment(t, "OCTGEN_SEED", 1)) << 32
	for _, e := range engines {
		t.Run(string(e.engine), func(t *testing.T) {
			var c tally
			began := time.Now()
			for i := range max(1, cases*e.share/1000) {
				in := draw(e.engine, first+uint64(i))
				c.add(in, in.judge(in.solve()))
			}
			c.time = time.Since(began)
			c.report(t, string(e.engine))
		})
	}
}
