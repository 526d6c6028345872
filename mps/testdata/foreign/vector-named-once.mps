NAME t
ROWS
 N obj
 G r1
 G r2
 L r3
COLUMNS
 x obj 1 r1 1
 x r3 1
 y obj 1 r2 1
RHS
 RHS r1 5
 r2 7 r3 9
RANGES
 r1 2
 RNG r2 3
BOUNDS
 LO y 1
 UP BND y 8
 FR x
ENDATA
