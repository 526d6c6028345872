* octgen dialect portable, free format
NAME m FREE
ROWS
 N obj
* octgen lazy 2
 L a
COLUMNS
 x obj 1 a 1
RHS
BOUNDS
ENDATA
