NAME t FREE
ROWS
 N obj
 L r1
 G r2
COLUMNS
 x obj 1
 x obj 2
RHS
 RHS r1 4
ENDATA
