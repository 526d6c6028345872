* octgen dialect portable, free format
NAME oct-h FREE
ROWS
 N obj
 L norm_1
 G abs_up_1_1
 G abs_low_1_1
 G abs_up_2_1
 G abs_low_2_1
 L once_1
 L once_2
 L once_3
 L left_1_1
 G right_1_1
 L left_2_1
 G right_2_1
 L left_3_1
 G right_3_1
 L right_label_1_2
 L right_label_1_3
 L right_label_3_2
 L right_label_3_3
 L right_label_4_2
 L right_label_4_3
 E label_2
 E label_3
 G cutoff
COLUMNS
 a_1_1 abs_up_1_1 -1 abs_low_1_1 1
 a_1_1 left_2_1 0.3333333333333333 right_2_1 0.3333333333333333
 a_1_1 left_3_1 1 right_3_1 1
 a_2_1 abs_up_2_1 -1 abs_low_2_1 1
 a_2_1 left_2_1 1 right_2_1 1
 a_2_1 left_3_1 1 right_3_1 1
 ahat_1_1 norm_1 1 abs_up_1_1 1
 ahat_1_1 abs_low_1_1 1
 ahat_2_1 norm_1 1 abs_up_2_1 1
 ahat_2_1 abs_low_2_1 1
 b_1 left_1_1 -1 right_1_1 -1
 b_1 left_2_1 -1 right_2_1 -1
 b_1 left_3_1 -1 right_3_1 -1
 BIN0 'MARKER' 'INTORG'
 z_1_2 obj -0.25 once_1 1
 z_1_2 left_1_1 1 right_label_1_2 1
 z_1_2 cutoff 1
 z_1_3 obj -0.25 once_1 1
 z_1_3 right_1_1 -1 right_label_1_3 1
 z_1_3 cutoff 1
 z_3_2 obj -0.25 once_2 1
 z_3_2 left_2_1 2 right_label_3_2 1
 z_3_2 cutoff 1
 z_3_3 obj -0.25 once_2 1
 z_3_3 right_2_1 -2 right_label_3_3 1
 z_3_3 cutoff 1
 z_4_2 obj -0.5 once_3 1
 z_4_2 left_3_1 2 right_label_4_2 1
 z_4_2 cutoff 2
 z_4_3 obj -0.5 once_3 1
 z_4_3 right_3_1 -2 right_label_4_3 1
 z_4_3 cutoff 2
 BIN0 'MARKER' 'INTEND'
 c_1_2 right_label_1_2 -1 right_label_3_2 -1
 c_1_2 label_2 1
 c_2_2 label_2 1
 c_3_2 right_label_4_2 -1 label_2 1
 c_1_3 right_label_1_3 -1 right_label_3_3 -1
 c_1_3 label_3 1
 c_2_3 label_3 1
 c_3_3 right_label_4_3 -1 label_3 1
 octgen_one obj 1
RHS
 RHS norm_1 1
 RHS once_1 1
 RHS once_2 1
 RHS once_3 1
 RHS left_1_1 0.995
 RHS right_1_1 -1
 RHS left_2_1 1.995
 RHS right_2_1 -2
 RHS left_3_1 1.995
 RHS right_3_1 -2
 RHS label_2 1
 RHS label_3 1
 RHS cutoff 3
BOUNDS
 LO BND a_1_1 -1
 UP BND a_1_1 1
 LO BND a_2_1 -1
 UP BND a_2_1 1
 LO BND ahat_1_1 0
 UP BND ahat_1_1 1
 LO BND ahat_2_1 0
 UP BND ahat_2_1 1
 LO BND b_1 -0.995
 UP BND b_1 1
 BV BND z_1_2
 BV BND z_1_3
 BV BND z_3_2
 BV BND z_3_3
 BV BND z_4_2
 FX BND z_4_3 0
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
 FX BND octgen_one 1
ENDATA
