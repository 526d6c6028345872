//go:build !amd64

package exact

// lanesAvailable is false: scalar.go does all the work on this machine.
const lanesAvailable = false

func layNarrow(*uint64, *uint8, *uint32, *uint64, int) { panic("treesearch: no lanes") }

func layWide(*uint64, *uint8, *uint32, *int32, int, *laneRow, *laneRow) {
	panic("treesearch: no lanes")
}

func forward2(*laneAccumulator, *uint64, *entry, int)      { panic("treesearch: no lanes") }
func forwardWide2(*laneAccumulator, *uint64, *entry, int)  { panic("treesearch: no lanes") }
func backward2(*laneAccumulator, *uint64, *entry, int)     { panic("treesearch: no lanes") }
func backwardWide2(*laneAccumulator, *uint64, *entry, int) { panic("treesearch: no lanes") }

func storeK(_, _, _ *uint64, _ *int32, _ *entry, _, _, _ int, _ *uint64) int {
	panic("treesearch: no lanes")
}

func storeWideK(_, _, _ *uint64, _ *int32, _ *entry, _, _, _ int, _ *uint64) int {
	panic("treesearch: no lanes")
}

func combineK(_, _, _ *uint64, _ *int32, _ *entry, _, _, _ int, _, _, _ *uint64) {
	panic("treesearch: no lanes")
}

func combineWideK(_, _, _ *uint64, _ *int32, _ *entry, _, _, _ int, _, _, _ *uint64) {
	panic("treesearch: no lanes")
}

func complementK(_, _, _ *uint64, _ int)     { panic("treesearch: no lanes") }
func complementWideK(_, _, _ *uint64, _ int) { panic("treesearch: no lanes") }

func addCosts(*costLanes, *uint32, int)     { panic("treesearch: no lanes") }
func forwardCosts(*costLanes, *entry, int)  { panic("treesearch: no lanes") }
func backwardCosts(*costLanes, *entry, int) { panic("treesearch: no lanes") }
