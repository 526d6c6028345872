#include "textflag.h"

// Narrow lanes are 32 of 16 bits, wide ones 16 of 32 bits: the routines differ only in the width of
// their instructions, which the macros take as arguments.

// An entry: OFF is the row's offset, plus 1 at a boundary; V is its value for the lanes.
#define OFF 0
#define V 4
#define SIZE 8

// The layout of laneAccumulator: five rows of 64 bytes.
#define TOTAL 0
#define LMIN 64
#define LMAX 128
#define RMIN 192
#define RMAX 256

// One boundary: Y0, Y1 hold the prefix balances of the left sides, Y10 the balance of the whole
// node; keep the extremes of both sides.
#define BOUNDARY2(SUB, MIN, MAX) \
	MIN Y0, Y2, Y2    \
	MIN Y1, Y3, Y3    \
	MAX Y0, Y4, Y4    \
	MAX Y1, Y5, Y5    \
	SUB Y0, Y10, Y11  \
	SUB Y1, Y10, Y12  \
	MIN Y11, Y6, Y6   \
	MIN Y12, Y7, Y7   \
	MAX Y11, Y8, Y8   \
	MAX Y12, Y9, Y9

#define LOAD2 \
	MOVQ acc+0(FP), DI        \
	MOVQ lanes+8(FP), BX      \
	MOVQ seq+16(FP), SI       \
	MOVQ n+24(FP), CX         \
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
	VMOVDQU Y9, (RMAX+32)(DI) \
	VZEROUPPER

#define FORWARD2(ADD, SUB, MIN, MAX, BROADCAST) \
	LOAD2                         \
	VPXOR Y0, Y0, Y0              \
	VPXOR Y1, Y1, Y1              \
loop:                             \
	MOVL  OFF(SI), AX             \
	ANDL  $-2, AX                 \
	ADD   (BX)(AX*1), Y0, Y0      \
	ADD   32(BX)(AX*1), Y1, Y1    \
	TESTB $1, OFF(SI)             \
	JZ    next                    \
	BROADCAST V(SI), Y10          \
	BOUNDARY2(SUB, MIN, MAX)      \
next:                             \
	ADDQ $SIZE, SI                \
	DECQ CX                       \
	JNZ  loop                     \
	STORE2                        \
	RET

// seq is the last of n entries; the entry before the first is read as well.
#define BACKWARD2(SUB, MIN, MAX, BROADCAST) \
	LOAD2                         \
	VMOVDQU TOTAL(DI), Y0         \
	VMOVDQU (TOTAL+32)(DI), Y1    \
loop:                             \
	MOVL  OFF(SI), AX             \
	ANDL  $-2, AX                 \
	SUB   (BX)(AX*1), Y0, Y0      \
	SUB   32(BX)(AX*1), Y1, Y1    \
	TESTB $1, (OFF-SIZE)(SI)      \
	JZ    next                    \
	BROADCAST (V-SIZE)(SI), Y10   \
	BOUNDARY2(SUB, MIN, MAX)      \
next:                             \
	SUBQ $SIZE, SI                \
	DECQ CX                       \
	JNZ  loop                     \
	STORE2                        \
	RET

// A row of more than two classes: sets DX to the position of the counts of its class, Y10 to its
// weight.
#define CLASSNARROW \
	MOVWLZX (V+2)(SI), DX      \
	SHLL    $6, DX             \
	VPBROADCASTW V(SI), Y10

// DI points to the weights of all rows, four bytes each.
#define CLASSWIDE \
	MOVL    V(SI), DX          \
	SHLL    $6, DX             \
	MOVL    AX, R14            \
	SHRL    $4, R14            \
	VPBROADCASTD (DI)(R14*1), Y10

