package study

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// engine is one way to an answer; of OCT, an encoding by its name.
type engine string

const (
	search    engine = "search"
	threshold engine = "threshold"
	flow      engine = "flow"
	cut       engine = "cut"
	binOCT    engine = "binoct"
	bigM      engine = "bigm"
	indicator engine = "indicator"
	octH      engine = "oct-h"
	rlp       engine = "rlp"
	fm        engine = "fm"
)

// engines are all of them, with their share of the cases, in thousandths: cheap ones
// have more.
var engines = []struct {
	engine
	share int
}{
	{search, 470}, {rlp, 150}, {threshold, 120}, {fm, 60}, {flow, 30}, {cut, 30}, {binOCT, 30}, {bigM, 50}, {indicator, 30}, {octH, 30},
}

// fmBox is the bound on the size of fm's standardised weights where the data give
// none.
const fmBox = 1000

// instance is a small problem, with all that the engines are told of it.
type instance struct {
	engine  engine
	seed    uint64
	drawnBy string // kinds of values and of weights, for messages

	x       [][]float64 // (n)(p)
	y       []int
	k       int
	w       []float64
	unitary bool // the weights are whole multiples of a unit that is found again after any scaling

	depth, maxSplits   int
	alpha, minLeaf, mu float64

	perturbed  bool          // rlp, fm: the error of RLP-P
	eps, delta float64       // of it; fm's most error
	start      string        // none, cart
	native     bool          // rlp without a solver
	limit      time.Duration // 0: none
}

func (in *instance) n() int { return len(in.y) }
func (in *instance) p() int { return len(in.x[0]) }

func (in *instance) String() string {
	return fmt.Sprintf("case %s/%d (%s): depth %d, alpha %v, least leaf %v, most splits %d, mu %v, perturbed %v, eps %v, delta %v, start %s, native %v\nx %v\ny %v of %d\nw %v",
		in.engine, in.seed, in.drawnBy, in.depth, in.alpha, in.minLeaf, in.maxSplits, in.mu, in.perturbed, in.eps, in.delta, in.start, in.native, in.x, in.y, in.k, in.w)
}

func (in *instance) total() float64 {
	sum := 0.0
	for _, w := range in.w {
		sum += w
	}
	return sum
}

func (in *instance) classWeights() []float64 {
	c := make([]float64, in.k)
	for i, y := range in.y {
		c[y] += in.w[i]
	}
	return c
}

// baseline is the error weight of the best single leaf.
func (in *instance) baseline() float64 {
	c := in.classWeights()
	slices.Sort(c)
	rest := 0.0
	for _, w := range c[:len(c)-1] {
		rest += w
	}
	return rest
}

// scaled is the instance with all weights and the least leaf times c.
func (in *instance) scaled(c float64) *instance {
	s := *in
	s.w = slices.Clone(in.w)
	for i := range s.w {
		s.w[i] *= c
	}
	s.minLeaf *= c
	return &s
}

// draw returns instance number seed of an engine. Those that no finite tolerance
// could judge are drawn again.
func draw(e engine, seed uint64) *instance {
	for again := uint64(0); ; again++ {
		in := drawAny(e, rand.New(rand.NewPCG(seed, uint64(len(e))<<32+again)))
		in.engine, in.seed = e, seed
		if in.decidable() {
			return in
		}
	}
}

// size is what an engine can be asked for in milliseconds.
type size struct{ rows, features, depth int }

func (e engine) size(rng *rand.Rand) size {
	switch e {
	case search:
		return size{12, 4, 1 + rng.IntN(3)}
	case threshold:
		return [...]size{{12, 3, 1}, {10, 3, 2}, {7, 2, 3}}[rng.IntN(3)]
	case flow, cut, binOCT:
		return [...]size{{10, 3, 1}, {8, 2, 2}, {7, 2, 2}}[rng.IntN(3)]
	case bigM, indicator:
		return [...]size{{10, 3, 1}, {10, 3, 1}, {6, 2, 2}}[rng.IntN(3)]
	case octH:
		return [...]size{{9, 3, 1}, {9, 2, 1}, {6, 2, 2}}[rng.IntN(3)]
	}
	return size{12, 4, 1}
}

func drawAny(e engine, rng *rand.Rand) *instance {
	most := e.size(rng)
	in := &instance{depth: most.depth, k: 2 + rng.IntN(3), start: []string{"none", "cart"}[rng.IntN(2)]}
	in.drawPoints(rng, 2+rng.IntN(most.rows-1), 1+rng.IntN(most.features))
	in.drawClasses(rng)
	in.drawWeights(rng)
	switch e {
	case rlp, fm:
		in.drawSplit(e, rng)
	default:
		in.drawTree(rng)
	}
	if e == cut {
		in.minLeaf = 0 // which it cannot keep above the lightest row
	}
	if e == octH {
		in.mu = []float64{0.005, 0.0173, 0.0871, 0.2113}[rng.IntN(4)]
		if in.maxSplits > 0 {
			in.maxSplits += rng.IntN(3) // features
		}
	}
	return in
}

