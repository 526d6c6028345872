* octgen dialect portable, free format
NAME oct FREE
ROWS
 N obj
 E feature_1
 E member_1
 E member_2
 E member_3
 E member_4
 E member_5
 E label_2
 E label_3
 L error_1_2
 L error_2_2
 L error_3_2
 L error_1_3
 L error_2_3
 L error_3_3
 L least_value_1_1
 L greatest_value_1_1
 L zero_1_1_2_1
 L one_1_1_2_1
 L least_value_2_1
 L greatest_value_2_1
 L no_split_1
COLUMNS
 BIN0 'MARKER' 'INTORG'
 f_1_1 feature_1 1 least_value_1_1 1
 f_1_1 greatest_value_1_1 2 zero_1_1_2_1 2
 f_1_1 one_1_1_2_1 2
 f_2_1 feature_1 1 least_value_2_1 3
 f_2_1 greatest_value_2_1 2
 b_1_1 zero_1_1_2_1 -2 one_1_1_2_1 2
 BIN0 'MARKER' 'INTEND'
 d_1 obj 0.5 feature_1 -1
 d_1 no_split_1 -5
 BIN1 'MARKER' 'INTORG'
 c_1_2 label_2 1 error_1_2 -2
 c_2_2 label_2 1 error_2_2 -2
 c_3_2 label_2 1 error_3_2 -2
 c_1_3 label_3 1 error_1_3 -2
 c_2_3 label_3 1 error_2_3 -2
 c_3_3 label_3 1 error_3_3 -2
 BIN1 'MARKER' 'INTEND'
 z_1_2 member_1 1 error_1_2 1
 z_1_2 no_split_1 1
 z_2_2 member_2 1 error_2_2 1
 z_2_2 zero_1_1_2_1 1 no_split_1 1
 z_3_2 member_3 1 error_1_2 1
 z_3_2 zero_1_1_2_1 1 greatest_value_2_1 1
 z_3_2 no_split_1 1
 z_4_2 member_4 1 error_3_2 2
 z_4_2 greatest_value_1_1 1 greatest_value_2_1 1
 z_4_2 no_split_1 1
 z_5_2 member_5 1 error_2_2 1
 z_5_2 greatest_value_1_1 1 no_split_1 1
 z_1_3 member_1 1 error_1_3 1
 z_1_3 least_value_1_1 1 least_value_2_1 1
 z_2_3 member_2 1 error_2_3 1
 z_2_3 one_1_1_2_1 1 least_value_2_1 1
 z_3_3 member_3 1 error_1_3 1
 z_3_3 one_1_1_2_1 1
 z_4_3 member_4 1 error_3_3 2
 z_5_3 member_5 1 error_2_3 1
 z_5_3 least_value_2_1 1
 e_1_2 obj 0.25 error_1_2 -1
 e_2_2 obj 0.25 error_2_2 -1
 e_3_2 obj 0.25 error_3_2 -1
 e_1_3 obj 0.25 error_1_3 -1
 e_2_3 obj 0.25 error_2_3 -1
 e_3_3 obj 0.25 error_3_3 -1
RHS
 RHS member_1 1
 RHS member_2 1
 RHS member_3 1
 RHS member_4 1
 RHS member_5 1
 RHS label_2 1
 RHS label_3 1
 RHS least_value_1_1 1
 RHS greatest_value_1_1 2
 RHS zero_1_1_2_1 2
 RHS one_1_1_2_1 4
 RHS least_value_2_1 3
 RHS greatest_value_2_1 2
BOUNDS
 BV BND f_1_1
 BV BND f_2_1
 BV BND b_1_1
 LO BND d_1 0
 UP BND d_1 1
 BV BND c_1_2
 BV BND c_2_2
 BV BND c_3_2
 BV BND c_1_3
 BV BND c_2_3
 BV BND c_3_3
 LO BND z_1_2 0
 UP BND z_1_2 1
 LO BND z_2_2 0
 UP BND z_2_2 1
 LO BND z_3_2 0
 UP BND z_3_2 1
 LO BND z_4_2 0
 UP BND z_4_2 1
 LO BND z_5_2 0
 UP BND z_5_2 1
 LO BND z_1_3 0
 UP BND z_1_3 1
 LO BND z_2_3 0
 UP BND z_2_3 1
 LO BND z_3_3 0
 UP BND z_3_3 1
 LO BND z_4_3 0
 UP BND z_4_3 1
 LO BND z_5_3 0
 UP BND z_5_3 1
 LO BND e_1_2 0
 PL BND e_1_2
 LO BND e_2_2 0
 PL BND e_2_2
 LO BND e_3_2 0
 PL BND e_3_2
 LO BND e_1_3 0
 PL BND e_1_3
 LO BND e_2_3 0
 PL BND e_2_3
 LO BND e_3_3 0
 PL BND e_3_3
ENDATA