// One row for K classes: add its lanes to the left counts of its class (R8), and its weight minus
// its lanes to the right counts (R9); keep the largest counts in Y2..Y5.
#define ROWK(CLASS, ADD, SUB, MAX) \
	MOVL    OFF(SI), AX         \
	ANDL    $-2, AX             \
	CLASS                       \
	VMOVDQU (BX)(AX*1), Y0      \
	VMOVDQU 32(BX)(AX*1), Y1    \
	SUB     Y0, Y10, Y6         \
	SUB     Y1, Y10, Y7         \
	ADD     (R8)(DX*1), Y0, Y0  \
	ADD     32(R8)(DX*1), Y1, Y1 \
	VMOVDQU Y0, (R8)(DX*1)      \
	VMOVDQU Y1, 32(R8)(DX*1)    \
	ADD     (R9)(DX*1), Y6, Y6  \
	ADD     32(R9)(DX*1), Y7, Y7 \
	VMOVDQU Y6, (R9)(DX*1)      \
	VMOVDQU Y7, 32(R9)(DX*1)    \
	MAX     Y0, Y2, Y2          \
	MAX     Y1, Y3, Y3          \
	MAX     Y6, Y4, Y4          \
	MAX     Y7, Y5, Y5

// Counts start at 0; at each boundary the four registers of largest counts are stored to out. The
// routine returns the number of boundaries.
#define STOREK(CLASS, ADD, SUB, MAX) \
	MOVQ left+0(FP), R8     \
	MOVQ right+8(FP), R9    \
	MOVQ lanes+16(FP), BX   \
	MOVQ weights+24(FP), DI \
	MOVQ seq+32(FP), SI     \
	MOVQ stride+40(FP), R12 \
	MOVQ flag+48(FP), R10   \
	MOVQ n+56(FP), CX       \
	MOVQ out+64(FP), R11    \
	XORQ R13, R13           \
	VPXOR Y2, Y2, Y2        \
	VPXOR Y3, Y3, Y3        \
	VPXOR Y4, Y4, Y4        \
	VPXOR Y5, Y5, Y5        \
loop:                       \
	ROWK(CLASS, ADD, SUB, MAX) \
	TESTB   $1, OFF(SI)(R10*1) \
	JZ      next            \
	VMOVDQU Y2, (R11)       \
	VMOVDQU Y3, 32(R11)     \
	VMOVDQU Y4, 64(R11)     \
	VMOVDQU Y5, 96(R11)     \
	ADDQ    $128, R11       \
	INCQ    R13             \
next:                       \
	ADDQ R12, SI            \
	DECQ CX                 \
	JNZ  loop               \
	MOVQ R13, ret+72(FP)    \
	VZEROUPPER              \
	RET

#define COMBINE(ADD, MAX) \
	SUBQ $128, R11        \
	ADD  (R11), Y2, Y0    \
	ADD  32(R11), Y3, Y1  \
	ADD  64(R11), Y4, Y6  \
	ADD  96(R11), Y5, Y7  \
	MAX  Y0, Y12, Y12     \
	MAX  Y1, Y13, Y13     \
	MAX  Y6, Y14, Y14     \
	MAX  Y7, Y15, Y15

// Counts start as left and right, their largest as largest. stored is past the last boundary of
// STOREK, where this routine begins.
#define COMBINEK(CLASS, ADD, SUB, MAX) \
	MOVQ left+0(FP), R8      \
	MOVQ right+8(FP), R9     \
	MOVQ lanes+16(FP), BX    \
	MOVQ weights+24(FP), DI  \
	MOVQ seq+32(FP), SI      \
	MOVQ stride+40(FP), R12  \
	MOVQ flag+48(FP), R10    \
	MOVQ n+56(FP), CX        \
	MOVQ stored+64(FP), R11  \
	MOVQ largest+72(FP), DX  \
	VMOVDQU (DX), Y2         \
	VMOVDQU 32(DX), Y3       \
	VMOVDQU 64(DX), Y4       \
	VMOVDQU 96(DX), Y5       \
	MOVQ best+80(FP), R13    \
	VMOVDQU (R13), Y12       \
	VMOVDQU 32(R13), Y13     \
	VMOVDQU 64(R13), Y14     \
	VMOVDQU 96(R13), Y15     \
	COMBINE(ADD, MAX)        \
	TESTQ CX, CX             \
	JZ    done               \
loop:                        \
	ROWK(CLASS, ADD, SUB, MAX) \
	TESTB $1, OFF(SI)(R10*1) \
	JZ    next               \
	COMBINE(ADD, MAX)        \
