package parts

import (
	"container/heap"
	"context"
	"math"
	"slices"

	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

const (
	mostCellFeatures = 4       // beyond which there are too many cells
	mostCells        = 1 << 21 // that wait at a time
	leastCell        = 1e-8    // length of an edge below which a cell is not divided
	mostCellRows     = 1 << 28 // looked at, one or two minutes
)

// cells is the proof at depth 1 with few features, by branch and bound over the directions of the hyperplane (see the package
// comment).
func (s *search) cells(ctx context.Context) error {
	q := &cells{search: s, every: s.o.Form.Margin != hyperplane.Right, beat: pulse.New(ctx)}
	q.begin()
	for q.open.Len() > 0 && q.looked < mostCellRows && !q.beat.Ended() {
		c := heap.Pop(&q.open).(*cell) //nolint:forcetypeassert // of this heap
		s.prove(verify.ByCells, min(s.leaf, c.bound, q.floor))
		if q.shut(s.bound) {
			return nil
		}
		if q.shut(c.bound) || q.open.Len() >= mostCells || !q.divide(c) {
			q.floor = min(q.floor, c.bound)
		}
	}
	if q.open.Len() == 0 {
		s.prove(verify.ByCells, min(s.leaf, q.floor))
	}
	return nil
}

// cells is a proof under way.
type cells struct {
	*search
	every bool // all rows keep the margin (margin all): what is proved is of such trees
	open  cellHeap
	floor float64 // least bound of cells that are not open any more
	found float64 // least objective of a hyperplane from which all rows keep the margin, whether its tree is admitted or not

	looked int // rows
	beat   *pulse.Pulse

	low, high, middle []float64
	events            []event
}

// shut reports whether a bound is the best possible.
func (q *cells) shut(bound float64) bool {
	if q.every {
		return q.closes(bound, min(q.objective, q.found))
	}
	return q.closed(bound)
}

// sides are the rows of two classes, and what the rest costs.
type sides struct {
	left, right int // classes
	rows        []int32
	x           []float64 // (rows, p) less their mean
	role        []role
	weight      []float64
	offset      float64 // weight of the other classes
}

// role is what a row asks of a hyperplane.
type role uint8

const (
	goesLeft  role = iota // with the margin
	goesRight             // with the margin
	keepsAway             // has the margin on some side
)

// cell is a simplex of directions a with sum |a_j| = 1, none of which changes its sign.
type cell struct {
	of       *sides
	price    float64     // of its features
	origin   []float64   // (p) of points, near the hyperplane in the middle of the cell above; nil for the mean
	vertices [][]float64 // (at most p)
	bound    float64     // of the objective
}

// cellHeap has the cell with the least bound first.
type cellHeap []*cell

func (h cellHeap) Len() int           { return len(h) }
func (h cellHeap) Less(i, j int) bool { return h[i].bound < h[j].bound }
func (h cellHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *cellHeap) Push(x any)        { *h = append(*h, x.(*cell)) } //nolint:forcetypeassert // of this heap
func (h *cellHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

// begin opens the cells of all pairs of classes, sets of features that are paid for, and signs.
func (q *cells) begin() {
	q.floor, q.found = math.Inf(1), math.Inf(1)
	present := q.ds.ClassWeights()
	for left := range present {
		for right := left + 1; right < len(present); right++ {
			if present[left] > 0 && present[right] > 0 {
				q.openSides(q.sidesOf(left, right))
			}
		}
	}
}

func (q *cells) openSides(of *sides) {
	p, twins := q.p(), q.twins()
	for used := 1; used < 1<<p; used++ {
		if used&twins != 0 {
			continue
		}
		features := 0
		for j := range p {
			features += used >> j & 1
		}
		if most := q.o.Form.MaxSplits; most > 0 && features > most {
			continue
		}
		if q.alpha == 0 && q.o.Form.MaxSplits == 0 && used|twins != 1<<p-1 { // on the edge of the cells of all features
			continue
		}
		for signs := 0; signs < 1<<p; signs++ {
			if signs&^used != 0 {
				continue
			}
			c := &cell{of: of, price: q.alpha * float64(features)}
			for j := range p {
				if used>>j&1 == 1 {
					v := make([]float64, p)
					v[j] = 1 - 2*float64(signs>>j&1)
					c.vertices = append(c.vertices, v)
				}
			}
			q.push(c)
		}
	}
}

// twins are the features, as bits, with the values of an earlier one, or one less these: a plane without them costs no more.
func (s *search) twins() (bits int) {
	if s.p() > 2*mostCellFeatures {
		return 0
	}
	for j := range s.p() {
		for k := range j {
			same, mirrored := true, true
			for i := range s.n() {
				row := s.row(i)
				same = same && math.Abs(row[j]-row[k]) < rounding
				mirrored = mirrored && math.Abs(row[j]+row[k]-1) < rounding
			}
			if same || mirrored {
				bits |= 1 << j
			}
		}
	}
	return bits
}

func (q *cells) sidesOf(left, right int) *sides {
	of := &sides{left: left, right: right}
	p := q.p()
	mean, all := make([]float64, p), 0.0
	for i := range q.n() {
		switch q.class(i) {
		case left, right:
		default:
			if of.offset += q.weight(i); !q.every {
				continue
			}
		}
		of.rows = append(of.rows, int32(i))
		all++
		for j, v := range q.row(i) {
			mean[j] += v
		}
	}
	for _, i := range of.rows {
		for j, v := range q.row(int(i)) {
			of.x = append(of.x, v-mean[j]/all)
		}
		what := keepsAway
		switch q.class(int(i)) {
		case left:
			what = goesLeft
		case right:
			what = goesRight
		}
		of.role, of.weight = append(of.role, what), append(of.weight, q.weight(int(i)))
	}
	return of
}

// push opens a cell, unless its bound closes it.
func (q *cells) push(c *cell) {
	of := c.of
	n, p := len(of.rows), q.p()
	q.low, q.high = append(q.low[:0], make([]float64, n)...), append(q.high[:0], make([]float64, n)...)
	for k, v := range c.vertices {
		shift := 0.0
		if c.origin != nil {
			shift = dot(v, c.origin)
		}
		for i := range n {
			u := dot(v, of.x[i*p:(i+1)*p]) - shift
			if k == 0 {
				q.low[i], q.high[i] = u, u
				continue
			}
			q.low[i], q.high[i] = min(q.low[i], u), max(q.high[i], u)
		}
	}
	q.beat.Spend(n * (p*len(c.vertices) + 8))
	q.looked += n
	errors, _ := q.sweep(of, q.low, q.high, q.mu*closer-rounding)
	c.bound = max(c.bound, (of.offset+errors)/q.lhat+c.price)
	if q.shut(c.bound) {
		q.floor = min(q.floor, c.bound)
		return
	}
	heap.Push(&q.open, c)
}

// rounding is more than projections are off.
const rounding = 1e-12

// event is a place of the hyperplane from which on, or after which, rows are right or wrong, or in the way.
type event struct {
	at, weight float64 // weight of the rows that are wrong then
	way        int     // rows in the way
	after      bool    // after the place, not at it
}

// sweep returns the least weight of rows that have no margin mu from any hyperplane a.x = b of fixed b, and b. A row of the left class needs its
// low value at mu below b, one of the right class its high value at b or above. Where every row keeps the margin, none is in
// the way: between b - mu and b with both values.
func (q *cells) sweep(of *sides, low, high []float64, mu float64) (least, b float64) {
	q.events = q.events[:0]
	wrong, way := 0.0, 0
	for i, r := range of.role {
		switch r {
		case goesRight:
			q.events = append(q.events, event{high[i], of.weight[i], 0, true})
		case goesLeft:
			wrong += of.weight[i]
			q.events = append(q.events, event{low[i] + mu, -of.weight[i], 0, false})
		case keepsAway:
		}
		if q.every && high[i] < low[i]+mu {
			q.events = append(q.events, event{high[i], 0, 1, true}, event{low[i] + mu, 0, -1, false})
		}
	}
	slices.SortFunc(q.events, func(a, b event) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		case a.after == b.after:
			return 0
		case b.after:
			return -1
		}
		return 1
	})
	least, b = wrong, math.Inf(-1)
	for k, e := range q.events {
		if e.after && (k == 0 || !q.events[k-1].after || q.events[k-1].at < e.at) && way == 0 && wrong < least { // at the place
			least, b = wrong, e.at
		}
		wrong, way = wrong+e.weight, way+e.way
		if !e.after && way == 0 && wrong < least && (k+1 == len(q.events) || q.events[k+1].at > e.at || q.events[k+1].after) {
			least, b = wrong, e.at
		}
	}
	if wrong < least {
		return wrong, math.Inf(1)
	}
	return least, b
}

