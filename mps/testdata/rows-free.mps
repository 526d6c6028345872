* octgen dialect portable, free format
* golden file
* octgen name model "rows"
NAME octgen FREE
ROWS
 N obj
 E row_0
 L row_1
 G row_2
 G row_3
 L row_4
 N row_5
 G row_6
 G empty
COLUMNS
 x obj 1 row_0 1
 x row_1 1 row_2 1
 x row_3 1 row_4 1
 x row_5 1 row_6 1
 y obj 1 row_0 1.5
 y row_1 1.5 row_2 1.5
 y row_3 1.5 row_4 1.5
 y row_5 1.5 row_6 1.5
RHS
 RHS row_0 1
 RHS row_1 2
 RHS row_2 3
 RHS row_3 -4
 RHS row_4 5
 RHS empty -1
RANGES
 RNG row_3 9
 RNG row_4 11
 RNG empty 2
BOUNDS
 FR BND x
 MI BND y
 UP BND y 4
ENDATA
