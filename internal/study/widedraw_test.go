package study

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// wide is a problem whose numbers lie far apart, with the engine that is asked.
type wide struct {
	exactCase
	seed     uint64
	engine   string // auto, search, mio
	encoding string // of mio; "" for the default
	scale    string // of the encoding bigm; "" for the default
	start    string
}

// classNames are the classes as files have them.
var classNames = []string{"x", "y", "z"}

// The numbers that cases are made of.
var (
	farWeights = []float64{1e-9, 1e-6, 1, 1e6}
	farther    = []float64{1e-20, 1e-9, 1, 1e12, 1e18}
	farCosts   = []float64{0, 1e-6, 1, 10, 1e6}
	ratios     = []float64{1e2, 1e4, 1e6, 1e9, 1e12, 1e15}
)

func pick[T any](rng *rand.Rand, from ...T) T { return from[rng.IntN(len(from))] }

// drawWide returns case number seed.
func drawWide(seed uint64) *wide {
	rng := rand.New(rand.NewPCG(seed, 32))
	c := &wide{seed: seed, engine: "search", start: "auto"}
	n := 2 + rng.IntN(6)
	c.k = 2 + rng.IntN(min(2, n-1))
	c.drawRows(rng, n, 1+rng.IntN(3))
	c.drawNumbers(rng)
	c.drawShape(rng)
	if rng.IntN(4) > 0 {
		c.drawConstraints(rng)
	}
	c.drawEngine(rng)
	return c
}

// drawRows draws features with ties, rows that are there before, and classes that all
// have a row.
func (c *wide) drawRows(rng *rand.Rand, n, p int) {
	levels := 2 + rng.IntN(4)
	for i := range n {
		row := make([]float64, p)
		for j := range row {
			row[j] = float64(rng.IntN(levels))
		}
		if i > 0 && rng.IntN(5) == 0 {
			copy(row, c.x[rng.IntN(i)])
		}
		c.x, c.y = append(c.x, row), append(c.y, rng.IntN(c.k))
	}
	for k, i := range rng.Perm(n)[:c.k] {
		c.y[i] = k
	}
}

// drawNumbers draws weights and costs.
func (c *wide) drawNumbers(rng *rand.Rand) {
	var weight func() float64
	switch rng.IntN(4) {
	case 0:
		weight = func() float64 { return pick(rng, farWeights...) }
	case 3:
		weight = func() float64 { return pick(rng, farther...) }
	case 1:
		weight = func() float64 { return float64(1 + rng.IntN(5)) }
	default:
		r := pick(rng, ratios...)
		weight = func() float64 { return math.Pow(r, rng.Float64()) }
	}
	for range c.y {
		c.w = append(c.w, weight())
	}
	entries := farCosts
	if rng.IntN(10) == 0 && slices.Min(c.w) >= 1e-6 && slices.Max(c.w) <= 1e6 { // else products lose digits or overflow
		entries = []float64{0, 1e-300, 1, 1e300}
	}
	switch rng.IntN(10) {
	case 0, 1, 2, 3:
		c.matrix = make([][]float64, c.k)
		for y := range c.matrix {
			c.matrix[y] = drawCosts(rng, c.k, y, entries)
		}
	case 4:
		for i, y := range c.y {
			row := drawCosts(rng, c.k, y, entries)
			for k := range row {
				row[k] *= c.w[i]
			}
			c.costs = append(c.costs, row)
		}
	}
}

// drawCosts draws costs of answers where y is true, 0 for y as a rule.
func drawCosts(rng *rand.Rand, k, y int, from []float64) []float64 {
	row := make([]float64, k)
	for l := range row {
		if l != y || rng.IntN(4) == 0 {
			row[l] = pick(rng, from...)
		}
	}
	return row
}

func (c *wide) drawShape(rng *rand.Rand) {
	c.depth = 1 + rng.IntN(2)
	if c.features() == 1 && rng.IntN(4) == 0 {
		c.depth = 3
	}
	c.alpha = pick(rng, 0, 0, 1e-15, 1e-6, 0.01, 0.5, 1)
	switch rng.IntN(4) {
	case 0:
		c.minLeaf = pick(rng, c.w...)
	case 1:
		c.minLeaf = slices.Min(c.w)
	}
	if rng.IntN(4) == 0 {
		c.maxSplits = 1 + rng.IntN(1<<c.depth-1)
	}
}

// drawConstraints draws at least one.
func (c *wide) drawConstraints(rng *rand.Rand) {
	least := func() string { return pick(rng, "0.25", "0.5", "0.75", "0.9", "0.483", "1") }
	for drawn := 0; drawn == 0 || rng.IntN(2) == 0; drawn++ {
		class := rng.IntN(c.k)
		switch rng.IntN(9) {
		case 0:
			c.addRate(rate{"recall", class, least()})
		case 1:
			c.addRate(rate{"precision", class, least()})
		case 2:
			c.addRate(rate{"share", class, least()})
		case 3:
			for _, r := range c.rates {
				if fairness(r) {
					class = r.class
				}
			}
			if c.group == nil {
				for range c.y {
					c.group = append(c.group, rng.IntN(2))
				}
				c.group[0], c.group[1] = 0, 1
			}
			c.addRate(rate{pick(rng, "statistical-parity", "equal-opportunity", "equalized-odds"), class, pick(rng, "0", "0.05", "0.2", "0.5", "0.483")})
		case 4, 5:
			c.purity = least()
		case 6:
			c.maxFeatures = 1 + rng.IntN(2)
		case 7:
			c.price = make([]float64, c.features())
			for j := range c.price {
				c.price[j] = pick(rng, 0, 1e-6, 0.02, 0.5)
			}
		case 8:
			c.monotone, c.order = make([]int, c.features()), rng.Perm(c.k)
			c.monotone[rng.IntN(c.features())] = pick(rng, -1, 1)
		}
	}
}

