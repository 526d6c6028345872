NAME t FREE
ROWS
 N obj
* octgen sense max
 L r1
 G r2
COLUMNS
 x obj 1 r1 1
 y obj 1 r2 2
RHS
 RHS r1 4
ENDATA
