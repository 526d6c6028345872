* octgen dialect portable, free format
* golden file
* octgen name model "odd names and numbers"
* octgen name octgen_c1 "1st"
* octgen name octgen_c2 "RHS"
* octgen name octgen_r1 "gr\u00f6\u00dfe"
* octgen name octgen_r2 "obj"
NAME octgen FREE
ROWS
 N obj
 G octgen_r1
 G octgen_r2
COLUMNS
 INT0 'MARKER' 'INTORG'
 octgen_c1 obj 0.1 octgen_r1 1e100
 INT0 'MARKER' 'INTEND'
 octgen_c2 obj 0.3333333333333333 octgen_r2 -123456.789
RHS
 RHS octgen_r1 -0.6046602879796196
RANGES
* octgen range octgen_r1 -0.6046602879796196 0.9405090880450124
 RNG octgen_r1 1.545169376024632
 RNG octgen_r2 1e15
BOUNDS
* octgen bounds octgen_c1 0.5 7.5
 LO BND octgen_c1 1
 UP BND octgen_c1 7
 LO BND octgen_c2 0
 UP BND octgen_c2 1e-7
ENDATA
