#include "textflag.h"

// The layout of laneAccumulator: five rows of 32 int16.
#define TOTAL 0
#define LMIN 64
#define LMAX 128
#define RMIN 192
#define RMAX 256

// One boundary: Y0, Y1 hold the prefix balances of the left parts, Y10 that of
// the whole node; keep the extremes of both sides.
#define BOUNDARY2 \
	VPMINSW Y0, Y2, Y2    \
	VPMINSW Y1, Y3, Y3    \
	VPMAXSW Y0, Y4, Y4    \
	VPMAXSW Y1, Y5, Y5    \
	VPSUBW  Y0, Y10, Y11  \
	VPSUBW  Y1, Y10, Y12  \
	VPMINSW Y11, Y6, Y6   \
	VPMINSW Y12, Y7, Y7   \
	VPMAXSW Y11, Y8, Y8   \
	VPMAXSW Y12, Y9, Y9

#define LOAD2 \
	VMOVDQU LMIN(DI), Y2      \
	VMOVDQU (LMIN+32)(DI), Y3 \
	VMOVDQU LMAX(DI), Y4      \
	VMOVDQU (LMAX+32)(DI), Y5 \
	VMOVDQU RMIN(DI), Y6      \
	VMOVDQU (RMIN+32)(DI), Y7 \
	VMOVDQU RMAX(DI), Y8      \
	VMOVDQU (RMAX+32)(DI), Y9

#define STORE2 \
	VMOVDQU Y2, LMIN(DI)      \
	VMOVDQU Y3, (LMIN+32)(DI) \
	VMOVDQU Y4, LMAX(DI)      \
	VMOVDQU Y5, (LMAX+32)(DI) \
	VMOVDQU Y6, RMIN(DI)      \
	VMOVDQU Y7, (RMIN+32)(DI) \
	VMOVDQU Y8, RMAX(DI)      \
	VMOVDQU Y9, (RMAX+32)(DI)

// func forward2(acc *laneAccumulator, lanes *uint64, seq *entry, n int)
TEXT ·forward2(SB), NOSPLIT, $0-32
	MOVQ acc+0(FP), DI
	MOVQ lanes+8(FP), BX
	MOVQ seq+16(FP), SI
	MOVQ n+24(FP), CX
	LOAD2
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1

forward:
	MOVL   (SI), AX
	VPADDW (BX)(AX*1), Y0, Y0
	VPADDW 32(BX)(AX*1), Y1, Y1
	TESTB  $1, 6(SI)
	JZ     forwardNext
	VPBROADCASTW 4(SI), Y10
	BOUNDARY2

forwardNext:
	ADDQ $8, SI
	DECQ CX
	JNZ  forward
	STORE2
	VZEROUPPER
	RET

// func backward2(acc *laneAccumulator, lanes *uint64, seq *entry, n int)
// seq is the last of n entries; the one before the first is read too.
TEXT ·backward2(SB), NOSPLIT, $0-32
	MOVQ acc+0(FP), DI
	MOVQ lanes+8(FP), BX
	MOVQ seq+16(FP), SI
	MOVQ n+24(FP), CX
	LOAD2
	VMOVDQU TOTAL(DI), Y0
	VMOVDQU (TOTAL+32)(DI), Y1

backward:
	MOVL   (SI), AX
	VPSUBW (BX)(AX*1), Y0, Y0
	VPSUBW 32(BX)(AX*1), Y1, Y1
	TESTB  $1, -2(SI)
	JZ     backwardNext
	VPBROADCASTW -4(SI), Y10
	BOUNDARY2

backwardNext:
	SUBQ $8, SI
	DECQ CX
	JNZ  backward
	STORE2
	VZEROUPPER
	RET

// One row for K classes: add its lanes to the left counts of its class (R8)
// and what they lack of its weight to the right counts (R9); keep the largest
// counts in Y2..Y5.
#define ROWK \
	MOVL    (SI), AX            \
	MOVWLZX 6(SI), DX           \
	ANDL    $0xfffe, DX         \
	SHLL    $5, DX              \
	VPBROADCASTW 4(SI), Y10     \
	VMOVDQU (BX)(AX*1), Y0      \
	VMOVDQU 32(BX)(AX*1), Y1    \
	VPSUBW  Y0, Y10, Y6         \
	VPSUBW  Y1, Y10, Y7         \
	VPADDW  (R8)(DX*1), Y0, Y0  \
	VPADDW  32(R8)(DX*1), Y1, Y1 \
	VMOVDQU Y0, (R8)(DX*1)      \
	VMOVDQU Y1, 32(R8)(DX*1)    \
	VPADDW  (R9)(DX*1), Y6, Y6  \
	VPADDW  32(R9)(DX*1), Y7, Y7 \
	VMOVDQU Y6, (R9)(DX*1)      \
	VMOVDQU Y7, 32(R9)(DX*1)    \
	VPMAXSW Y0, Y2, Y2          \
	VPMAXSW Y1, Y3, Y3          \
	VPMAXSW Y6, Y4, Y4          \
	VPMAXSW Y7, Y5, Y5

