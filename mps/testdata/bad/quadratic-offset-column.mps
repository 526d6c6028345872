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
 octgen_one obj 1
QUADOBJ
 octgen_one x 1
ENDATA