// divide opens the halves of a cell, and offers trees of two of its directions; false if the cell is too small.
func (q *cells) divide(c *cell) bool {
	q.rounds++
	middle := make([]float64, q.p())
	for _, v := range c.vertices {
		for j := range middle {
			middle[j] += v[j] / float64(len(c.vertices))
		}
	}
	origin := q.near(c.of, q.offerDirection(c, middle))
	from, to, longest := 0, 0, leastCell
	for a := range c.vertices {
		for b := range a {
			length := 0.0
			for j, v := range c.vertices[a] {
				length += math.Abs(v - c.vertices[b][j])
			}
			if length > longest {
				from, to, longest = a, b, length
			}
		}
	}
	if from == to {
		return false
	}
	half := make([]float64, q.p())
	for j := range half {
		half[j] = (c.vertices[from][j] + c.vertices[to][j]) / 2
	}
	q.offerDirection(c, half) // on grids the best directions are such
	for _, k := range [2]int{from, to} {
		part := &cell{of: c.of, price: c.price, origin: origin, bound: c.bound, vertices: slices.Clone(c.vertices)}
		part.vertices[k] = half
		q.push(part)
	}
	return true
}

// near is the mean of the rows near the hyperplane b of the direction that was looked at last; nil for none. With points less it, rows whose side
// is in doubt have narrow ranges.
func (q *cells) near(of *sides, b float64) []float64 {
	if math.IsInf(b, 0) {
		return nil
	}
	far := 0.0
	for _, u := range q.middle {
		far += math.Abs(u - b)
	}
	far /= 2 * float64(len(q.middle))
	p, count := q.p(), 0.0
	mean := make([]float64, p)
	for i, u := range q.middle {
		if math.Abs(u-b) <= far {
			count++
			for j := range mean {
				mean[j] += of.x[i*p+j]
			}
		}
	}
	if count == 0 {
		return nil
	}
	for j := range mean {
		mean[j] /= count
	}
	return mean
}

