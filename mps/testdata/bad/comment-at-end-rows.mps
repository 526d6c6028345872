NAME t FREE
ROWS
 N obj *cost
COLUMNS
 x obj 1
ENDATA
