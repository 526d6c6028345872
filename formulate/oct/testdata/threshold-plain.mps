* octgen dialect portable, free format
NAME oct FREE
ROWS
 N obj
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
 E split_1
 L chain_1_1_2
 E label_2
 L right_label_1_2
 L right_label_2_2
 L right_label_3_2
 L right_label_4_2
 L right_label_5_2
 E label_3
 L right_label_1_3
 L right_label_2_3
 L right_label_3_3
 L right_label_4_3
 L right_label_5_3
COLUMNS
 BIN0 'MARKER' 'INTORG'
 w_1_1_1 left_1_1 -1 right_1_1 1
 w_1_1_1 split_1 1 chain_1_1_2 -1
 w_1_1_2 left_2_1 -1 right_2_1 1
 w_1_1_2 left_3_1 -1 right_3_1 1
 w_1_1_2 chain_1_1_2 1
 w_1_2_1 left_1_1 -1 right_1_1 1
 w_1_2_1 left_2_1 -1 right_2_1 1
 w_1_2_1 left_5_1 -1 right_5_1 1
 w_1_2_1 split_1 1
 BIN0 'MARKER' 'INTEND'
 d_1 obj 0.5 split_1 -1
 BIN1 'MARKER' 'INTORG'
 c_1_2 label_2 1 right_label_1_2 -1
 c_1_2 right_label_3_2 -1
 c_2_2 label_2 1 right_label_2_2 -1
 c_2_2 right_label_5_2 -1
 c_3_2 label_2 1 right_label_4_2 -1
 c_1_3 label_3 1 right_label_1_3 -1
 c_1_3 right_label_3_3 -1
 c_2_3 label_3 1 right_label_2_3 -1
 c_2_3 right_label_5_3 -1
 c_3_3 label_3 1 right_label_4_3 -1
 BIN1 'MARKER' 'INTEND'
 e_1_2 obj -0.25 left_1_1 1
 e_1_2 right_label_1_2 1
 e_2_2 obj -0.25 left_2_1 1
 e_2_2 right_label_2_2 1
 e_3_2 obj -0.25 left_3_1 1
 e_3_2 right_label_3_2 1
 e_4_2 obj -0.5 left_4_1 1
 e_4_2 right_label_4_2 1
 e_5_2 obj -0.25 left_5_1 1
 e_5_2 right_label_5_2 1
 e_1_3 obj -0.25 right_1_1 1
 e_1_3 right_label_1_3 1
 e_2_3 obj -0.25 right_2_1 1
 e_2_3 right_label_2_3 1
 e_3_3 obj -0.25 right_3_1 1
 e_3_3 right_label_3_3 1
 e_4_3 obj -0.5 right_4_1 1
 e_4_3 right_label_4_3 1
 e_5_3 obj -0.25 right_5_1 1
 e_5_3 right_label_5_3 1
 octgen_one obj 1.5
RHS
 RHS right_1_1 1
 RHS right_2_1 1
 RHS right_3_1 1
 RHS right_4_1 1
 RHS right_5_1 1
 RHS label_2 1
 RHS label_3 1
BOUNDS
 BV BND w_1_1_1
 BV BND w_1_1_2
 BV BND w_1_2_1
 LO BND d_1 0
 UP BND d_1 1
 BV BND c_1_2
 BV BND c_2_2
 BV BND c_3_2
 BV BND c_1_3
 BV BND c_2_3
 BV BND c_3_3
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