func fairness(r rate) bool { return r.kind != "recall" && r.kind != "precision" && r.kind != "share" }

// addRate adds a rate, or replaces one of the same kind and class.
func (c *wide) addRate(r rate) {
	c.rates = slices.DeleteFunc(c.rates, func(o rate) bool { return o.kind == r.kind && o.class == r.class })
	c.rates = append(c.rates, r)
}

func (c *wide) drawEngine(rng *rand.Rand) {
	switch rng.IntN(20) {
	case 0, 1, 2, 3:
		c.engine = "auto"
	case 4, 5:
		c.engine, c.start = "mio", pick(rng, "none", "cart", "auto")
		c.encoding = pick(rng, "", "threshold", "flow", "cut", "bigm")
		if c.encoding == "cut" { // which knows no leaves
			c.minLeaf, c.purity = 0, ""
		}
		if c.encoding == "bigm" {
			c.scale = pick(rng, "", "minmax")
			c.depth = min(c.depth, 2)
		}
	}
}

func (c *wide) constrained() bool {
	return len(c.rates) > 0 || c.purity != "" || c.maxFeatures > 0 || c.price != nil || c.monotone != nil
}

// spread is the ratio of the largest to the smallest of the numbers that are summed up:
// weights, what errors cost, and prices of splits and features.
func (c *wide) spread() float64 {
	low, high := slices.Min(c.w), slices.Max(c.w)
	add := func(all ...float64) {
		for _, v := range all {
			if v > 0 {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	o := newOracle(&c.exactCase)
	for _, row := range o.about {
		add(row...)
	}
	for _, price := range append(o.prices, o.step) {
		v, _ := price.Float64()
		add(v)
	}
	return high / low
}

func text(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// csv is the training file.
func (c *wide) csv() string {
	var b strings.Builder
	for j := range c.features() {
		fmt.Fprintf(&b, "f%d,", j+1)
	}
	if c.group != nil {
		b.WriteString("grp,")
	}
	b.WriteString("wt,cls\n")
	for i, row := range c.x {
		for _, v := range row {
			b.WriteString(text(v) + ",")
		}
		if c.group != nil {
			fmt.Fprintf(&b, "g%d,", c.group[i])
		}
		fmt.Fprintf(&b, "%s,%s\n", text(c.w[i]), classNames[c.y[i]])
	}
	return b.String()
}

// costMatrix is the option, "" for none.
func (c *wide) costMatrix() string {
	var all []string
	for y, row := range c.matrix {
		for k, v := range row {
			all = append(all, fmt.Sprintf("%s:%s=%s", classNames[y], classNames[k], text(v)))
		}
	}
	return strings.Join(all, ",")
}

// ratesOf are the options of rates of a kind, of fairness with "".
func (c *wide) ratesOf(kind string) []string {
	var all []string
	for _, r := range c.rates {
		switch op := map[string]string{"recall": ">=", "precision": ">=", "share": "<="}[r.kind]; {
		case r.kind == kind:
			all = append(all, classNames[r.class]+op+r.limit)
		case kind == "" && fairness(r):
			all = append(all, r.kind+":grp<="+r.limit)
		}
	}
	return all
}

// positive is the class that fairness is about, "" without fairness.
func (c *wide) positive() string {
	for _, r := range c.rates {
		if fairness(r) {
			return classNames[r.class]
		}
	}
	return ""
}

// assigned are options of features such as f1=V, for those of which it is not zero.
func assigned[T int | float64](values []T, format string) []string {
	var all []string
	for j, v := range values {
		if v != 0 {
			all = append(all, fmt.Sprintf("f%d="+format, j+1, v))
		}
	}
	return all
}

// classOrder are the classes from the lowest; nil without an order.
func (c *wide) classOrder() []string {
	if c.monotone == nil {
		return nil
	}
	names := make([]string, c.k)
	for k, place := range c.order {
		names[place] = classNames[k]
	}
	return names
}

// command is the command line that asks for the case; of costs by row it lacks these.
func (c *wide) command() string {
	b := "octgen fit wide.csv --weight wt"
	flag := func(name, value string) {
		if value != "" {
			b += " --" + name + " " + value
		}
	}
	flag("cost-matrix", c.costMatrix())
	if c.engine != "auto" {
		flag("engine", c.engine)
	}
	flag("encoding", c.encoding)
	flag("scale", c.scale)
	if c.start != "auto" {
		flag("start", c.start)
	}
	b += fmt.Sprintf(" --threads 1 --depth %d --alpha %s --min-leaf %s", c.depth, text(c.alpha), text(c.minLeaf))
	if c.maxSplits > 0 {
		flag("max-splits", fmt.Sprint(c.maxSplits))
	}
	for _, kind := range []string{"recall", "precision", "share"} {
		for _, r := range c.ratesOf(kind) {
			flag(kind, "'"+r+"'")
		}
	}
	for _, r := range c.ratesOf("") {
		flag("fair", "'"+r+"'")
	}
	flag("positive", c.positive())
	flag("leaf-purity", c.purity)
	if c.maxFeatures > 0 {
		flag("max-features", fmt.Sprint(c.maxFeatures))
	}
	flag("feature-cost", strings.Join(assigned(c.price, "%v"), ","))
	flag("monotone", strings.Join(assigned(c.monotone, "%+d"), ","))
	flag("class-order", strings.Join(c.classOrder(), ","))
	return b
}

func (c *wide) String() string {
	s := c.csv() + c.command()
	if c.costs != nil {
		s += fmt.Sprintf("\nwith costs of rows %v", c.costs)
	}
	return s
}
