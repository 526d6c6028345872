* octgen dialect portable, free format
NAME oct FREE
ROWS
 N obj
 E split_1
 L chain_1_1_2
 L left_1_1
 L right_1_1
 L left_2_1
 L right_2_1
 L left_3_1
 L right_3_1
 L left_4_1
 L right_4_1
 L left_5_1
 L right_5_1
 E split_2
 E stump_2
 L counted_1_2
 L counted_2_2
 L counted_3_2
 L counted_4_2
 L counted_5_2
 E split_3
 E stump_3
 L counted_1_3
 L counted_2_3
 L counted_3_3
 L counted_4_3
 L counted_5_3
 L parent_2
 L parent_3
COLUMNS
 BIN0 'MARKER' 'INTORG'
 w_1_1_1 split_1 1 chain_1_1_2 -1
 w_1_1_1 left_1_1 -1 right_1_1 1
 w_1_1_2 chain_1_1_2 1 left_2_1 -1
 w_1_1_2 right_2_1 1 left_3_1 -1
 w_1_1_2 right_3_1 1
 w_1_2_1 split_1 1 left_1_1 -1
 w_1_2_1 right_1_1 1 left_2_1 -1
 w_1_2_1 right_2_1 1 left_5_1 -1
 w_1_2_1 right_5_1 1
 BIN0 'MARKER' 'INTEND'
 d_1 obj 0.5 split_1 -1
 d_1 parent_2 -1 parent_3 -1
 d_2 obj 0.5 split_2 -1
 d_2 stump_2 1 parent_2 1
 d_3 obj 0.5 split_3 -1
 d_3 stump_3 1 parent_3 1
 u_2_1_1_2_1 split_2 1 counted_1_2 -1
 u_2_1_1_2_1 counted_2_2 -1 counted_5_2 -1
 u_2_1_1_2_2 split_2 1 counted_1_2 -1
 u_2_1_1_2_2 counted_3_2 -1 counted_5_2 -1
 u_2_1_1_3_2 split_2 1 counted_1_2 -1
 u_2_1_1_3_2 counted_3_2 -1 counted_4_2 -1
 u_2_1_2_3_2 split_2 1 counted_2_2 -1
 u_2_1_2_3_2 counted_4_2 -1
 u_2_2_1_3_1 split_2 1 counted_1_2 -1
 u_2_2_1_3_1 counted_4_2 -1
 u_2_2_2_1_1 split_2 1 counted_2_2 -1
 u_2_2_2_1_1 counted_3_2 -1 counted_5_2 -1
 u_2_2_2_3_1 split_2 1 counted_2_2 -1
 u_2_2_2_3_1 counted_4_2 -1 counted_5_2 -1
 u_3_1_1_2_1 split_3 1 counted_1_3 -1
 u_3_1_1_2_1 counted_2_3 -1 counted_5_3 -1
 u_3_1_1_2_2 split_3 1 counted_1_3 -1
 u_3_1_1_2_2 counted_3_3 -1 counted_5_3 -1
 u_3_1_1_3_2 split_3 1 counted_1_3 -1
 u_3_1_1_3_2 counted_3_3 -1 counted_4_3 -1
 u_3_1_2_3_2 split_3 1 counted_2_3 -1
 u_3_1_2_3_2 counted_4_3 -1
 u_3_2_1_3_1 split_3 1 counted_1_3 -1
 u_3_2_1_3_1 counted_4_3 -1
 u_3_2_2_1_1 split_3 1 counted_2_3 -1
 u_3_2_2_1_1 counted_3_3 -1 counted_5_3 -1
 u_3_2_2_3_1 split_3 1 counted_2_3 -1
 u_3_2_2_3_1 counted_4_3 -1 counted_5_3 -1
 c_1_2 stump_2 1 counted_1_2 -1
 c_1_2 counted_3_2 -1
 c_2_2 stump_2 1 counted_2_2 -1
 c_2_2 counted_5_2 -1
 c_3_2 stump_2 1 counted_4_2 -1
 c_1_3 stump_3 1 counted_1_3 -1
 c_1_3 counted_3_3 -1
 c_2_3 stump_3 1 counted_2_3 -1
 c_2_3 counted_5_3 -1
 c_3_3 stump_3 1 counted_4_3 -1
 e_1_2 obj -0.25 left_1_1 1
 e_1_2 counted_1_2 1
 e_2_2 obj -0.25 left_2_1 1
 e_2_2 counted_2_2 1
 e_3_2 obj -0.25 left_3_1 1
 e_3_2 counted_3_2 1
 e_4_2 obj -0.5 left_4_1 1
 e_4_2 counted_4_2 1
 e_5_2 obj -0.25 left_5_1 1
 e_5_2 counted_5_2 1
 e_1_3 obj -0.25 right_1_1 1
 e_1_3 counted_1_3 1
 e_2_3 obj -0.25 right_2_1 1
 e_2_3 counted_2_3 1
 e_3_3 obj -0.25 right_3_1 1
 e_3_3 counted_3_3 1
 e_4_3 obj -0.5 right_4_1 1
 e_4_3 counted_4_3 1
 e_5_3 obj -0.25 right_5_1 1
 e_5_3 counted_5_3 1
 octgen_one obj 1.5
