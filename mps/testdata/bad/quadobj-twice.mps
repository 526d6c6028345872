NAME t FREE
ROWS
 N obj
 L r1
 G r2
COLUMNS
 x obj 1 r1 1
 y obj 1 r2 2
 M 'MARKER' 'INTORG'
 b obj 1
 M 'MARKER' 'INTEND'
QUADOBJ
 x x 1
 x y 1
 x x 2
ENDATA
