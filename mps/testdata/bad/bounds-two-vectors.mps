NAME t FREE
ROWS
 N obj
 L r1
 G r2
COLUMNS
 x obj 1 r1 1
 y obj 2 r2 1
BOUNDS
 UP A x 4
 LO y 2
 LO B y 1
ENDATA
