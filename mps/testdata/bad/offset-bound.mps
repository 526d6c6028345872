NAME t FREE
ROWS
 N obj
 L r1
 G r2
COLUMNS
 octgen_one obj 5
BOUNDS
 UP BND octgen_one 1
ENDATA
