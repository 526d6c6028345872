* octgen dialect portable, free format
NAME ort FREE
ROWS
 N obj
 G over_1_2
 G over_2_2
 G over_3_2
 G over_4_2
 G over_5_2
 G over_1_3
 G over_2_3
 G over_3_3
 G over_4_3
 G over_5_3
 G under_1_2
 G under_2_2
 G under_3_2
 G under_4_2
 G under_5_2
 G under_1_3
 G under_2_3
 G under_3_3
 G under_4_3
 G under_5_3
 G right_1_3_1
 G right_2_3_1
 G right_3_3_1
 G right_4_3_1
 G right_5_3_1
 L left_1_2_1
 L left_2_2_1
 L left_3_2_1
 L left_4_2_1
 L left_5_2_1
 E member_1
 E member_2
 E member_3
 E member_4
 E member_5
 L used_1_2
 L used_2_2
 L used_3_2
 L used_4_2
 L used_5_2
 L used_1_3
 L used_2_3
 L used_3_3
 L used_4_3
 L used_5_3
 G least_2
 G least_3
 E split_1
 L bound_1
 L max_splits
COLUMNS
 BIN0 'MARKER' 'INTORG'
 a_1_1 right_2_3_1 0.5 right_3_3_1 0.5
 a_1_1 right_4_3_1 1 right_5_3_1 1
 a_1_1 left_2_2_1 0.5 left_3_2_1 0.5
 a_1_1 left_4_2_1 1 left_5_2_1 1
 a_1_1 split_1 1
 a_2_1 right_3_3_1 1 right_5_3_1 1
 a_2_1 left_1_2_1 0.5 left_2_2_1 0.5
 a_2_1 left_3_2_1 1.5 left_4_2_1 0.5
 a_2_1 left_5_2_1 1.5 split_1 1
 d_1 obj 0.01 split_1 -1
 d_1 bound_1 -1 max_splits 1
 BIN0 'MARKER' 'INTEND'
 b_1 right_1_3_1 -1 right_2_3_1 -1
 b_1 right_3_3_1 -1 right_4_3_1 -1
 b_1 right_5_3_1 -1 left_1_2_1 -1
 b_1 left_2_2_1 -1 left_3_2_1 -1
 b_1 left_4_2_1 -1 left_5_2_1 -1
 b_1 bound_1 1
 BIN1 'MARKER' 'INTORG'
 z_1_2 under_1_2 -1 left_1_2_1 2
 z_1_2 member_1 1 used_1_2 1
 z_1_2 least_2 1
 z_2_2 over_2_2 -0.5 under_2_2 -0.5
 z_2_2 left_2_2_1 2 member_2 1
 z_2_2 used_2_2 1 least_2 1
 z_3_2 over_3_2 -0.25 under_3_2 -0.75
 z_3_2 left_3_2_1 2 member_3 1
 z_3_2 used_3_2 1 least_2 1
 z_4_2 over_4_2 -0.375 under_4_2 -0.625
 z_4_2 left_4_2_1 2 member_4 1
 z_4_2 used_4_2 1 least_2 1
 z_5_2 over_5_2 -0.875 under_5_2 -0.125
 z_5_2 left_5_2_1 2 member_5 1
 z_5_2 used_5_2 1 least_2 2
 z_1_3 under_1_3 -1 right_1_3_1 -1
 z_1_3 member_1 1 used_1_3 1
 z_1_3 least_3 1
 z_2_3 over_2_3 -0.5 under_2_3 -0.5
 z_2_3 right_2_3_1 -1 member_2 1
 z_2_3 used_2_3 1 least_3 1
 z_3_3 over_3_3 -0.25 under_3_3 -0.75
 z_3_3 right_3_3_1 -1 member_3 1
 z_3_3 used_3_3 1 least_3 1
 z_4_3 over_4_3 -0.375 under_4_3 -0.625
 z_4_3 right_4_3_1 -1 member_4 1
 z_4_3 used_4_3 1 least_3 1
 z_5_3 over_5_3 -0.875 under_5_3 -0.125
 z_5_3 right_5_3_1 -1 member_5 1
 z_5_3 used_5_3 1 least_3 2
 l_2 used_1_2 -1 used_2_2 -1
 l_2 used_3_2 -1 used_4_2 -1
 l_2 used_5_2 -1 least_2 -1
 l_3 used_1_3 -1 used_2_3 -1
 l_3 used_3_3 -1 used_4_3 -1
 l_3 used_5_3 -1 least_3 -1
 BIN1 'MARKER' 'INTEND'
 beta_2 over_1_2 1 over_2_2 1
 beta_2 over_3_2 1 over_4_2 1
 beta_2 over_5_2 1 under_1_2 -1
 beta_2 under_2_2 -1 under_3_2 -1
 beta_2 under_4_2 -1 under_5_2 -1
 beta_3 over_1_3 1 over_2_3 1
 beta_3 over_3_3 1 over_4_3 1
 beta_3 over_5_3 1 under_1_3 -1
 beta_3 under_2_3 -1 under_3_3 -1
 beta_3 under_4_3 -1 under_5_3 -1
 e_1 over_1_2 1 over_1_3 1
 e_1 under_1_2 1 under_1_3 1
 e_2 over_2_2 1 over_2_3 1
 e_2 under_2_2 1 under_2_3 1
 e_3 over_3_2 1 over_3_3 1
 e_3 under_3_2 1 under_3_3 1
 e_4 over_4_2 1 over_4_3 1
 e_4 under_4_2 1 under_4_3 1
 e_5 over_5_2 1 over_5_3 1
 e_5 under_5_2 1 under_5_3 1
 octgen_one obj 0.0489795918367347
