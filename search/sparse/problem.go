package sparse

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// problem is the data as the search uses them: rows that stand for points of the data, alike in all
// cuts that may be used, with the costs of their classes as whole numbers. It is immutable.
//
// The value of a tree is the cost of its leaves plus lambda for each of them, in steps (see
// package comment, "Whole numbers").
type problem struct {
	ds       *dataset.Dataset
	points   *tree.Presort // of the points
	point    []int32       // (rows of ds) their points
	first    []int         // (points) the first row of each
	step     float64       // value of 1, in units
	off      float64       // bound on how much too small a value is, per leaf, in units
	offRows  float64       // the same for all rows together
	unit     float64       // value of 1 unit in the weights or costs of ds
	scale    float64       // Lhat in units
	lambda   int64
	price    float64 // lambda in units, not rounded
	excess   []int64 // (points, K) costs
	constant int64   // cost of every tree besides its value
	least    int64   // minimum weight of a leaf; 0 if the other rules imply it

	n, k, p int
	feature []int     // (p) features of ds
	start   []int32   // (p+1) number of the first bin of each feature
	bin     [][]int32 // (p)(n) bins, numbered from start
	byRow   []int32   // (n, p) the same
	last    []int32   // (bins) the last rank of a bin
	cost    []int64   // (n, K) of predictions, the minimum of each row 0
	weight  []int64   // (n) for least
	key     []key     // (n)
	word    []key     // (n) rows as bits of binary features; nil if others are among them
	two     bool      // rows as pairs: see cells
	shift   uint      // of pairs
	pair    []uint64  // (n) gains of both classes
	gain    []gain    // of rows that are no pairs
	gains   []int32   // (n+1) where they begin
	alike   []key     // (bins) random numbers
}

// gain is an addition to a cell.
type gain struct {
	cell  int32
	value int64
}

// reduced is the data on the way to a problem: rows with bins and costs.
type reduced struct {
	bin    [][]int32 // (p)(n) from 0
	last   [][]int32 // (p)(bins) the last rank of a bin
	cost   []int64   // (n, K)
	weight []int64   // (n)
	row    []int32   // (points) their rows, -1 for none
	k      int
}

func newProblem(ds *dataset.Dataset, o *Options) *problem {
	p := &problem{ds: ds, k: ds.K()}
	p.point, p.first = ds.Points()
	r := p.reduce(o)
	p.simplify(r, o.Rules.NoMerge)
	p.layOut(r)
	return p
}

// stepBits is the number of binary digits of the sum of all costs, in steps. Values add up to a few
// times as much.
const stepBits = 58

// reduce makes points of the rows of the data, with their costs in steps.
func (p *problem) reduce(o *Options) *reduced {
	ds, k := p.ds, p.k
	excess, unit := ds.ExcessInUnits(dataset.MostUnits)
	sums, weight := make([]float64, len(p.first)*k), make([]float64, len(p.first))
	rounded := 0.0 // bound on what rounding took from or added to the sums
	for i, q := range p.point {
		for c, v := range excess[i*k : (i+1)*k] {
			if at := int(q)*k + c; sums[at] == 0 {
				sums[at] = v
			} else {
				sums[at] += v
				rounded += 0x1p-53 * sums[at]
			}
		}
		weight[q] += ds.Weight[i]
	}
	p.unit = unit.Size
	if p.scale = ds.Baseline() / unit.Size; p.scale <= 0 {
		p.scale = 1 / unit.Size
	}
	total := 0.0
	for q := range p.first {
		total += slices.Max(sums[q*k : (q+1)*k])
	}
	lambda := min(o.Alpha*p.scale, 2*max(total, 1)) // if no split pays, the amount does not matter
	_, exponent := math.Frexp(max(total, 1))
	p.shift = uint(max(0, stepBits-exponent))
	p.step = math.Ldexp(1, -int(p.shift))
	p.price, p.lambda = lambda, int64(lambda/p.step)
	if float64(p.lambda)*p.step != lambda {
		p.off = p.step
	}
	if !unit.Whole {
		p.offRows = p.step*float64(len(p.first)) + 2*rounded
	}
	r := &reduced{cost: make([]int64, len(sums)), k: k}
	for i, v := range sums {
		r.cost[i] = int64(v / p.step)
	}
	p.setLeast(r, weight, o.MinLeaf, lambda)
	p.two = k == 2 && unit.Whole && total < math.MaxInt32 && p.least == 0
	if !p.two {
		p.shift = 0
	}
	p.excess = slices.Clone(r.cost)
	p.bins(r)
	return r
}

