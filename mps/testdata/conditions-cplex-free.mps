* octgen dialect cplex, free format
* golden file
NAME conditions FREE
ROWS
 N obj
 G row_0
 L row_1
 N row_2
 E row_3
COLUMNS
 x obj 1 row_0 1
 x row_1 1 row_2 1
 x row_3 1
 y obj -1 row_0 -2
 y row_1 -2 row_2 -2
 y row_3 -2
 z obj -2
 BIN0 'MARKER' 'INTORG'
 p obj 0.5
 BIN0 'MARKER' 'INTEND'
RHS
 RHS row_0 1
 RHS row_1 0.5
BOUNDS
 LO BND x -1
 UP BND x 1
 LO BND y 0
 UP BND y 2
 LO BND z 0
 UP BND z 2
 BV BND p
SOS
 S1 one
    x 1
    y 2
 S2 two
    y 1
    z 2
    x 3
INDICATORS
 IF row_0 p 1
 IF row_1 p 0
* octgen indicator row_2 p 1
ENDATA
