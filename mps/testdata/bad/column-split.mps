NAME t FREE
ROWS
 N obj
 L r1
 G r2
COLUMNS
 x obj 1
 y obj 1
 x r1 1
RHS
 RHS r1 4
ENDATA
