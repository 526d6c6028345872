package exact

import "golang.org/x/sys/cpu"

// lanesAvailable: the machine has the instructions that lanes_amd64.s uses.
var lanesAvailable = cpu.X86.HasAVX2

// layNarrow sets the lanes of n rows: the row's weight in those of the cuts that send it
// left, of each four as many as blocks says of the row are not.
//
//go:noescape
func layNarrow(lanes *uint64, blocks *uint8, rows *uint32, spread *uint64, n int)

// layWide is layNarrow for wide lanes, and adds them up, with their signs and without.
//
//go:noescape
func layWide(lanes *uint64, blocks *uint8, rows *uint32, weights *int32, n int, balance, weight *laneRow)

// forward2 adds the lanes of n entries to balances that start at 0 and keeps
// the extremes at each boundary.
//
//go:noescape
func forward2(acc *laneAccumulator, lanes *uint64, seq *entry, n int)

//go:noescape
func forwardWide2(acc *laneAccumulator, lanes *uint64, seq *entry, n int)

// backward2 takes the lanes of n entries, from seq downwards, off balances that
// start at acc.total and keeps the extremes at each boundary.
//
//go:noescape
func backward2(acc *laneAccumulator, lanes *uint64, seq *entry, n int)

//go:noescape
func backwardWide2(acc *laneAccumulator, lanes *uint64, seq *entry, n int)

// storeK adds rows to counts that start at 0 and stores the largest counts at
// each boundary, whose number it returns. stride is the distance to the next
// entry in bytes, flag that from an entry to the one that says of a boundary
// after it; weights is problem.wide, of wide lanes alone.
//
//go:noescape
func storeK(left, right, lanes *uint64, weights *int32, seq *entry, stride, flag, n int, out *uint64) int

//go:noescape
func storeWideK(left, right, lanes *uint64, weights *int32, seq *entry, stride, flag, n int, out *uint64) int

// combineK goes on from the last boundary that storeK stored, the other way
// round: it adds n rows to counts and keeps the best sums of both sides'
// largest counts.
//
//go:noescape
func combineK(left, right, lanes *uint64, weights *int32, seq *entry, stride, flag, n int, stored, largest, best *uint64)

//go:noescape
func combineWideK(left, right, lanes *uint64, weights *int32, seq *entry, stride, flag, n int, stored, largest, best *uint64)

// complementK makes counts totals less counts, and finds the largest.
//
//go:noescape
func complementK(counts, totals, largest *uint64, k int)

//go:noescape
func complementWideK(counts, totals, largest *uint64, k int)

// addCosts adds the costs of n rows to x.sums and x.whole.
//
//go:noescape
func addCosts(x *costLanes, rows *uint32, n int)

// forwardCosts adds the costs of n entries to sums that start at 0 and keeps the least
// costs of stumps at each boundary.
//
//go:noescape
func forwardCosts(x *costLanes, seq *entry, n int)

// backwardCosts takes the costs of n entries, from seq downwards, off sums that start at
// those of all rows, likewise.
//
//go:noescape
func backwardCosts(x *costLanes, seq *entry, n int)
