package large

import (
	"maps"
	"math/bits"
	"runtime"
	"slices"

	"github.com/octgen/octgen/dataset"
	"golang.org/x/sync/errgroup"
)

// Data are rows as the search uses them.
type Data struct {
	n, p   int
	rank   []uint16    // (n, p+2) ranks, and the weight, low half first, negative for class 0
	order  [][]int32   // (p)(n) the rows by rank of each feature
	start  [][]int32   // (p)(distinct values + 1) the first of each rank in order
	values [][]float64 // (p) distinct values, ascending

	// Where the sums of a feature are: see sums.
	fine, group []int32 // (p)
	shift       []uint8 // (p) a group has 2^shift ranks
	size        [2]int32

	block [][]uint8 // (p)(distinct values) the block of each rank
	first [][]int32 // (p)(blocks + 1) the first rank of each block
}

const (
	mostRanks  = 1<<16 - 1
	mostBlocks = 32       // of a feature
	mostMemory = 96 << 20 // bytes of the sums of all blocks, of one worker
	mostWeight = 1 << 30  // of all rows
)

const (
	// leastCells is the number of cells, rows times features, from which on sums are faster than rows, for
	// three and for two levels, if there are so many features.
	leastCells3   = 400_000
	leastCells2   = 2_000_000
	leastFeatures = 5
	// rowsPerValue is the minimum number of cells per distinct value, all features together.
	rowsPerValue = 16
)

// Suits reports whether the search is made for ds and this depth: at most two classes, at least five features
// and 400,000 cells (for two levels two million), at most 65,535 distinct values of each feature, one in 16
// cells at most, and not only binary features, whose pairs are counted faster. It looks at some of the rows.
func Suits(ds *dataset.Dataset, depth int) bool {
	n, p := ds.N(), ds.P()
	least := leastCells3
	if depth < 3 {
		least = leastCells2
	}
	if ds.K() > 2 || p < leastFeatures || n*p < least {
		return false
	}
	values, cells := make([]int, p), 0
	for j := range p {
		values[j] = distinct(ds, j)
		if cells += values[j]; cells > n*p/rowsPerValue {
			return false
		}
	}
	return lay(n, values) != nil
}

// distinct estimates the number of distinct values of feature j from some rows: m rows of d different values
// have m - d repeats, and of D equally frequent values about m^2/2D.
func distinct(ds *dataset.Dataset, j int) int {
	const most = 1 << 10
	n, p := ds.N(), ds.P()
	step, rows, seen := max(1, n/most), 0, make(map[float64]bool, most)
	for i := 0; i < n; i += step {
		seen[ds.X[i*p+j]] = true
		rows++
	}
	repeats := rows - len(seen)
	if 2*repeats >= rows {
		return len(seen)
	}
	return min(n, rows*rows/max(1, 2*repeats))
}

// New returns the data of ds, whose weights are whole, or nil if they do not suit, also because the weights
// add up to more than 2^30.
func New(ds *dataset.Dataset) *Data {
	n, p := ds.N(), ds.P()
	if ds.K() > 2 || p == 0 {
		return nil
	}
	rank, values := make([]uint16, n*(p+weightCells)), make([][]float64, p)
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for j := range p {
		group.Go(func() error {
			values[j] = rankFeature(ds, j, rank)
			return nil
		})
	}
	_ = group.Wait() // no task fails
	counts, cells := make([]int, p), 0
	for j, v := range values {
		counts[j] = len(v)
		if cells += len(v); v == nil || cells > n*p/rowsPerValue {
			return nil
		}
	}
	d := lay(n, counts)
	if d == nil {
		return nil
	}
	if d.rank, d.values = rank, values; !d.weigh(ds) {
		return nil
	}
	d.sort()
	d.divide()
	return d
}

// rankFeature sets the ranks of feature j and returns its distinct values; nil if there are too many.
func rankFeature(ds *dataset.Dataset, j int, rank []uint16) []float64 {
	n, p := ds.N(), ds.P()
	number := map[float64]uint16{} // by first appearance
	var values []float64
	for i := range n {
		v := ds.X[i*p+j]
		k, ok := number[v]
		if !ok {
			if len(values) == mostRanks || len(values) > n*p/rowsPerValue {
				return nil
			}
			k = uint16(len(values))
			number[v] = k
			values = append(values, v)
		}
		rank[i*(p+weightCells)+j] = k
	}
	to := make([]uint16, len(values))
	sorted := slices.Sorted(maps.Keys(number))
	for r, v := range sorted {
		to[number[v]] = uint16(r)
	}
	for i := range n {
		at := i*(p+weightCells) + j
		rank[at] = to[rank[at]]
	}
	return sorted
}