// setLeast sets the weights of leaves if the minimum is not implied: by single rows that are heavy
// enough, or by the majority weight of at least lambda that each leaf has if errors are weights.
func (p *problem) setLeast(r *reduced, weight []float64, minLeaf, lambda float64) {
	if tree.EnoughWeight(slices.Min(weight), minLeaf) || p.ds.Kind() == dataset.Errors && lambda*p.unit*(1-1e-9) >= minLeaf {
		return
	}
	total := 0.0
	for _, w := range weight {
		total += w
	}
	_, exponent := math.Frexp(total)
	step := math.Ldexp(1, exponent-stepBits)
	r.weight = make([]int64, len(weight))
	for q, w := range weight {
		r.weight[q] = int64(w / step)
	}
	p.least = max(1, int64(tree.LeastWeight(minLeaf)/step)-int64(len(weight)))
}

// bins numbers the values of all features that have several, without repeated features.
func (p *problem) bins(r *reduced) {
	p.points = tree.NewPresort(p.ds.Subset(p.first))
	r.row = make([]int32, len(p.first))
	for q := range r.row {
		r.row[q] = int32(q)
	}
	for j := range p.ds.P() {
		values := len(p.points.Values(j))
		if values < 2 {
			continue
		}
		last := make([]int32, values)
		for v := range last {
			last[v] = int32(v)
		}
		p.feature = append(p.feature, j)
		r.bin = append(r.bin, slices.Clone(p.points.Ranks(j)))
		r.last = append(r.last, last)
	}
}

// simplify subtracts the minimum cost of each row, drops rows of which all predictions cost the
// same, joins bins between which no cut is valid, drops features that order the rows as another one
// does, and merges rows that are alike in all bins, until nothing changes.
func (p *problem) simplify(r *reduced, once bool) {
	for {
		n := len(r.cost) / r.k
		p.net(r)
		p.join(r)
		p.merge(r)
		if len(r.cost)/r.k == n || once {
			return
		}
	}
}

// net subtracts the minimum cost of each row.
func (p *problem) net(r *reduced) {
	for i := 0; i < len(r.cost); i += r.k {
		row := r.cost[i : i+r.k]
		least := slices.Min(row)
		p.constant += least
		for c := range row {
			row[c] -= least
		}
	}
}

// cells sets the cells of a row: omega, the gains of all classes, and the weight.
func (r *reduced) cells(i int, cells []int64) {
	row := r.cost[i*r.k : (i+1)*r.k]
	omega := slices.Max(row)
	cells[0] = omega
	for c, v := range row {
		cells[c+1] = omega - v
	}
	if r.weight != nil {
		cells[r.k+1] = r.weight[i]
	}
}

func add(to, v []int64) {
	for c, x := range v {
		to[c] += x
	}
}

// randomKeys returns n keys, the same for every call.
func randomKeys(n int) []key {
	random, keys := rand.NewPCG(0x6f637467656e, 2), make([]key, n)
	for i := range keys {
		keys[i] = key{random.Uint64(), random.Uint64()}
	}
	return keys
}