// drawPoints draws features with ties, and points that are there before.
func (in *instance) drawPoints(rng *rand.Rand, n, p int) {
	kinds := map[string]func() float64{}
	levels := 2 + rng.IntN(6)
	kinds["whole"] = func() float64 { return float64(rng.IntN(levels)) }
	kinds["tenths"] = func() float64 { return float64(rng.IntN(40)-20) / 10 }
	kinds["real"] = func() float64 { return rng.NormFloat64() }
	kinds["binary"] = func() float64 { return float64(rng.IntN(2)) }
	names := []string{"whole", "whole", "tenths", "real", "binary"}
	column := make([]func() float64, p)
	for j := range column {
		name := names[rng.IntN(len(names))]
		column[j] = kinds[name]
		in.drawnBy += name + " "
	}
	for i := range n {
		row := make([]float64, p)
		if i > 0 && rng.IntN(5) == 0 {
			copy(row, in.x[rng.IntN(i)])
		} else {
			for j := range row {
				row[j] = column[j]()
			}
		}
		in.x = append(in.x, row)
	}
}

// drawClasses draws classes at random or, with noise, by a rule.
func (in *instance) drawClasses(rng *rand.Rand) {
	rule := rng.IntN(3) > 0
	j, at := rng.IntN(in.p()), in.x[rng.IntN(len(in.x))]
	for _, row := range in.x {
		y := rng.IntN(in.k)
		if rule && rng.IntN(5) > 0 {
			y = 0
			if row[j] < at[j] {
				y = 1
			}
			if in.k > 2 && row[in.p()-1] > at[in.p()-1] {
				y = 2
			}
		}
		in.y = append(in.y, y)
	}
}

// weightKinds are how weights are drawn.
var weightKinds = []struct {
	name    string
	unitary bool
	draw    func(rng *rand.Rand) float64
}{
	{"ones", true, func(*rand.Rand) float64 { return 1 }},
	{"whole", true, func(rng *rand.Rand) float64 { return float64(1 + rng.IntN(9)) }},
	{"hundreds", true, func(rng *rand.Rand) float64 { return float64(1 + rng.IntN(500)) }},
	{"quarters", true, func(rng *rand.Rand) float64 { return float64(1+rng.IntN(12)) / 4 }},
	{"tenths", true, func(rng *rand.Rand) float64 { return float64(1+rng.IntN(30)) / 10 }},
	{"thirds", true, func(rng *rand.Rand) float64 { return float64(1+rng.IntN(9)) / 3 }},
	{"wide", true, func(rng *rand.Rand) float64 { return math.Floor(math.Pow(10, 4*rng.Float64())) }},
	{"real", false, func(rng *rand.Rand) float64 { return 0.5 + rng.Float64() }},
	{"roots", false, func(rng *rand.Rand) float64 { return math.Sqrt(float64(1 + rng.IntN(9))) }},
}

func (in *instance) drawWeights(rng *rand.Rand) {
	kind := weightKinds[rng.IntN(len(weightKinds))]
	in.drawnBy += "values, " + kind.name + " weights"
	in.unitary = kind.unitary
	for range in.x {
		in.w = append(in.w, kind.draw(rng))
	}
}

func (in *instance) drawTree(rng *rand.Rand) {
	if rng.IntN(2) == 0 {
		in.alpha = []float64{0.01, 0.05, 0.1, 0.25, 1. / 3, 0.5}[rng.IntN(6)]
	}
	if rng.IntN(3) == 0 {
		in.maxSplits = 1 + rng.IntN(1<<in.depth-1)
	}
	switch rng.IntN(6) {
	case 0, 1:
		in.minLeaf = slices.Min(in.w)
	case 2: // reached exactly by some leaf, perhaps
		for _, w := range in.w {
			if rng.IntN(4) == 0 {
				in.minLeaf += w
			}
		}
	case 3:
		in.minLeaf = in.total() * 0.4 * rng.Float64()
	case 4:
		if rng.IntN(4) == 0 {
			in.minLeaf = in.total() // the single leaf, or nothing
			if rng.IntN(2) == 0 {
				in.minLeaf *= 1.5
			}
		}
	}
}

func (in *instance) drawSplit(e engine, rng *rand.Rand) {
	in.depth = 1
	in.perturbed = rng.IntN(2) == 0
	if in.perturbed {
		in.eps = []float64{0.02, 0.1, 0.5}[rng.IntN(3)]
	}
	if e == rlp {
		in.native = !in.perturbed && rng.IntN(2) == 0
		return
	}
	least := in.rlpOptimum(everything(in.p()), math.Inf(1))
	in.delta = max(least, 0.05) * []float64{1.03, 1.1, 1.5, 2.5}[rng.IntN(4)]
}

// decidable says whether tolerances of 1e-6 leave one answer: no weight of rows lies
// near the least leaf's without being equal to it but for rounding, no margin near mu,
// no class nearly as heavy as the heaviest where that matters, no least error near
// delta.
func (in *instance) decidable() bool {
	if in.engine == rlp || in.engine == fm {
		return in.heaviestIsClear() && in.deltaIsClear()
	}
	if in.minLeaf > 0 && !in.minLeafIsClear() {
		return false
	}
	return in.mu == 0 || in.marginsAreClear()
}

// minLeafIsClear tries the weights of all sets of rows.
func (in *instance) minLeafIsClear() bool {
	for set := 1; set < 1<<in.n(); set++ {
		sum := 0.0
		for i, w := range in.w {
			if set>>i&1 == 1 {
				sum += w
			}
		}
		if off := math.Abs(sum/in.minLeaf - 1); off > 1e-12 && off < 1e-5 {
			return false
		}
	}
	return true
}

// heaviestIsClear: with several classes, which is the heaviest decides what is parted.
func (in *instance) heaviestIsClear() bool {
	c := in.classWeights()
	slices.Sort(c)
	slices.Reverse(c)
	return in.k == 2 || c[0]-c[1] > 1e-6*c[0]
}

func everything(p int) []int {
	all := make([]int, p)
	for j := range all {
		all[j] = j
	}
	return all
}
