NAME t
ROWS
 N obj
 G r1
COLUMNS
 x obj 1 r1 1
 y obj 1 r1 1
 z obj 1 r1 1
 MARKER 'MARKER' 'INTORG'
 k obj 1 r1 1
 MARKER 'MARKER' 'INTEND'
RHS
 RHS r1 -100
BOUNDS
 UP BND x -1
 LO BND y -9
 UP BND y -1
 UP BND z 0
 UI BND k -2
ENDATA