// join joins bins between which no cut is valid in all rows, and drops features without valid cuts
// and those whose bins are those of another one, forwards or backwards.
func (p *problem) join(r *reduced) {
	n, width := len(r.cost)/r.k, r.k+2
	total, all := make([]int64, width), make([]int64, n*width)
	for i := range n {
		row := all[i*width : (i+1)*width]
		r.cells(i, row)
		add(total, row)
	}
	var features []int
	var bins, lasts [][]int32
	seen := make(map[key]bool)
	random := randomKeys(n)
	for f, bin := range r.bin {
		sums := make([]int64, len(r.last[f])*width)
		for i, b := range bin {
			add(sums[int(b)*width:(int(b)+1)*width], all[i*width:(i+1)*width])
		}
		left, right := make([]int64, width), slices.Clone(total)
		number, last := make([]int32, len(r.last[f])), []int32{}
		for b := range r.last[f] {
			number[b] = int32(len(last))
			any := false
			for c, v := range sums[b*width : (b+1)*width] {
				left[c] += v
				right[c] -= v
				any = any || v != 0
			}
			switch {
			case b+1 == len(r.last[f]), any && p.valid(left, r.k) && p.valid(right, r.k):
				last = append(last, r.last[f][b])
			case !any && len(last) > 0 && b > 0 && number[b-1] < number[b]: // no rows: to the bin before
				number[b] = number[b-1]
			}
		}
		if len(last) < 2 {
			continue
		}
		joined := make([]int32, n)
		for i, b := range bin {
			joined[i] = number[b]
		}
		if order := orderOf(joined, len(last), random); !seen[order] {
			seen[order] = true
			features, bins, lasts = append(features, p.feature[f]), append(bins, joined), append(lasts, last)
		}
	}
	p.feature, r.bin, r.last = features, bins, lasts
}

// valid reports whether a side of a cut with these cells may become a leaf or be split further.
func (p *problem) valid(cells []int64, k int) bool {
	return slices.Max(cells[1:k+1]) >= p.lambda && cells[k+1] >= p.least
}

// orderOf is the same for two features if their bins divide the rows alike, forwards or backwards:
// the sum of one random number per row, times its bin.
func orderOf(bin []int32, bins int, random []key) key {
	backwards := false
	for _, b := range bin {
		if 2*int(b) != bins-1 {
			backwards = 2*int(b) > bins-1
			break
		}
	}
	order := key{}
	for i, b := range bin {
		if backwards {
			b = int32(bins) - 1 - b
		}
		order.a += random[i].a * uint64(b)
		order.b += random[i].b * uint64(b)
	}
	return order
}

// merge adds up rows with equal bins, and drops those whose costs do not depend on the class. Rows
// are compared by the sum of one random number per bin.
func (p *problem) merge(r *reduced) {
	n, k := len(r.cost)/r.k, r.k
	bins := 0
	for _, last := range r.last {
		bins += len(last)
	}
	random, rowKey := randomKeys(bins), make([]key, n)
	for f, bin := range r.bin {
		for i, b := range bin {
			rowKey[i] = rowKey[i].xor(random[b])
		}
		random = random[len(r.last[f]):]
	}
	number, rows := make([]int32, n), 0
	known := make(map[key]int32, n)
	var of []int
	for i, id := range rowKey {
		g, there := known[id]
		if !there {
			g = int32(rows)
			known[id] = g
			of = append(of, i)
			rows++
		}
		number[i] = g
	}
	cost := make([]int64, rows*k)
	var weight []int64
	if r.weight != nil {
		weight = make([]int64, rows)
	}
	for i, g := range number {
		for c := range k {
			cost[int(g)*k+c] += r.cost[i*k+c]
		}
		if weight != nil {
			weight[g] += r.weight[i]
		}
	}
	kept, keptRows := make([]int32, rows), 0
	for g := range rows {
		row := cost[g*k : (g+1)*k]
		if slices.Max(row) == slices.Min(row) && weight == nil {
			p.constant += row[0]
			kept[g] = -1
			continue
		}
		kept[g] = int32(keptRows)
		copy(cost[keptRows*k:], row)
		if weight != nil {
			weight[keptRows] = weight[g]
		}
		of[keptRows] = of[g]
		keptRows++
	}
	for q, i := range r.row {
		if i >= 0 {
			r.row[q] = kept[number[i]]
		}
	}
	for f, bin := range r.bin {
		fewer := make([]int32, keptRows)
		for g := range fewer {
			fewer[g] = bin[of[g]]
		}
		r.bin[f] = fewer
	}
	r.cost = cost[:keptRows*k]
	if weight != nil {
		r.weight = weight[:keptRows]
	}
}

