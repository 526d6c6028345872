package exact

import "golang.org/x/sys/cpu"

// lanesAvailable reports whether the machine has the instructions of lanes_amd64.s.
var lanesAvailable = cpu.X86.HasAVX2

// layNarrow sets the lanes of n rows: the row's weight in the lanes of the cuts that send it left.
// blocks gives, for each row and four lanes, how many of them do not.
//
//go:noescape
func layNarrow(lanes *uint64, blocks *uint8, rows *uint32, spread *uint64, n int)

// layWide is layNarrow for wide lanes. It also adds them up, with and without their signs.
//
//go:noescape
func layWide(lanes *uint64, blocks *uint8, rows *uint32, weights *int32, n int, balance, weight *laneRow)

// forward2 adds the lanes of n entries to balances that start at 0 and keeps the extremes at each
// boundary.
//
//go:noescape
func forward2(acc *laneAccumulator, lanes *uint64, seq *entry, n int)

//go:noescape
func forwardWide2(acc *laneAccumulator, lanes *uint64, seq *entry, n int)

// backward2 subtracts the lanes of n entries, from seq downwards, from balances that start at
// acc.total and keeps the extremes at each boundary.
//
//go:noescape
func backward2(acc *laneAccumulator, lanes *uint64, seq *entry, n int)

//go:noescape
func backwardWide2(acc *laneAccumulator, lanes *uint64, seq *entry, n int)

// storeK adds rows to counts that start at 0, stores the largest counts at each boundary, and
// returns the number of boundaries. stride is the distance to the next entry in bytes; flag is the
// distance from an entry to the one that marks a boundary after it; weights is problem.wide, used
// only for wide lanes.
//
//go:noescape
func storeK(left, right, lanes *uint64, weights *int32, seq *entry, stride, flag, n int, out *uint64) int

//go:noescape
func storeWideK(left, right, lanes *uint64, weights *int32, seq *entry, stride, flag, n int, out *uint64) int

// combineK continues in the opposite direction from the last boundary that storeK stored: it adds n
// rows to counts and keeps the best sums of both sides' largest counts.
//
//go:noescape
func combineK(left, right, lanes *uint64, weights *int32, seq *entry, stride, flag, n int, stored, largest, best *uint64)

//go:noescape
func combineWideK(left, right, lanes *uint64, weights *int32, seq *entry, stride, flag, n int, stored, largest, best *uint64)

// complementK replaces counts by totals minus counts and finds the largest.
//
//go:noescape
func complementK(counts, totals, largest *uint64, k int)

//go:noescape
func complementWideK(counts, totals, largest *uint64, k int)

// addCosts adds the costs of n rows to x.sums and x.whole.
//
//go:noescape
func addCosts(x *costLanes, rows *uint32, n int)

// forwardCosts adds the costs of n entries to sums that start at 0 and keeps the minimum costs of
// stumps at each boundary.
//
//go:noescape
func forwardCosts(x *costLanes, seq *entry, n int)

// backwardCosts does the same, but subtracts the costs of n entries, from seq downwards, from sums
// that start at those of all rows.
//
//go:noescape
func backwardCosts(x *costLanes, seq *entry, n int)
