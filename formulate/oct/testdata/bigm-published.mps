* octgen dialect portable, free format
NAME oct FREE
ROWS
 N obj
 G loss_1_2
 L most_1_2
 G loss_2_2
 L most_2_2
 G loss_3_2
 L most_3_2
 G loss_1_3
 L most_1_3
 G loss_2_3
 L most_2_3
 G loss_3_3
 L most_3_3
 E class_1_2
 E class_2_2
 E class_3_2
 E weight_2
 E class_1_3
 E class_2_3
 E class_3_3
 E weight_3
 E label_2
 E label_3
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
COLUMNS
 BIN0 'MARKER' 'INTORG'
 a_1_1 right_2_3_1 0.5 right_3_3_1 0.5
 a_1_1 right_4_3_1 1 right_5_3_1 1
 a_1_1 left_1_2_1 0.5 left_2_2_1 1
 a_1_1 left_3_2_1 1 left_4_2_1 1.5
 a_1_1 left_5_2_1 1.5 split_1 1
 a_2_1 right_3_3_1 1 right_4_3_1 1
 a_2_1 left_1_2_1 1 left_2_2_1 1
 a_2_1 left_3_2_1 2 left_4_2_1 2
 a_2_1 left_5_2_1 1 split_1 1
 d_1 split_1 -1 bound_1 -1
 BIN0 'MARKER' 'INTEND'
 b_1 right_1_3_1 -1 right_2_3_1 -1
 b_1 right_3_3_1 -1 right_4_3_1 -1
 b_1 right_5_3_1 -1 left_1_2_1 -1
 b_1 left_2_2_1 -1 left_3_2_1 -1
 b_1 left_4_2_1 -1 left_5_2_1 -1
 b_1 bound_1 1
 BIN1 'MARKER' 'INTORG'
 z_1_2 class_1_2 1 weight_2 1
 z_1_2 left_1_2_1 2 member_1 1
 z_1_2 used_1_2 1 least_2 1
 z_2_2 class_2_2 1 weight_2 1
 z_2_2 left_2_2_1 2 member_2 1
 z_2_2 used_2_2 1 least_2 1
 z_3_2 class_1_2 1 weight_2 1
 z_3_2 left_3_2_1 2 member_3 1
 z_3_2 used_3_2 1 least_2 1
 z_4_2 class_3_2 2 weight_2 2
 z_4_2 left_4_2_1 2 member_4 1
 z_4_2 used_4_2 1 least_2 2
 z_5_2 class_2_2 1 weight_2 1
 z_5_2 left_5_2_1 2 member_5 1
 z_5_2 used_5_2 1 least_2 1
 z_1_3 class_1_3 1 weight_3 1
 z_1_3 right_1_3_1 -1 member_1 1
 z_1_3 used_1_3 1 least_3 1
 z_2_3 class_2_3 1 weight_3 1
 z_2_3 right_2_3_1 -1 member_2 1
 z_2_3 used_2_3 1 least_3 1
 z_3_3 class_1_3 1 weight_3 1
 z_3_3 right_3_3_1 -1 member_3 1
 z_3_3 used_3_3 1 least_3 1
 z_4_3 class_3_3 2 weight_3 2
 z_4_3 right_4_3_1 -1 member_4 1
 z_4_3 used_4_3 1 least_3 2
 z_5_3 class_2_3 1 weight_3 1
 z_5_3 right_5_3_1 -1 member_5 1
 z_5_3 used_5_3 1 least_3 1
 l_2 label_2 -1 used_1_2 -1
 l_2 used_2_2 -1 used_3_2 -1
 l_2 used_4_2 -1 used_5_2 -1
 l_2 least_2 -1
 l_3 label_3 -1 used_1_3 -1
 l_3 used_2_3 -1 used_3_3 -1
 l_3 used_4_3 -1 used_5_3 -1
 l_3 least_3 -1
 c_1_2 loss_1_2 -6 most_1_2 -6
 c_1_2 label_2 1
 c_2_2 loss_2_2 -6 most_2_2 -6
 c_2_2 label_2 1
 c_3_2 loss_3_2 -6 most_3_2 -6
 c_3_2 label_2 1
 c_1_3 loss_1_3 -6 most_1_3 -6
 c_1_3 label_3 1
 c_2_3 loss_2_3 -6 most_2_3 -6
 c_2_3 label_3 1
 c_3_3 loss_3_3 -6 most_3_3 -6
 c_3_3 label_3 1
 BIN1 'MARKER' 'INTEND'
 L_2 obj 0.25 loss_1_2 1
 L_2 most_1_2 1 loss_2_2 1
 L_2 most_2_2 1 loss_3_2 1
 L_2 most_3_2 1
 L_3 obj 0.25 loss_1_3 1
 L_3 most_1_3 1 loss_2_3 1
 L_3 most_2_3 1 loss_3_3 1
 L_3 most_3_3 1
 N_1_2 loss_1_2 1 most_1_2 1
 N_1_2 class_1_2 -1
 N_2_2 loss_2_2 1 most_2_2 1
 N_2_2 class_2_2 -1
 N_3_2 loss_3_2 1 most_3_2 1
 N_3_2 class_3_2 -1
 N_1_3 loss_1_3 1 most_1_3 1
 N_1_3 class_1_3 -1
 N_2_3 loss_2_3 1 most_2_3 1
 N_2_3 class_2_3 -1
 N_3_3 loss_3_3 1 most_3_3 1
 N_3_3 class_3_3 -1
 N_2 loss_1_2 -1 most_1_2 -1
 N_2 loss_2_2 -1 most_2_2 -1
 N_2 loss_3_2 -1 most_3_2 -1
 N_2 weight_2 -1
 N_3 loss_1_3 -1 most_1_3 -1
 N_3 loss_2_3 -1 most_2_3 -1
 N_3 loss_3_3 -1 most_3_3 -1
 N_3 weight_3 -1
RHS
 RHS loss_1_2 -6
 RHS loss_2_2 -6
 RHS loss_3_2 -6
 RHS loss_1_3 -6
 RHS loss_2_3 -6
 RHS loss_3_3 -6
 RHS right_1_3_1 -1
 RHS right_2_3_1 -1
 RHS right_3_3_1 -1
 RHS right_4_3_1 -1
 RHS right_5_3_1 -1
 RHS left_1_2_1 2
 RHS left_2_2_1 2
 RHS left_3_2_1 2
 RHS left_4_2_1 2
 RHS left_5_2_1 2
 RHS member_1 1
 RHS member_2 1
 RHS member_3 1
 RHS member_4 1
 RHS member_5 1
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
 BV BND c_1_2
 BV BND c_2_2
 BV BND c_3_2
 BV BND c_1_3
 BV BND c_2_3
 BV BND c_3_3
 LO BND L_2 0
 PL BND L_2
 LO BND L_3 0
 PL BND L_3
 LO BND N_1_2 0
 UP BND N_1_2 2
 LO BND N_2_2 0
 UP BND N_2_2 2
 LO BND N_3_2 0
 UP BND N_3_2 2
 LO BND N_1_3 0
 UP BND N_1_3 2
 LO BND N_2_3 0
 UP BND N_2_3 2
 LO BND N_3_3 0
 UP BND N_3_3 2
 LO BND N_2 0
 UP BND N_2 6
 LO BND N_3 0
 UP BND N_3 6
ENDATA