// offerDirection offers the best tree of a direction in a cell, and returns where its hyperplane is.
func (q *cells) offerDirection(c *cell, a []float64) (b float64) {
	of, p := c.of, q.p()
	q.middle = q.middle[:0]
	for i := range of.rows {
		q.middle = append(q.middle, dot(a, of.x[i*p:(i+1)*p]))
	}
	errors, b := q.sweep(of, q.middle, q.middle, q.mu)
	q.beat.Spend(len(of.rows) * (p + 8))
	if math.IsInf(b, 0) || q.shut((of.offset+errors)/q.lhat+c.price) {
		return b
	}
	var left, right []int32
	for i, r := range of.rows {
		switch {
		case q.middle[i] >= b && (q.every || of.role[i] == goesRight):
			right = append(right, r)
		case q.middle[i]+q.mu <= b && (q.every || of.role[i] == goesLeft):
			left = append(left, r)
		}
	}
	if split := q.cut(a, left, right); split != nil {
		t := tree.NewLeaf(q.src, of.left)
		t.Grow(0, split, of.left, of.right)
		q.take(t.Collapse(q.src))
		if q.every {
			q.found = min(q.found, (of.offset+errors)/q.lhat+c.price)
		}
	}
	return b
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for j, v := range a {
		sum += v * b[j]
	}
	return sum
}
