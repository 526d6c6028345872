package tree

import "math"

// Best is the best univariate split of a Subset.
type Best struct {
	Feature    int
	Size       int     // rows that go left: the first ones in the order of Feature
	Rank       int     // rank (Presort.Ranks) of the largest value that goes left
	NextRank   int     // rank of the smallest value that goes right
	Threshold  float64 // Midpoint of these two values
	Loss       float64 // criterion over both sides, in units of weight
	LeftWeight float64 // weight that goes left
}

// Split returns b as the split of a node.
func (b Best) Split() *Split { return Univariate(b.Feature, b.Threshold) }

// Sweeper finds best splits. It holds the settings of the search and its
// scratch memory; a sweep allocates nothing. The zero settings are Gini and no
// minimum leaf weight. A Sweeper is not safe for concurrent use.
type Sweeper struct {
	Criterion Criterion
	MinLeaf   float64 // least weight on each side (EnoughWeight); a side always has a row

	// Leaf, where not nil, is what rows weigh for MinLeaf (n): their weights, as those of
	// altered priors, are something else then, and may be 0.
	Leaf []float64

	pre         *Presort
	total       []float64 // (K) weight per class in the subset
	left, right []float64 // (K) on both sides of the sweep
	weight      float64   // of the subset
}

// NewSweeper returns a Sweeper for subsets of pre.
func NewSweeper(pre *Presort, c Criterion, minLeaf float64) *Sweeper {
	flat := make([]float64, 3*pre.k)
	return &Sweeper{
		Criterion: c, MinLeaf: minLeaf, pre: pre,
		total: flat[:pre.k:pre.k], left: flat[pre.k : 2*pre.k : 2*pre.k], right: flat[2*pre.k:],
	}
}

// ClassWeights adds up the weight per class of the rows of s into dst (K).
func (sw *Sweeper) ClassWeights(dst []float64, s Subset) {
	clear(dst)
	if s.pre.p == 0 {
		for _, r := range sw.pre.rows[:s.size] { // only All has rows without features
			dst[r.class] += r.weight
		}
		return
	}
	for _, i := range s.Order(0) {
		r := &sw.pre.rows[i]
		dst[r.class] += r.weight
	}
}

// Best returns the split of s with the least loss, and false where no split
// leaves a row and MinLeaf on both sides. With Misclassification, the loss is
// the exact least weight of the errors of a tree of depth 1 with one split.
//
// One pass over the rows per feature. Of equal losses it takes the lowest
// feature, then the lowest threshold; losses that differ by less than 1e-12 of
// the subset's weight count as equal, so that rounding does not decide.
func (sw *Sweeper) Best(s Subset) (Best, bool) {
	best := Best{Feature: -1, Loss: math.Inf(1)}
	sw.ClassWeights(sw.total, s)
	sw.begin()
	for j := range sw.pre.p {
		sw.feature(s, j, &best)
		if best.Loss <= 0 {
			break // nothing later can be better
		}
	}
	return sw.finish(s, best)
}

// BestOn is Best with the splits of feature j only.
func (sw *Sweeper) BestOn(s Subset, j int) (Best, bool) {
	best := Best{Feature: -1, Loss: math.Inf(1)}
	sw.ClassWeights(sw.total, s)
	sw.begin()
	sw.feature(s, j, &best)
	return sw.finish(s, best)
}

// Labels returns the majority classes of both sides of b, a split of s, the
// lowest of equal ones: those that attain the loss of Misclassification.
func (sw *Sweeper) Labels(s Subset, b Best) (left, right int) {
	rows := s.Order(b.Feature)
	clear(sw.left)
	clear(sw.right)
	for _, i := range rows[:b.Size] {
		sw.left[sw.pre.rows[i].class] += sw.pre.rows[i].weight
	}
	for _, i := range rows[b.Size:] {
		sw.right[sw.pre.rows[i].class] += sw.pre.rows[i].weight
	}
	left, _ = majority(sw.left)
	right, _ = majority(sw.right)
	return left, right
}

func (sw *Sweeper) begin() {
	sw.weight = 0
	for _, w := range sw.total {
		sw.weight += w
	}
}