// layOut sets the rows of the search.
func (p *problem) layOut(r *reduced) {
	p.net(r)
	p.n, p.p = len(r.cost)/r.k, len(r.bin)
	p.cost, p.weight, p.bin = r.cost, r.weight, r.bin
	p.start = []int32{0}
	for f, last := range r.last {
		first := p.start[f]
		for i := range r.bin[f] {
			r.bin[f][i] += first
		}
		p.last = append(p.last, last...)
		p.start = append(p.start, first+int32(len(last)))
	}
	p.byRow = make([]int32, p.n*p.p)
	for f, bin := range p.bin {
		for i, b := range bin {
			p.byRow[i*p.p+f] = b
		}
	}
	p.key = randomKeys(p.n)
	p.alike = randomKeys(len(p.last))
	p.setWords()
	p.setGains()
}

// setWords makes words of the rows if all features are binary and there are no more than bits.
func (p *problem) setWords() {
	if p.p > 128 || len(p.last) != 2*p.p {
		return
	}
	p.word = make([]key, p.n)
	for f, bin := range p.bin {
		for i, b := range bin {
			if b != p.start[f] {
				p.word[i] = p.word[i].xor(bitOf(f))
			}
		}
	}
}

// bitOf is the bit of a feature in a word.
func bitOf(f int) key {
	if f < 64 {
		return key{1 << f, 0}
	}
	return key{0, 1 << (f - 64)}
}

// setGains lays out what rows add to cells.
func (p *problem) setGains() {
	if p.two {
		p.pair = make([]uint64, p.n)
	}
	p.gains = append(p.gains, 0)
	for i := range p.n {
		row := p.cost[i*p.k : (i+1)*p.k]
		omega := slices.Max(row)
		if p.two {
			p.pair[i] = uint64(omega-row[0])>>p.shift | uint64(omega-row[1])>>p.shift<<32
			continue
		}
		p.gain = append(p.gain, gain{0, omega})
		for c, v := range row {
			if v < omega {
				p.gain = append(p.gain, gain{int32(c + 1), omega - v})
			}
		}
		if p.weight != nil {
			p.gain = append(p.gain, gain{int32(p.k + 1), p.weight[i]})
		}
		p.gains = append(p.gains, int32(len(p.gain)))
	}
}

// value returns the value of a tree, in steps, like those of the search.
func (p *problem) value(t *tree.Tree) int64 {
	v := p.lambda*int64(t.Splits()+1) - p.constant
	for q, i := range p.first {
		v += p.excess[q*p.k+t.Predict(p.ds.Row(i))]
	}
	return v
}

// objective converts a value into the OCT objective, which counts splits, not leaves.
func (p *problem) objective(value int64) float64 {
	return (float64(value+p.constant)*p.step - p.price) / p.scale
}

// distinct reports whether values of trees that are not equal differ by more than off, so that no
// tree is better than that of r. Values are in units; there are no more splits than the value pays
// for.
func (p *problem) distinct(off float64, r *Result) bool {
	if p.offRows > 0 {
		return false
	}
	splits := r.Objective * p.scale / p.price
	if splits > 1000 {
		return false
	}
	values := verify.Lattice{Errors: 1, Price: p.price, Most: int(splits) + 1}
	return off < values.Step()/2
}
