* octgen dialect portable, free format
NAME gto FREE
ROWS
 N obj
 G left_1_1
 G right_1_1
 G left_1_2
 G right_1_3
 G left_1_4
 G left_2_1
 G right_2_2
 G left_3_1
 G right_3_1
 G left_3_2
 G right_3_3
 G left_3_4
 G right_4_1
 G left_4_3
 G right_4_3
 G right_4_4
 G left_5_1
 G right_5_2
 E choice_1
 E choice_3
 E choice_4
COLUMNS
 w_1_1 left_1_1 1.5109662034355795 right_1_1 -1.5109662034355795
 w_1_1 left_2_1 0.6868028197434453 left_3_1 0.6868028197434453
 w_1_1 right_3_1 -0.6868028197434453 right_4_1 0.961523947640823
 w_1_1 left_5_1 -0.961523947640823
 w_2_1 left_1_1 1 right_1_1 -1
 w_2_1 left_2_1 1 left_3_1 -1
 w_2_1 right_3_1 1 right_4_1 1
 w_2_1 left_5_1 1
 w_1_2 left_1_2 1.5109662034355795 right_2_2 -0.6868028197434453
 w_1_2 left_3_2 0.6868028197434453 right_5_2 0.961523947640823
 w_2_2 left_1_2 1 right_2_2 -1
 w_2_2 left_3_2 -1 right_5_2 -1
 w_1_3 right_1_3 -1.5109662034355795 right_3_3 -0.6868028197434453
 w_1_3 left_4_3 -0.961523947640823 right_4_3 0.961523947640823
 w_2_3 right_1_3 -1 right_3_3 1
 w_2_3 left_4_3 -1 right_4_3 1
 w_1_4 left_1_4 1.5109662034355795 left_3_4 0.6868028197434453
 w_1_4 right_4_4 0.961523947640823
 w_2_4 left_1_4 1 left_3_4 -1
 w_2_4 right_4_4 1
 gamma_1 left_1_1 1 right_1_1 -1
 gamma_1 left_2_1 1 left_3_1 1
 gamma_1 right_3_1 -1 right_4_1 -1
 gamma_1 left_5_1 1
 gamma_2 left_1_2 1 right_2_2 -1
 gamma_2 left_3_2 1 right_5_2 -1
 gamma_3 right_1_3 -1 right_3_3 -1
 gamma_3 left_4_3 1 right_4_3 -1
 gamma_4 left_1_4 1 left_3_4 1
 gamma_4 right_4_4 -1
 BIN0 'MARKER' 'INTORG'
 q_1_5 left_1_1 -36.10966203435579 left_1_2 -36.10966203435579
 q_1_5 choice_1 1
 q_1_8 right_1_1 -36.10966203435579 right_1_3 -36.10966203435579
 q_1_8 left_1_4 -36.10966203435579 choice_1 1
 e_1 obj 5 choice_1 1
 e_2 obj 2 left_2_1 27.86802819743445
 e_2 right_2_2 27.86802819743445
 q_3_5 left_3_1 -27.86802819743445 left_3_2 -27.86802819743445
 q_3_5 choice_3 1
 q_3_8 right_3_1 -27.86802819743445 right_3_3 -27.86802819743445
 q_3_8 left_3_4 -27.86802819743445 choice_3 1
 e_3 obj 2 choice_3 1
 q_4_7 left_4_3 -30.615239476408235 choice_4 1
 q_4_9 right_4_3 -30.615239476408235 right_4_4 -30.615239476408235
 q_4_9 choice_4 1
 e_4 obj 4 right_4_1 30.615239476408235
 e_4 choice_4 1
 e_5 obj 2 left_5_1 30.615239476408235
 e_5 right_5_2 30.615239476408235
 BIN0 'MARKER' 'INTEND'
RHS
 RHS left_1_1 -35.10966203435579
 RHS right_1_1 -35.10966203435579
 RHS left_1_2 -35.10966203435579
 RHS right_1_3 -35.10966203435579
 RHS left_1_4 -35.10966203435579
 RHS left_2_1 1
 RHS right_2_2 1
 RHS left_3_1 -26.86802819743445
 RHS right_3_1 -26.86802819743445
 RHS left_3_2 -26.86802819743445
 RHS right_3_3 -26.86802819743445
 RHS left_3_4 -26.86802819743445
 RHS right_4_1 1
 RHS left_4_3 -29.615239476408235
 RHS right_4_3 -29.615239476408235
 RHS right_4_4 -29.615239476408235
 RHS left_5_1 1
 RHS right_5_2 1
 RHS choice_1 1
 RHS choice_3 1
 RHS choice_4 1
BOUNDS
 LO BND w_1_1 -10
 UP BND w_1_1 10
 LO BND w_2_1 -10
 UP BND w_2_1 10
 LO BND w_1_2 -10
 UP BND w_1_2 10
 LO BND w_2_2 -10
 UP BND w_2_2 10
 LO BND w_1_3 -10
 UP BND w_1_3 10
 LO BND w_2_3 -10
 UP BND w_2_3 10
 LO BND w_1_4 -10
 UP BND w_1_4 10
 LO BND w_2_4 -10
 UP BND w_2_4 10
 LO BND gamma_1 -10
 UP BND gamma_1 10
 LO BND gamma_2 -10
 UP BND gamma_2 10
 LO BND gamma_3 -10
 UP BND gamma_3 10
 LO BND gamma_4 -10
 UP BND gamma_4 10
 BV BND q_1_5
 BV BND q_1_8
 BV BND e_1
 BV BND e_2
 BV BND q_3_5
 BV BND q_3_8
 BV BND e_3
 BV BND q_4_7
 BV BND q_4_9
 BV BND e_4
 BV BND e_5
ENDATA
