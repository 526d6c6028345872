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
 L siblings_1_1
 L siblings_2_1
 L siblings_3_1
 E member_1
 E member_2
 E member_3
 E member_4
 E member_5
 G least_2
 L used_1_2
 L used_2_2
 L used_3_2
 L used_4_2
 L used_5_2
 L counted_1_2
 L counted_2_2
 L counted_3_2
 L counted_4_2
 L counted_5_2
 G least_3
 L used_1_3
 L used_2_3
 L used_3_3
 L used_4_3
 L used_5_3
 L counted_1_3
 L counted_2_3
 L counted_3_3
 L counted_4_3
 L counted_5_3
 L max_splits
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
 d_1 max_splits 1
 BIN1 'MARKER' 'INTORG'
 c_1_2 label_2 1 right_label_1_2 -1
 c_1_2 right_label_3_2 -1 siblings_1_1 1
 c_2_2 label_2 1 right_label_2_2 -1
 c_2_2 right_label_5_2 -1 siblings_2_1 1
 c_3_2 label_2 1 right_label_4_2 -1
 c_3_2 siblings_3_1 1
 c_1_3 label_3 1 right_label_1_3 -1
 c_1_3 right_label_3_3 -1 siblings_1_1 1
 c_2_3 label_3 1 right_label_2_3 -1
 c_2_3 right_label_5_3 -1 siblings_2_1 1
 c_3_3 label_3 1 right_label_4_3 -1
 c_3_3 siblings_3_1 1
 BIN1 'MARKER' 'INTEND'
 e_1_2 obj -0.25 right_label_1_2 1
 e_1_2 counted_1_2 1
 e_2_2 obj -0.25 right_label_2_2 1
 e_2_2 counted_2_2 1
 e_3_2 obj -0.25 right_label_3_2 1
 e_3_2 counted_3_2 1
 e_4_2 obj -0.5 right_label_4_2 1
 e_4_2 counted_4_2 1
 e_5_2 obj -0.25 right_label_5_2 1
 e_5_2 counted_5_2 1
 e_1_3 obj -0.25 right_label_1_3 1
 e_1_3 counted_1_3 1
 e_2_3 obj -0.25 right_label_2_3 1
 e_2_3 counted_2_3 1
 e_3_3 obj -0.25 right_label_3_3 1
 e_3_3 counted_3_3 1
 e_4_3 obj -0.5 right_label_4_3 1
 e_4_3 counted_4_3 1
 e_5_3 obj -0.25 right_label_5_3 1
 e_5_3 counted_5_3 1
 z_1_2 left_1_1 1 member_1 1
 z_1_2 least_2 1 used_1_2 1
 z_1_2 counted_1_2 -1
 z_2_2 left_2_1 1 member_2 1
 z_2_2 least_2 1 used_2_2 1
 z_2_2 counted_2_2 -1
 z_3_2 left_3_1 1 member_3 1
 z_3_2 least_2 1 used_3_2 1
 z_3_2 counted_3_2 -1
 z_4_2 left_4_1 1 member_4 1
 z_4_2 least_2 2 used_4_2 1
 z_4_2 counted_4_2 -1
 z_5_2 left_5_1 1 member_5 1
 z_5_2 least_2 1 used_5_2 1
 z_5_2 counted_5_2 -1
 z_1_3 right_1_1 1 member_1 1
 z_1_3 least_3 1 used_1_3 1
 z_1_3 counted_1_3 -1
 z_2_3 right_2_1 1 member_2 1
 z_2_3 least_3 1 used_2_3 1
 z_2_3 counted_2_3 -1
 z_3_3 right_3_1 1 member_3 1
 z_3_3 least_3 1 used_3_3 1
 z_3_3 counted_3_3 -1
 z_4_3 right_4_1 1 member_4 1
 z_4_3 least_3 2 used_4_3 1
 z_4_3 counted_4_3 -1
 z_5_3 right_5_1 1 member_5 1
 z_5_3 least_3 1 used_5_3 1
 z_5_3 counted_5_3 -1
 l_2 label_2 -1 least_2 -2
 l_2 used_1_2 -1 used_2_2 -1
 l_2 used_3_2 -1 used_4_2 -1
 l_2 used_5_2 -1
 l_3 label_3 -1 least_3 -2
 l_3 used_1_3 -1 used_2_3 -1
 l_3 used_3_3 -1 used_4_3 -1
 l_3 used_5_3 -1
 octgen_one obj 1.5
RHS
 RHS right_1_1 1
 RHS right_2_1 1
 RHS right_3_1 1
 RHS right_4_1 1
 RHS right_5_1 1
 RHS siblings_1_1 1
 RHS siblings_2_1 1
 RHS siblings_3_1 1
 RHS member_1 1
 RHS member_2 1
 RHS member_3 1
 RHS member_4 1
 RHS member_5 1
 RHS max_splits 1
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
 LO BND l_2 0
 UP BND l_2 1
 LO BND l_3 0
 UP BND l_3 1
 FX BND octgen_one 1
ENDATA
