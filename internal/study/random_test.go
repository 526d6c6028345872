//go:build cgo && !nohighs

package study

import (
	"bytes"
	"errors"
	"fmt"
	"github.com/octgen/octgen/internal/datatest"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/octgen/octgen/formulate"
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
	cases := datatest.Some(usualCases)
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

// drawScale draws a factor from 1e-9 to 1e12: a power of two, of ten, or any number.
func drawScale(rng *rand.Rand) (c float64, power bool) {
	switch rng.IntN(3) {
	case 0:
		return math.Ldexp(1, rng.IntN(70)-30), true
	case 1:
		return math.Pow10(rng.IntN(22) - 9), false
	}
	return math.Pow(10, 21*rng.Float64()-9), false
}

// casesPerEngine of the tests of scaling.
func casesPerEngine(t *testing.T) int {
	if long() {
		return 2000
	}
	return max(1, fromEnvironment(t, "OCTGEN_CASES", datatest.Some(usualCases))*60/usualCases)
}

// TestRandomScaled holds every engine against exhaustive search, with weights and
// least leaf of any size.
func TestRandomScaled(t *testing.T) {
	first := uint64(fromEnvironment(t, "OCTGEN_SEED", 1))<<32 | 1<<31
	for _, e := range engines {
		t.Run(string(e.engine), func(t *testing.T) {
			var c tally
			began := time.Now()
			for i := range casesPerEngine(t) {
				in := draw(e.engine, first+uint64(i))
				factor, _ := drawScale(rand.New(rand.NewPCG(in.seed, 2)))
				in = in.scaled(factor)
				c.add(in, in.judge(in.solve()))
			}
			c.time = time.Since(began)
			c.report(t, string(e.engine))
		})
	}
}

// TestScale: all weights and the least leaf times c change no answer.
func TestScale(t *testing.T) {
	first := uint64(fromEnvironment(t, "OCTGEN_SEED", 1))<<32 | 3<<30
	for _, e := range engines {
		t.Run(string(e.engine), func(t *testing.T) {
			var tally tally
			began := time.Now()
			for i := range casesPerEngine(t) {
				in := draw(e.engine, first+uint64(i))
				c, power := drawScale(rand.New(rand.NewPCG(in.seed, 2)))
				v := in.compare(c, power)
				v.text = fmt.Sprintf("times %v: %s", c, v.text)
				tally.add(in, v)
			}
			tally.time = time.Since(began)
			tally.report(t, string(e.engine))
		})
	}
}

// TestScaleOfTies: classes of a leaf that tie do so at every scale. The native descent
// for RLP summed the weights of the data, which are thirds here, and times 1e-9 one
// class was the heavier by rounding.
func TestScaleOfTies(t *testing.T) {
	in := draw(rlp, 3340410815884)
	if v := in.compare(1e-9, false); v.kind != "" {
		t.Errorf("%s\n%v", v.text, in)
	}
}

// compare solves the instance at its own scale and times c.
func (in *instance) compare(c float64, power bool) verdict {
	one, other := in.solve(), in.scaled(c).solve()
	if one.refused || other.refused {
		if one.refused != other.refused {
			return say(wrong, "errors %v and %v", one.err, other.err)
		}
		return verdict{}
	}
	if (one.err == nil) != (other.err == nil) {
		return say(failed, "errors %v and %v", one.err, other.err)
	}
	if one.err != nil {
		return verdict{}
	}
	const close = 1e-9
	switch {
	case one.status != other.status:
		return say(wrong, "status %s and %s, objectives %v and %v", one.status, other.status, one.value, other.value)
	case !same(one.value, other.value, close):
		return say(wrong, "objectives %v and %v", one.value, other.value)
	case !same(one.bound, other.bound, close):
		return say(wrong, "bounds %v and %v", one.bound, other.bound)
	case !same(one.train, other.train, close):
		return say(wrong, "objectives of the trees %v and %v", one.train, other.train)
	case power && !(same(one.value, other.value, 0) && same(one.bound, other.bound, 0) && slices.EqualFunc(one.nodes, other.nodes, node.equals)):
		return say(wrong, "by a power of two: objectives %v and %v, bounds %v and %v, trees %+v and %+v", one.value, other.value, one.bound, other.bound, one.nodes, other.nodes)
	case in.unitary && !slices.EqualFunc(one.nodes, other.nodes, node.near):
		return say(wrong, "trees %+v and %+v", one.nodes, other.nodes)
	}
	if power && in.engine != search {
		return in.compareModels(c)
	}
	return verdict{}
}

func (a node) equals(b node) bool {
	return a.b == b.b && a.left == b.left && a.right == b.right && a.class == b.class && slices.Equal(a.weights, b.weights)
}

// near is equals but for rounding; the class of a branch node, its majority, may be
// another of equal weight.
func (a node) near(b node) bool {
	close := func(v, w float64) bool { return same(v, w, 1e-9) }
	return close(a.b, b.b) && a.left == b.left && a.right == b.right && slices.EqualFunc(a.weights, b.weights, close) &&
		(a.weights != nil || a.class == b.class)
}

// compareModels writes both models, which are the same bytes where c is a power of
// two.
func (in *instance) compareModels(c float64) verdict {
	one, err := in.model()
	if errors.Is(err, formulate.ErrSingleLeaf) {
		return verdict{}
	}
	if err != nil {
		return say(failed, "the model: %v", err)
	}
	other, err := in.scaled(c).model()
	if err != nil {
		return say(failed, "the scaled model: %v", err)
	}
	if bytes.Equal(one, other) {
		return verdict{}
	}
	a, b := bytes.Split(one, []byte("\n")), bytes.Split(other, []byte("\n"))
	for i := range min(len(a), len(b)) {
		if !bytes.Equal(a[i], b[i]) {
			return say(wrong, "line %d of the models: %q and %q", i+1, a[i], b[i])
		}
	}
	return say(wrong, "models of %d and %d lines", len(a), len(b))
}

// heavier is the instance with some rows so heavy that solvers can hardly tell the
// others apart, or not at all, and sometimes a price of splits as small.
func (in *instance) heavier(rng *rand.Rand) *instance {
	h := *in
	h.w, h.limit = slices.Clone(in.w), 5*time.Second // which solvers that go round in circles need
	times := []float64{1e4, 1e5, 1e6, 1e7, 1e8, 1e10, 1e13}[rng.IntN(7)]
	for i := range h.w {
		if rng.IntN(3) == 0 {
			h.w[i] *= times
		}
	}
	if rng.IntN(3) == 0 {
		h.alpha = []float64{1e-7, 1e-6, 1e-5}[rng.IntN(3)]
	}
	return &h
}

// fine is the least difference of two objectives that matters.
func (in *instance) fine() float64 {
	unit := slices.Min(in.w) / in.baseline()
	if in.alpha > 0 {
		unit = min(unit, in.alpha)
	}
	return unit
}

// TestHeavyRows: with weights of any ratio an optimum is one and a bound is one, to a
// part of the least weight; and there is a tree within the limits. Solvers' tolerances
// of 1e-6 once decided what differences of 1e-7 are.
func TestHeavyRows(t *testing.T) {
	cases := datatest.Some(40)
	if long() {
		cases = 2000
	}
	first := uint64(fromEnvironment(t, "OCTGEN_SEED", 1))<<32 | 5<<29
	for _, e := range []engine{search, threshold, bigM, indicator, octH} {
		t.Run(string(e), func(t *testing.T) {
			for i := range cases {
				in := draw(e, first+uint64(i))
				in = in.heavier(rand.New(rand.NewPCG(in.seed, 5)))
				if in.baseline() == 0 || in.constant() || !enough(in.total(), in.minLeaf) {
					continue
				}
				a := in.solve()
				if a.err != nil || a.problem != "" || a.nodes == nil {
					t.Errorf("error %v, check %q\n%v", a.err, a.problem, in)
					continue
				}
				if v := in.judgeTree(a); v.kind == wrong {
					t.Errorf("%s\n%v", v.text, in)
				}
				lowest, optimum := in.optimum()
				tolerance := max(0.2*in.fine(), 1e-9*optimum)
				if a.status == "optimal" && math.Abs(a.value-optimum) > tolerance {
					t.Errorf("optimal: %v; the optimum is %v\n%v", a.value, optimum, in)
				}
				if a.bound > lowest+tolerance {
					t.Errorf("bound %v; the optimum is %v\n%v", a.bound, lowest, in)
				}
			}
		})
	}
}