RHS
 RHS right_1_1 1
 RHS right_2_1 1
 RHS right_3_1 1
 RHS right_4_1 1
 RHS right_5_1 1
 RHS stump_2 1
 RHS stump_3 1
BOUNDS
 BV BND w_1_1_1
 BV BND w_1_1_2
 BV BND w_1_2_1
 LO BND d_1 0
 UP BND d_1 1
 LO BND d_2 0
 UP BND d_2 1
 LO BND d_3 0
 UP BND d_3 1
 LO BND u_2_1_1_2_1 0
 UP BND u_2_1_1_2_1 1
 LO BND u_2_1_1_2_2 0
 UP BND u_2_1_1_2_2 1
 LO BND u_2_1_1_3_2 0
 UP BND u_2_1_1_3_2 1
 LO BND u_2_1_2_3_2 0
 UP BND u_2_1_2_3_2 1
 LO BND u_2_2_1_3_1 0
 UP BND u_2_2_1_3_1 1
 LO BND u_2_2_2_1_1 0
 UP BND u_2_2_2_1_1 1
 LO BND u_2_2_2_3_1 0
 UP BND u_2_2_2_3_1 1
 LO BND u_3_1_1_2_1 0
 UP BND u_3_1_1_2_1 1
 LO BND u_3_1_1_2_2 0
 UP BND u_3_1_1_2_2 1
 LO BND u_3_1_1_3_2 0
 UP BND u_3_1_1_3_2 1
 LO BND u_3_1_2_3_2 0
 UP BND u_3_1_2_3_2 1
 LO BND u_3_2_1_3_1 0
 UP BND u_3_2_1_3_1 1
 LO BND u_3_2_2_1_1 0
 UP BND u_3_2_2_1_1 1
 LO BND u_3_2_2_3_1 0
 UP BND u_3_2_2_3_1 1
 LO BND c_1_2 0
 UP BND c_1_2 1
 LO BND c_2_2 0
 UP BND c_2_2 1
 LO BND c_3_2 0
 UP BND c_3_2 1
 LO BND c_1_3 0
 UP BND c_1_3 1
 LO BND c_2_3 0
 UP BND c_2_3 1
 LO BND c_3_3 0
 UP BND c_3_3 1
 LO BND e_1_2 0
 UP BND e_1_2 1
 LO BND e_2_2 0
 UP BND e_2_2 1
 LO BND e_3_2 0
 UP BND e_3_2 1
 LO BND e_4_2 0
 UP BND e_4_2 1
 LO BND e_5_2 0
 UP BND e_5_2 1
 LO BND e_1_3 0
 UP BND e_1_3 1
 LO BND e_2_3 0
 UP BND e_2_3 1
 LO BND e_3_3 0
 UP BND e_3_3 1
 LO BND e_4_3 0
 UP BND e_4_3 1
 LO BND e_5_3 0
 UP BND e_5_3 1
 FX BND octgen_one 1
ENDATA
