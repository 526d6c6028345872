* octgen dialect portable, free format
NAME oct-h FREE
ROWS
 N obj
 L norm_1
 G abs_up_1_1
 G abs_low_1_1
 L used_1_1
 G abs_up_2_1
 G abs_low_2_1
 L used_2_1
 L max_splits
 E flow_1_1
 E flow_2_1
 E flow_3_1
 E flow_4_1
 L left_1_1
 G right_1_1
 L left_2_1
 G right_2_1
 L left_3_1
 G right_3_1
 L left_4_1
 G right_4_1
COLUMNS
 a_1_1 abs_up_1_1 -1 abs_low_1_1 1
 a_1_1 left_1_1 -0.5 right_1_1 -0.5
 a_1_1 left_2_1 -0.16666666666666669 right_2_1 -0.16666666666666669
 a_1_1 left_3_1 -0.16666666666666669 right_3_1 -0.16666666666666669
 a_1_1 left_4_1 0.5 right_4_1 0.5
 a_2_1 abs_up_2_1 -1 abs_low_2_1 1
 a_2_1 left_1_1 -0.5 right_1_1 -0.5
 a_2_1 left_2_1 -0.5 right_2_1 -0.5
 a_2_1 left_3_1 0.5 right_3_1 0.5
 a_2_1 left_4_1 -0.5 right_4_1 -0.5
 ahat_1_1 norm_1 1 abs_up_1_1 1
 ahat_1_1 abs_low_1_1 1 used_1_1 1
 ahat_2_1 norm_1 1 abs_up_2_1 1
 ahat_2_1 abs_low_2_1 1 used_2_1 1
 BIN0 'MARKER' 'INTORG'
 s_1_1 obj 0.25 used_1_1 -1
 s_1_1 max_splits 1
 s_2_1 obj 0.25 used_2_1 -1
 s_2_1 max_splits 1
 BIN0 'MARKER' 'INTEND'
 b_1 left_1_1 -1 right_1_1 -1
 b_1 left_2_1 -1 right_2_1 -1
 b_1 left_3_1 -1 right_3_1 -1
 b_1 left_4_1 -1 right_4_1 -1
 w_1_2 obj -0.5 flow_1_1 1
 w_1_2 left_1_1 1
 w_2_2 flow_2_1 1 left_2_1 1
 w_3_2 obj -0.5 flow_3_1 1
 w_3_2 left_3_1 1
 w_4_2 flow_4_1 1 left_4_1 1
 BIN1 'MARKER' 'INTORG'
 w_1_3 flow_1_1 1 right_1_1 -1
 w_2_3 obj -0.5 flow_2_1 1
 w_2_3 right_2_1 -1
 w_3_3 flow_3_1 1 right_3_1 -1
 w_4_3 obj -0.5 flow_4_1 1
 w_4_3 right_4_1 -1
 BIN1 'MARKER' 'INTEND'
 octgen_one obj 2
RHS
 RHS norm_1 1
 RHS max_splits 1
 RHS flow_1_1 1
 RHS flow_2_1 1
 RHS flow_3_1 1
 RHS flow_4_1 1
 RHS left_1_1 0.995
 RHS right_1_1 -1
 RHS left_2_1 0.995
 RHS right_2_1 -1
 RHS left_3_1 0.995
 RHS right_3_1 -1
 RHS left_4_1 0.995
 RHS right_4_1 -1
BOUNDS
 LO BND a_1_1 -1
 UP BND a_1_1 1
 LO BND a_2_1 -1
 UP BND a_2_1 1
 LO BND ahat_1_1 0
 UP BND ahat_1_1 1
 LO BND ahat_2_1 0
 UP BND ahat_2_1 1
 BV BND s_1_1
 BV BND s_2_1
 LO BND b_1 -0.495
 UP BND b_1 0.5
 LO BND w_1_2 0
 UP BND w_1_2 1
 LO BND w_2_2 0
 UP BND w_2_2 1
 LO BND w_3_2 0
 UP BND w_3_2 1
 LO BND w_4_2 0
 UP BND w_4_2 1
 BV BND w_1_3
 BV BND w_2_3
 BV BND w_3_3
 BV BND w_4_3
 FX BND octgen_one 1
ENDATA
