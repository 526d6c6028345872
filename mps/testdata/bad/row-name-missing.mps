NAME t FREE
ROWS
 N obj
 L
COLUMNS
 x obj 1 r1 1
 y obj 1 r2 2
RHS
 RHS r1 4
ENDATA