next:                        \
	ADDQ R12, SI             \
	DECQ CX                  \
	JNZ  loop                \
done:                        \
	VMOVDQU Y12, (R13)       \
	VMOVDQU Y13, 32(R13)     \
	VMOVDQU Y14, 64(R13)     \
	VMOVDQU Y15, 96(R13)     \
	VZEROUPPER               \
	RET

// counts[c] = totals[c] - counts[c] for k classes; largest is the largest of them per
// lane.
#define COMPLEMENTK(SUB, MAX) \
	MOVQ counts+0(FP), R8    \
	MOVQ totals+8(FP), R9    \
	MOVQ largest+16(FP), DI  \
	MOVQ k+24(FP), CX        \
	VPXOR Y2, Y2, Y2         \
	VPXOR Y3, Y3, Y3         \
loop:                        \
	VMOVDQU (R9), Y0         \
	VMOVDQU 32(R9), Y1       \
	SUB     (R8), Y0, Y0     \
	SUB     32(R8), Y1, Y1   \
	VMOVDQU Y0, (R8)         \
	VMOVDQU Y1, 32(R8)       \
	MAX     Y0, Y2, Y2       \
	MAX     Y1, Y3, Y3       \
	ADDQ    $64, R8          \
	ADDQ    $64, R9          \
	DECQ    CX               \
	JNZ     loop             \
	VMOVDQU Y2, (DI)         \
	VMOVDQU Y3, 32(DI)       \
	VZEROUPPER               \
	RET

// The blocks of eight rows, each four times; and the values that are greater in the lanes of the
// cuts that send a row of that block left.
DATA fourTimes<>+0(SB)/8, $0x0101010100000000
DATA fourTimes<>+8(SB)/8, $0x0303030302020202
DATA fourTimes<>+16(SB)/8, $0x0505050504040404
DATA fourTimes<>+24(SB)/8, $0x0707070706060606
GLOBL fourTimes<>(SB), RODATA|NOPTR, $32
DATA after<>+0(SB)/8, $0x0403020104030201
DATA after<>+8(SB)/8, $0x0403020104030201
DATA after<>+16(SB)/8, $0x0403020104030201
DATA after<>+24(SB)/8, $0x0403020104030201
GLOBL after<>(SB), RODATA|NOPTR, $32

// func layNarrow(lanes *uint64, blocks *uint8, rows *uint32, spread *uint64, n int)
TEXT ·layNarrow(SB), NOSPLIT, $0-40
	MOVQ    lanes+0(FP), DI
	MOVQ    blocks+8(FP), BX
	MOVQ    rows+16(FP), SI
	MOVQ    spread+24(FP), R8
	MOVQ    n+32(FP), CX
	VMOVDQU fourTimes<>(SB), Y14
	VMOVDQU after<>(SB), Y13

layNarrowLoop:
	MOVL         (SI), AX
	VPBROADCASTQ (BX)(AX*8), Y0
	VPBROADCASTQ (R8)(AX*8), Y4
	VPSHUFB      Y14, Y0, Y0
	VPCMPGTB     Y0, Y13, Y1
	VPMOVSXBW    X1, Y2
	VEXTRACTI128 $1, Y1, X1
	VPMOVSXBW    X1, Y3
	VPAND        Y4, Y2, Y2
	VPAND        Y4, Y3, Y3
	SHLQ         $6, AX
	VMOVDQU      Y2, (DI)(AX*1)
	VMOVDQU      Y3, 32(DI)(AX*1)
	ADDQ         $4, SI
	DECQ         CX
	JNZ          layNarrowLoop
	VZEROUPPER
	RET

// func layWide(lanes *uint64, blocks *uint8, rows *uint32, weights *int32, n int, balance, weight *laneRow)
TEXT ·layWide(SB), NOSPLIT, $0-56
	MOVQ    lanes+0(FP), DI
	MOVQ    blocks+8(FP), BX
	MOVQ    rows+16(FP), SI
	MOVQ    weights+24(FP), R8
	MOVQ    n+32(FP), CX
	VMOVDQU fourTimes<>(SB), X14
	VMOVDQU after<>(SB), X13
	VPXOR   Y5, Y5, Y5
	VPXOR   Y6, Y6, Y6
	VPXOR   Y7, Y7, Y7
	VPXOR   Y8, Y8, Y8

