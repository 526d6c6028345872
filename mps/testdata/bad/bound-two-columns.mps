NAME t FREE
ROWS
 N obj
 L r1
COLUMNS
 x obj 1 r1 1
 y obj 2 r1 1
BOUNDS
 FR BND x y
ENDATA
