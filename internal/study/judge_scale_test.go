//go:build cgo && !nohighs

package study

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/octgen/octgen/formulate"
)

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
	return max(1, fromEnvironment(t, "OCTGEN_CASES", usualCases)*60/usualCases)
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
