NAME t
ROWS
 N obj
 G r1
COLUMNS
 a obj 1 r1 1
 MARKER 'MARKER' 'INTORG'
 x obj 1 r1 1
 y obj 1 r1 1
 z obj 1 r1 1
RHS
 RHS r1 2.5
BOUNDS
 UP BND x 9
ENDATA
