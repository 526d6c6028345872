* octgen name octgen_c1 "y"
NAME t FREE
ROWS
 N obj
 L r1
 G r2
COLUMNS
 octgen_c1 obj 1
 y obj 1
RHS
 RHS r1 4
ENDATA
