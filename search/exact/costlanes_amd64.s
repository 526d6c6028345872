#include "textflag.h"

// An entry: OFF is the row's offset, plus 1 at a boundary; V is the offset of its costs.
#define OFF 0
#define V 4
#define SIZE 8

// The layout of costLanes.
#define LOAD \
	MOVQ  x+0(FP), DI     \
	MOVQ  0(DI), BX       \
	MOVQ  8(DI), R8       \
	MOVQ  16(DI), R11     \
	MOVQ  24(DI), R9      \
	MOVQ  32(DI), R12     \
	MOVQ  40(DI), R13     \
	MOVQ  48(DI), R10     \
	MOVQ  56(DI), DI      \
	MOVQ  seq+8(FP), SI   \
	MOVQ  n+16(FP), CX    \
	VPXOR Y15, Y15, Y15

// One row with its lanes at AX and its costs at DX: adds its costs to the sums of the lanes that
// contain it and to those of all rows, or subtracts them.
#define ROW(OP, again) \
	VMOVDQU  (BX)(AX*1), Y0   \
	VMOVDQU  32(BX)(AX*1), Y1 \
	VPCMPGTD Y15, Y0, Y0      \
	VPCMPGTD Y15, Y1, Y1      \
	ADDQ     R8, DX           \
	XORL     AX, AX           \
	XORL     R14, R14         \
again:                        \
	VPBROADCASTD (DX)(R14*4), Y2 \
	VPAND    Y0, Y2, Y3       \
	VPAND    Y1, Y2, Y4       \
	VMOVDQU  (R9)(AX*1), Y5   \
	VMOVDQU  32(R9)(AX*1), Y6 \
	VMOVDQU  (R10)(AX*1), Y7  \
	OP       Y3, Y5, Y5       \
	OP       Y4, Y6, Y6       \
	OP       Y2, Y7, Y7       \
	VMOVDQU  Y5, (R9)(AX*1)   \
	VMOVDQU  Y6, 32(R9)(AX*1) \
	VMOVDQU  Y7, (R10)(AX*1)  \
	ADDQ     $64, AX          \
	INCQ     R14              \
	CMPQ     R14, R11         \
	JNE      again

// One boundary: the minimum sums of both leaves on both sides, and those of the stumps.
#define BOUNDARY(again) \
	VPCMPEQD Y7, Y7, Y7       \
	VPSRLD   $1, Y7, Y7       \
	VMOVDQA  Y7, Y8           \
	VMOVDQA  Y7, Y9           \
	VMOVDQA  Y7, Y10          \
	VMOVDQA  Y7, Y11          \
	VMOVDQA  Y7, Y12          \
	VMOVDQA  Y7, Y13          \
	VMOVDQA  Y7, Y14          \
	XORL     AX, AX           \
	MOVQ     R11, R14         \
again:                        \
	VMOVDQU  (R9)(AX*1), Y0   \
	VMOVDQU  32(R9)(AX*1), Y1 \
	VMOVDQU  (R10)(AX*1), Y2  \
	VPSUBD   Y0, Y2, Y3       \
	VPSUBD   Y1, Y2, Y4       \
	VPMINSD  Y0, Y7, Y7       \
	VPMINSD  Y1, Y8, Y8       \
	VPMINSD  Y3, Y11, Y11     \
	VPMINSD  Y4, Y12, Y12     \
	VMOVDQU  (R12)(AX*1), Y5  \
	VMOVDQU  32(R12)(AX*1), Y6 \
	VPSUBD   Y0, Y5, Y5       \
	VPSUBD   Y1, Y6, Y6       \
	VPMINSD  Y5, Y9, Y9       \
	VPMINSD  Y6, Y10, Y10     \
	VMOVDQU  (R13)(AX*1), Y5  \
	VMOVDQU  32(R13)(AX*1), Y6 \
	VPSUBD   Y3, Y5, Y5       \
	VPSUBD   Y4, Y6, Y6       \
	VPMINSD  Y5, Y13, Y13     \
	VPMINSD  Y6, Y14, Y14     \
	ADDQ     $64, AX          \
	DECQ     R14              \
	JNZ      again            \
	VPADDD   Y7, Y9, Y7       \
	VPADDD   Y8, Y10, Y8      \
	VPADDD   Y11, Y13, Y11    \
	VPADDD   Y12, Y14, Y12    \
	VPMINSD  (DI), Y7, Y7     \
	VPMINSD  32(DI), Y8, Y8   \
	VPMINSD  64(DI), Y11, Y11 \
	VPMINSD  96(DI), Y12, Y12 \
	VMOVDQU  Y7, (DI)         \
	VMOVDQU  Y8, 32(DI)       \
	VMOVDQU  Y11, 64(DI)      \
	VMOVDQU  Y12, 96(DI)

// func addCosts(x *costLanes, rows *uint32, n int)
TEXT ·addCosts(SB), NOSPLIT, $0-24
	MOVQ x+0(FP), DI
	MOVQ 0(DI), BX
	MOVQ 8(DI), R8
	MOVQ 16(DI), R11
	MOVQ 24(DI), R9
	MOVQ 48(DI), R10
	MOVQ rows+8(FP), SI
	MOVQ n+16(FP), CX
	VPXOR Y15, Y15, Y15

add:
	MOVL  (SI), AX
	MOVL  AX, DX
	IMULQ R11, DX
	SHLQ  $2, DX
	SHLQ  $6, AX
	ROW(VPADDD, addClass)
	ADDQ  $4, SI
	DECQ  CX
	JNZ   add
	VZEROUPPER
	RET

// func forwardCosts(x *costLanes, seq *entry, n int)
TEXT ·forwardCosts(SB), NOSPLIT, $0-24
	LOAD

forward:
	MOVL  OFF(SI), AX
	MOVL  V(SI), DX
	ANDL  $-2, AX
	ROW(VPADDD, forwardClass)
	TESTB $1, OFF(SI)
	JZ    forwardNext
	BOUNDARY(forwardBound)

forwardNext:
	ADDQ $SIZE, SI
	DECQ CX
	JNZ  forward
	VZEROUPPER
	RET

// func backwardCosts(x *costLanes, seq *entry, n int)
TEXT ·backwardCosts(SB), NOSPLIT, $0-24
	LOAD

backward:
	MOVL  OFF(SI), AX
	MOVL  V(SI), DX
	ANDL  $-2, AX
	ROW(VPSUBD, backwardClass)
	TESTB $1, (OFF-SIZE)(SI)
	JZ    backwardNext
	BOUNDARY(backwardBound)

backwardNext:
	SUBQ $SIZE, SI
	DECQ CX
	JNZ  backward
	VZEROUPPER
	RET
