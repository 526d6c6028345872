NAME t FREE
ROWS
 N obj
 L r1
COLUMNS
 * a comment, or is it
 x obj 1 r1 1
ENDATA