// weigh sets the weights and reports whether they are small enough.
func (d *Data) weigh(ds *dataset.Dataset) bool {
	total := 0.0
	for i, w := range ds.Weight {
		if total += w; total > mostWeight {
			return false
		}
		signed := int32(w)
		if ds.Y[i] == 0 {
			signed = -signed
		}
		at := (i+1)*(d.p+weightCells) - weightCells
		d.rank[at], d.rank[at+1] = uint16(uint32(signed)), uint16(uint32(signed)>>16)
	}
	return true
}

// lay places the sums of features with some numbers of distinct values; it returns nil if they are too large.
func lay(n int, values []int) *Data {
	d := &Data{n: n, p: len(values)}
	binary := true
	for _, count := range values {
		shift := (bits.Len(uint(count)) + 1) / 2
		d.fine, d.group = append(d.fine, d.size[0]), append(d.group, d.size[1])
		d.shift = append(d.shift, uint8(shift))
		d.size[0] += int32(count)
		d.size[1] += int32(2 * ((count-1)>>shift + 1))
		binary = binary && count <= 2
	}
	if bytes := 4 * mostBlocks * d.p * int(d.size[0]+d.size[1]); binary || bytes > mostMemory {
		return nil
	}
	return d
}

// sort sorts the rows by the ranks of each feature.
func (d *Data) sort() {
	for j, values := range d.values {
		start := make([]int32, len(values)+1)
		for i := range d.n {
			start[d.rankOf(int32(i), j)+1]++
		}
		for r := range values {
			start[r+1] += start[r]
		}
		order, next := make([]int32, d.n), slices.Clone(start)
		for i := range d.n {
			r := d.rankOf(int32(i), j)
			order[next[r]] = int32(i)
			next[r]++
		}
		d.order, d.start = append(d.order, order), append(d.start, start)
	}
}

// divide divides the ranks of each feature into blocks of about as many rows.
func (d *Data) divide() {
	for j, values := range d.values {
		block, first := make([]uint8, len(values)), []int32{0}
		for r := range values {
			want := int(int64(d.start[j][r]) * mostBlocks / int64(d.n))
			if want >= len(first) && r > 0 {
				first = append(first, int32(r))
			}
			block[r] = uint8(len(first) - 1)
		}
		d.block, d.first = append(d.block, block), append(d.first, append(first, int32(len(values))))
	}
}

// weightCells is how many ranks take as much room as a weight.
const weightCells = 2

// cells returns the (p) ranks of a row and its weight, to be unpacked.
func (d *Data) cells(row int32) []uint16 {
	width := d.p + weightCells
	return d.rank[int(row)*width : int(row+1)*width]
}

// rankOf returns the rank of a row.
func (d *Data) rankOf(row int32, j int) uint16 { return d.rank[int(row)*(d.p+weightCells)+j] }

// unpack returns the weight of a row, negative for class 0, its size, and the class.
func unpack(cells []uint16) (signed, weight, class int32) {
	last := len(cells) - 1
	w := int32(uint32(cells[last-1]) | uint32(cells[last])<<16)
	if w < 0 {
		return w, -w, 0
	}
	return w, w, 1
}

// Cut returns the values of feature j on both sides of the cut after a rank.
func (d *Data) Cut(j, rank int) (low, high float64) { return d.values[j][rank], d.values[j][rank+1] }

// Memory estimates the memory in bytes of a search of trees of two or three levels, apart from ds.
func Memory(ds *dataset.Dataset, depth, workers int) float64 {
	n, p := float64(ds.N()), float64(ds.P())
	values := 0.0
	for j := range ds.P() {
		values += float64(distinct(ds, j))
	}
	rows, sums := 2*(p+weightCells)+4*p, 4*mostBlocks*p*values
	if depth > 2 {
		return n*(rows+2*p*float64(max(1, workers))) + sums*float64(max(1, workers))
	}
	return n*rows + sums
}