func (sw *Sweeper) finish(s Subset, best Best) (Best, bool) {
	if best.Feature < 0 {
		return Best{Feature: -1}, false
	}
	rows, rank := s.Order(best.Feature), sw.pre.Ranks(best.Feature)
	best.Rank = int(rank[rows[best.Size-1]])
	best.NextRank = int(rank[rows[best.Size]])
	values := sw.pre.values[best.Feature]
	best.Threshold = Midpoint(values[best.Rank], values[best.NextRank])
	best.Loss = max(0, best.Loss)
	return best, true
}

// feature improves best by the splits of s on feature j.
func (sw *Sweeper) feature(s Subset, j int, best *Best) {
	rows, rank := s.Order(j), sw.pre.Ranks(j)
	if len(rows) == 0 || rank[rows[0]] == rank[rows[len(rows)-1]] {
		return
	}
	clear(sw.left)
	copy(sw.right, sw.total)
	size := 0
	var found point
	floor := LeastWeight(sw.MinLeaf)
	below := best.Loss - 1e-12*sw.weight
	switch {
	case sw.Leaf != nil:
		found, size = sw.leaves(rows, rank, floor, below)
	case sw.Criterion == Gini:
		found, size = sw.gini(rows, rank, floor, below)
	case sw.Criterion == Entropy:
		found, size = sw.entropy(rows, rank, floor, below)
	case sw.Criterion == Misclassification:
		if sw.pre.k == 2 {
			found, size = sw.misclassified2(rows, rank, floor, below)
			break
		}
		found, size = sw.misclassified(rows, rank, floor, below)
	default:
		panic("tree: unknown criterion")
	}
	if size > 0 {
		best.Feature, best.Size, best.Loss, best.LeftWeight = j, size, found.loss, found.leftWeight
	}
}

// point is a threshold that a sweep has met.
type point struct{ loss, leftWeight float64 }

// The sweeps below are one loop with different losses, written out because it
// is the innermost loop of every search. Each goes through the rows in order
// and, between two different values, tries the threshold there: accepted where
// both sides weigh at least floor and the loss is less than below, which then
// sinks to 1e-12 of the weight under it. They return the last accepted point
// and the number of rows on its left, 0 for none.

func (sw *Sweeper) gini(rows, rank []int32, floor, below float64) (point, int) {
	var found point
	size := 0
	data, left, right := sw.pre.rows, sw.left, sw.right
	tolerance := 1e-12 * sw.weight
	squaresL, squaresR, weightL := 0.0, 0.0, 0.0
	for _, w := range right {
		squaresR += w * w
	}
	here := rank[rows[0]]
	for q := 1; q < len(rows); q++ {
		d := &data[rows[q-1]]
		w, k := d.weight, d.class
		l, r := left[k], right[k]
		squaresL += w * (2*l + w)
		squaresR -= w * (2*r - w)
		left[k], right[k] = l+w, r-w
		weightL += w
		next := rank[rows[q]]
		if next == here {
			continue
		}
		here = next
		weightR := sw.weight - weightL
		if weightL < floor {
			continue
		}
		if weightR < floor {
			break
		}
		if loss := sw.weight - (squaresL/weightL + squaresR/weightR); loss < below {
			found, size = point{loss, weightL}, q
			below = loss - tolerance
		}
	}
	return found, size
}

func (sw *Sweeper) entropy(rows, rank []int32, floor, below float64) (point, int) {
	var found point
	size := 0
	data, left, right := sw.pre.rows, sw.left, sw.right
	tolerance := 1e-12 * sw.weight
	table := sw.pre.xlogx
	weightL := 0.0
	here := rank[rows[0]]
	for q := 1; q < len(rows); q++ {
		d := &data[rows[q-1]]
		left[d.class] += d.weight
		right[d.class] -= d.weight
		weightL += d.weight
		next := rank[rows[q]]
		if next == here {
			continue
		}
		here = next
		weightR := sw.weight - weightL
		if weightL < floor {
			continue
		}
		if weightR < floor {
			break
		}
		// Fresh sums: running ones drift by more than ties may differ.
		var loss float64
		if table != nil {
			loss = table[int(weightL)] + table[int(weightR)]
			for k, l := range left {
				loss -= table[int(l)] + table[int(right[k])]
			}
		} else {
			loss = xlogx(weightL) + xlogx(weightR)
			for k, l := range left {
				loss -= xlogx(l) + xlogx(right[k])
			}
		}
		if loss < below {
			found, size = point{loss, weightL}, q
			below = loss - tolerance
		}
	}
	return found, size
}

