NAME t FREE
ROWS
 N obj
 L r1
COLUMNS
 octgen_one obj 5
 x obj 1 r1 1
BOUNDS
 FX BND octgen_one 1
ENDATA
