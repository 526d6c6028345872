* octgen dialect cplex, free format
* golden file
NAME lazy FREE
ROWS
 N obj
 L both
LAZYCONS
 L late_0
 G late_1
COLUMNS
 BIN0 'MARKER' 'INTORG'
 x obj -1 both 1
 x late_0 1 late_1 1
 y obj -2 both 1
 y late_0 1
 BIN0 'MARKER' 'INTEND'
RHS
 RHS both 2
 RHS late_0 1
 RHS late_1 -1
BOUNDS
 BV BND x
 BV BND y
ENDATA
