package exact

import "golang.org/x/sys/cpu"

// vectorPairs reports whether the machine has the instructions of pairs_amd64.s.
var vectorPairs = cpu.X86.HasAVX512F && cpu.X86.HasAVX512VPOPCNTDQ

//go:noescape
func countTiles512(out *int32, a, b *uint64, blocks *int32, planes, tiles, stride int)

//go:noescape
func subtract512(to, from *int32, n int)

//go:noescape
func bestPairs512(x *pairRows)