layWideLoop:
	MOVL         (SI), AX
	VMOVQ        (BX)(AX*8), X0
	VPBROADCASTD (R8)(AX*4), Y4
	VPSHUFB      X14, X0, X0
	VPCMPGTB     X0, X13, X1
	VPMOVSXBD    X1, Y2
	VPSRLDQ      $8, X1, X1
	VPMOVSXBD    X1, Y3
	VPAND        Y4, Y2, Y2
	VPAND        Y4, Y3, Y3
	SHLQ         $6, AX
	VMOVDQU      Y2, (DI)(AX*1)
	VMOVDQU      Y3, 32(DI)(AX*1)
	VPADDD       Y2, Y5, Y5
	VPADDD       Y3, Y6, Y6
	VPABSD       Y2, Y2
	VPABSD       Y3, Y3
	VPADDD       Y2, Y7, Y7
	VPADDD       Y3, Y8, Y8
	ADDQ         $4, SI
	DECQ         CX
	JNZ          layWideLoop
	MOVQ         balance+40(FP), DI
	VMOVDQU      Y5, (DI)
	VMOVDQU      Y6, 32(DI)
	MOVQ         weight+48(FP), DI
	VMOVDQU      Y7, (DI)
	VMOVDQU      Y8, 32(DI)
	VZEROUPPER
	RET

// func forward2(acc *laneAccumulator, lanes *uint64, seq *entry, n int)
TEXT ·forward2(SB), NOSPLIT, $0-32
	FORWARD2(VPADDW, VPSUBW, VPMINSW, VPMAXSW, VPBROADCASTW)

// func forwardWide2(acc *laneAccumulator, lanes *uint64, seq *entry, n int)
TEXT ·forwardWide2(SB), NOSPLIT, $0-32
	FORWARD2(VPADDD, VPSUBD, VPMINSD, VPMAXSD, VPBROADCASTD)

// func backward2(acc *laneAccumulator, lanes *uint64, seq *entry, n int)
TEXT ·backward2(SB), NOSPLIT, $0-32
	BACKWARD2(VPSUBW, VPMINSW, VPMAXSW, VPBROADCASTW)

// func backwardWide2(acc *laneAccumulator, lanes *uint64, seq *entry, n int)
TEXT ·backwardWide2(SB), NOSPLIT, $0-32
	BACKWARD2(VPSUBD, VPMINSD, VPMAXSD, VPBROADCASTD)

// func storeK(left, right, lanes *uint64, weights *int32, seq *entry, stride, flag, n int, out *uint64) int
TEXT ·storeK(SB), NOSPLIT, $0-80
	STOREK(CLASSNARROW, VPADDW, VPSUBW, VPMAXSW)

// func storeWideK(left, right, lanes *uint64, weights *int32, seq *entry, stride, flag, n int, out *uint64) int
TEXT ·storeWideK(SB), NOSPLIT, $0-80
	STOREK(CLASSWIDE, VPADDD, VPSUBD, VPMAXSD)

// func combineK(left, right, lanes *uint64, weights *int32, seq *entry, stride, flag, n int, stored, largest, best *uint64)
TEXT ·combineK(SB), NOSPLIT, $0-88
	COMBINEK(CLASSNARROW, VPADDW, VPSUBW, VPMAXSW)

// func combineWideK(left, right, lanes *uint64, weights *int32, seq *entry, stride, flag, n int, stored, largest, best *uint64)
TEXT ·combineWideK(SB), NOSPLIT, $0-88
	COMBINEK(CLASSWIDE, VPADDD, VPSUBD, VPMAXSD)

// func complementK(counts, totals, largest *uint64, k int)
TEXT ·complementK(SB), NOSPLIT, $0-32
	COMPLEMENTK(VPSUBW, VPMAXSW)

// func complementWideK(counts, totals, largest *uint64, k int)
TEXT ·complementWideK(SB), NOSPLIT, $0-32
	COMPLEMENTK(VPSUBD, VPMAXSD)
