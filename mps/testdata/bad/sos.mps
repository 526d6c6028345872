NAME t FREE
ROWS
 N obj
 L r1
 G r2
COLUMNS
 x obj 1 r1 1
 y obj 1 r2 2
SOS
 S1 s1
ENDATA
