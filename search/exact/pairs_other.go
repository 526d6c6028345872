//go:build !amd64

package exact

// vectorPairs is false: the Go routines do all the work on this machine.
var vectorPairs = false

func countTiles512(*int32, *uint64, *uint64, *int32, int, int, int) { panic("treesearch: no vectors") }

func subtract512(*int32, *int32, int) { panic("treesearch: no vectors") }

func bestPairs512(*pairRows) { panic("treesearch: no vectors") }
