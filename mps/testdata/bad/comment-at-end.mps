NAME t FREE
ROWS
 N obj
 L r1
 G r2
COLUMNS
 x obj 1 r1 1
 y obj 2 r2 1
RHS
 A r1 4 *four
ENDATA
