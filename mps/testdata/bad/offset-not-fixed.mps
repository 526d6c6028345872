NAME t FREE
ROWS
 N obj
 L r1
 G r2
COLUMNS
 octgen_one obj 5
RHS
 RHS r1 4
ENDATA
