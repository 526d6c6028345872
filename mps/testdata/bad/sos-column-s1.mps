NAME t FREE
ROWS
 N obj
 L r1
 G r2
COLUMNS
 S1 obj 1
 x obj 1 r1 1
 y obj 2 r2 1
SOS
 S2 set
 x 1
 S1 3
 y 4
ENDATA