// func storeK(left, right, lanes *uint64, seq *entry, stride, flag, n int, out *uint64) int
// Counts start at 0; at each boundary the four registers of largest counts go
// to out. It returns the number of boundaries.
TEXT ·storeK(SB), NOSPLIT, $0-72
	MOVQ left+0(FP), R8
	MOVQ right+8(FP), R9
	MOVQ lanes+16(FP), BX
	MOVQ seq+24(FP), SI
	MOVQ stride+32(FP), R12
	MOVQ flag+40(FP), R10
	MOVQ n+48(FP), CX
	MOVQ out+56(FP), R11
	XORQ R13, R13
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5

store:
	ROWK
	TESTB   $1, (SI)(R10*1)
	JZ      storeNext
	VMOVDQU Y2, (R11)
	VMOVDQU Y3, 32(R11)
	VMOVDQU Y4, 64(R11)
	VMOVDQU Y5, 96(R11)
	ADDQ    $128, R11
	INCQ    R13

storeNext:
	ADDQ R12, SI
	DECQ CX
	JNZ  store
	MOVQ R13, ret+64(FP)
	VZEROUPPER
	RET

#define COMBINE \
	SUBQ    $128, R11        \
	VPADDW  (R11), Y2, Y0    \
	VPADDW  32(R11), Y3, Y1  \
	VPADDW  64(R11), Y4, Y6  \
	VPADDW  96(R11), Y5, Y7  \
	VPMAXSW Y0, Y12, Y12     \
	VPMAXSW Y1, Y13, Y13     \
	VPMAXSW Y6, Y14, Y14     \
	VPMAXSW Y7, Y15, Y15

// func combineK(left, right, lanes *uint64, seq *entry, stride, flag, n int, stored, largest, best *uint64)
// Counts start as left and right are, their largest at largest. stored is past
// the last boundary of storeK, where this one begins.
TEXT ·combineK(SB), NOSPLIT, $0-80
	MOVQ left+0(FP), R8
	MOVQ right+8(FP), R9
	MOVQ lanes+16(FP), BX
	MOVQ seq+24(FP), SI
	MOVQ stride+32(FP), R12
	MOVQ flag+40(FP), R10
	MOVQ n+48(FP), CX
	MOVQ stored+56(FP), R11
	MOVQ largest+64(FP), DX
	VMOVDQU (DX), Y2
	VMOVDQU 32(DX), Y3
	VMOVDQU 64(DX), Y4
	VMOVDQU 96(DX), Y5
	MOVQ best+72(FP), DI
	VMOVDQU (DI), Y12
	VMOVDQU 32(DI), Y13
	VMOVDQU 64(DI), Y14
	VMOVDQU 96(DI), Y15
	COMBINE
	TESTQ CX, CX
	JZ    combined

combine:
	ROWK
	TESTB $1, (SI)(R10*1)
	JZ    combineNext
	COMBINE

combineNext:
	ADDQ R12, SI
	DECQ CX
	JNZ  combine

combined:
	VMOVDQU Y12, (DI)
	VMOVDQU Y13, 32(DI)
	VMOVDQU Y14, 64(DI)
	VMOVDQU Y15, 96(DI)
	VZEROUPPER
	RET

// func complementK(counts, totals, largest *uint64, k int)
// counts[c] = totals[c] - counts[c] for k classes of 32 lanes; largest is the
// largest of them per lane.
TEXT ·complementK(SB), NOSPLIT, $0-32
	MOVQ counts+0(FP), R8
	MOVQ totals+8(FP), R9
	MOVQ largest+16(FP), DI
	MOVQ k+24(FP), CX
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3

complement:
	VMOVDQU (R9), Y0
	VMOVDQU 32(R9), Y1
	VPSUBW  (R8), Y0, Y0
	VPSUBW  32(R8), Y1, Y1
	VMOVDQU Y0, (R8)
	VMOVDQU Y1, 32(R8)
	VPMAXSW Y0, Y2, Y2
	VPMAXSW Y1, Y3, Y3
	ADDQ    $64, R8
	ADDQ    $64, R9
	DECQ    CX
	JNZ     complement
	VMOVDQU Y2, (DI)
	VMOVDQU Y3, 32(DI)
	VZEROUPPER
	RET