// misclassified keeps, of the right side, only an upper bound on its largest
// class: that one falls as the sweep goes on, so an old value is optimistic,
// and a new one is looked for only where the old one would make the threshold
// the best. So a row costs one addition and no branch that is hard to predict.
func (sw *Sweeper) misclassified(rows, rank []int32, floor, below float64) (point, int) {
	var found point
	size := 0
	data, left, total := sw.pre.rows, sw.left, sw.total
	tolerance := 1e-12 * sw.weight
	weightL, mostL, mostR := 0.0, 0.0, maxWeight(total)
	here := rank[rows[0]]
	for q := 1; q < len(rows); q++ {
		d := &data[rows[q-1]]
		l := left[d.class] + d.weight
		left[d.class] = l
		weightL += d.weight
		mostL = max(mostL, l) // the left side only grows
		next := rank[rows[q]]
		if next == here {
			continue
		}
		here = next
		if sw.weight-mostL-mostR >= below || weightL < floor {
			continue
		}
		if sw.weight-weightL < floor {
			break
		}
		mostR = 0
		for k, w := range total {
			mostR = max(mostR, w-left[k])
		}
		if loss := sw.weight - mostL - mostR; loss < below {
			found, size = point{loss, weightL}, q
			below = loss - tolerance
		}
	}
	return found, size
}

// misclassified2 is misclassified for two classes: with l the lead of class 0
// over class 1 on the left and t that in all, the sides err (W_L - |l|)/2 and
// (W_R - |t-l|)/2. No branch depends on the classes.
func (sw *Sweeper) misclassified2(rows, rank []int32, floor, below float64) (point, int) {
	var found point
	size := 0
	data := sw.pre.rows
	tolerance := 1e-12 * sw.weight
	weightL, lead := 0.0, 0.0
	leadAll := sw.total[0] - sw.total[1]
	here := rank[rows[0]]
	for q := 1; q < len(rows); q++ {
		d := &data[rows[q-1]]
		lead += math.Float64frombits(math.Float64bits(d.weight) | uint64(d.class)<<63) // -weight for class 1
		weightL += d.weight
		next := rank[rows[q]]
		if next == here {
			continue
		}
		here = next
		loss := (sw.weight - math.Abs(lead) - math.Abs(leadAll-lead)) / 2
		if loss >= below || weightL < floor {
			continue
		}
		if sw.weight-weightL < floor {
			break
		}
		found, size = point{loss, weightL}, q
		below = loss - tolerance
	}
	return found, size
}

// leaves is for any criterion where rows weigh something else for the least leaf.
func (sw *Sweeper) leaves(rows, rank []int32, floor, below float64) (point, int) {
	var found point
	size := 0
	tolerance := 1e-12 * sw.weight
	weightL, leafL, leafR := 0.0, 0.0, 0.0
	for _, i := range rows {
		leafR += sw.Leaf[i]
	}
	here := rank[rows[0]]
	for q := 1; q < len(rows); q++ {
		i := rows[q-1]
		d := &sw.pre.rows[i]
		sw.left[d.class] += d.weight
		sw.right[d.class] -= d.weight
		weightL += d.weight
		leafL += sw.Leaf[i]
		leafR -= sw.Leaf[i]
		next := rank[rows[q]]
		if next == here {
			continue
		}
		here = next
		if leafL < floor || weightL <= tolerance || sw.weight-weightL <= tolerance {
			continue // a side without weight is none
		}
		if leafR < floor {
			break
		}
		if loss := sw.Criterion.Loss(sw.left) + sw.Criterion.Loss(sw.right); loss < below {
			found, size = point{loss, weightL}, q
			below = loss - tolerance
		}
	}
	return found, size
}

func maxWeight(weight []float64) float64 {
	m := 0.0
	for _, w := range weight {
		m = max(m, w)
	}
	return m
}