RHS
 RHS under_1_2 -1
 RHS under_2_2 -1
 RHS under_3_2 -1
 RHS under_4_2 -1
 RHS under_5_2 -1
 RHS under_1_3 -1
 RHS under_2_3 -1
 RHS under_3_3 -1
 RHS under_4_3 -1
 RHS under_5_3 -1
 RHS right_1_3_1 -1
 RHS right_2_3_1 -1
 RHS right_3_3_1 -1
 RHS right_4_3_1 -1
 RHS right_5_3_1 -1
 RHS left_1_2_1 1.5
 RHS left_2_2_1 1.5
 RHS left_3_2_1 1.5
 RHS left_4_2_1 1.5
 RHS left_5_2_1 1.5
 RHS member_1 1
 RHS member_2 1
 RHS member_3 1
 RHS member_4 1
 RHS member_5 1
 RHS max_splits 1
BOUNDS
 BV BND a_1_1
 BV BND a_2_1
 BV BND d_1
 LO BND b_1 0
 UP BND b_1 1
 BV BND z_1_2
 BV BND z_2_2
 BV BND z_3_2
 BV BND z_4_2
 BV BND z_5_2
 BV BND z_1_3
 BV BND z_2_3
 BV BND z_3_3
 BV BND z_4_3
 BV BND z_5_3
 BV BND l_2
 BV BND l_3
 LO BND beta_2 0
 UP BND beta_2 1
 LO BND beta_3 0
 UP BND beta_3 1
 LO BND e_1 0
 UP BND e_1 1
 LO BND e_2 0
 UP BND e_2 1
 LO BND e_3 0
 UP BND e_3 1
 LO BND e_4 0
 UP BND e_4 1
 LO BND e_5 0
 UP BND e_5 1
 FX BND octgen_one 1
QUADOBJ
 e_1 e_1 3.1346938775510207
 e_2 e_2 3.1346938775510207
 e_3 e_3 3.1346938775510207
 e_4 e_4 3.1346938775510207
 e_5 e_5 6.269387755102041
ENDATA
