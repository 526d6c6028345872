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
 L norm_2
 G abs_up_1_2
 G abs_low_1_2
 L used_1_2
 G abs_up_2_2
 G abs_low_2_2
 L used_2_2
 L norm_3
 G abs_up_1_3
 G abs_low_1_3
 L used_1_3
 G abs_up_2_3
 G abs_low_2_3
 L used_2_3
 L once_1
 L once_2
 L once_3
 L once_4
 L once_5
 L left_1_1
 G right_1_1
 L left_2_1
 G right_2_1
 L left_3_1
 G right_3_1
 L left_4_1
 G right_4_1
 L left_5_1
 G right_5_1
 L left_1_2
 G right_1_2
 L left_2_2
 G right_2_2
 L left_3_2
 G right_3_2
 L left_4_2
 G right_4_2
 L left_5_2
 G right_5_2
 L left_1_3
 G right_1_3
 L left_2_3
 G right_2_3
 L left_3_3
 G right_3_3
 L left_4_3
 G right_4_3
 L left_5_3
 G right_5_3
 L right_label_1_4
 L right_label_1_5
 L right_label_1_6
 L right_label_1_7
 L right_label_2_4
 L right_label_2_5
 L right_label_2_6
 L right_label_2_7
 L right_label_3_4
 L right_label_3_5
 L right_label_3_6
 L right_label_3_7
 L right_label_4_4
 L right_label_4_5
 L right_label_4_6
 L right_label_4_7
 L right_label_5_4
 L right_label_5_5
 L right_label_5_6
 L right_label_5_7
 E label_4
 E label_5
 E label_6
 E label_7
 L order_1_2
 L order_2_2
 L order_3_2
 L order_1_3
 L order_2_3
 L order_3_3
COLUMNS
 a_1_1 abs_up_1_1 -1 abs_low_1_1 1
 a_1_1 left_1_1 -0.5 right_1_1 -0.5
 a_1_1 left_2_1 -0.16666666666666669 right_2_1 -0.16666666666666669
 a_1_1 left_3_1 -0.16666666666666669 right_3_1 -0.16666666666666669
 a_1_1 left_4_1 0.5 right_4_1 0.5
 a_1_1 left_5_1 0.5 right_5_1 0.5
 a_2_1 abs_up_2_1 -1 abs_low_2_1 1
 a_2_1 left_1_1 -0.5 right_1_1 -0.5
 a_2_1 left_2_1 -0.5 right_2_1 -0.5
 a_2_1 left_3_1 0.5 right_3_1 0.5
 a_2_1 left_4_1 0.5 right_4_1 0.5
 a_2_1 left_5_1 -0.5 right_5_1 -0.5
 a_1_2 abs_up_1_2 -1 abs_low_1_2 1
 a_1_2 left_1_2 -0.5 right_1_2 -0.5
 a_1_2 left_2_2 -0.16666666666666669 right_2_2 -0.16666666666666669
 a_1_2 left_3_2 -0.16666666666666669 right_3_2 -0.16666666666666669
 a_1_2 left_4_2 0.5 right_4_2 0.5
 a_1_2 left_5_2 0.5 right_5_2 0.5
 a_2_2 abs_up_2_2 -1 abs_low_2_2 1
 a_2_2 left_1_2 -0.5 right_1_2 -0.5
 a_2_2 left_2_2 -0.5 right_2_2 -0.5
 a_2_2 left_3_2 0.5 right_3_2 0.5
 a_2_2 left_4_2 0.5 right_4_2 0.5
 a_2_2 left_5_2 -0.5 right_5_2 -0.5
 a_1_3 abs_up_1_3 -1 abs_low_1_3 1
 a_1_3 left_1_3 -0.5 right_1_3 -0.5
 a_1_3 left_2_3 -0.16666666666666669 right_2_3 -0.16666666666666669
 a_1_3 left_3_3 -0.16666666666666669 right_3_3 -0.16666666666666669
 a_1_3 left_4_3 0.5 right_4_3 0.5
 a_1_3 left_5_3 0.5 right_5_3 0.5
 a_2_3 abs_up_2_3 -1 abs_low_2_3 1
 a_2_3 left_1_3 -0.5 right_1_3 -0.5
 a_2_3 left_2_3 -0.5 right_2_3 -0.5
 a_2_3 left_3_3 0.5 right_3_3 0.5
 a_2_3 left_4_3 0.5 right_4_3 0.5
 a_2_3 left_5_3 -0.5 right_5_3 -0.5
 ahat_1_1 norm_1 1 abs_up_1_1 1
 ahat_1_1 abs_low_1_1 1 used_1_1 1
 ahat_2_1 norm_1 1 abs_up_2_1 1
 ahat_2_1 abs_low_2_1 1 used_2_1 1
 ahat_1_2 norm_2 1 abs_up_1_2 1
 ahat_1_2 abs_low_1_2 1 used_1_2 1
 ahat_2_2 norm_2 1 abs_up_2_2 1
 ahat_2_2 abs_low_2_2 1 used_2_2 1
 ahat_1_3 norm_3 1 abs_up_1_3 1
 ahat_1_3 abs_low_1_3 1 used_1_3 1
 ahat_2_3 norm_3 1 abs_up_2_3 1
 ahat_2_3 abs_low_2_3 1 used_2_3 1
 BIN0 'MARKER' 'INTORG'
 s_1_1 obj 0.25 used_1_1 -1
 s_2_1 obj 0.25 used_2_1 -1
 s_1_2 obj 0.25 used_1_2 -1
 s_2_2 obj 0.25 used_2_2 -1
 s_1_3 obj 0.25 used_1_3 -1
 s_2_3 obj 0.25 used_2_3 -1
 BIN0 'MARKER' 'INTEND'
 b_1 left_1_1 -1 right_1_1 -1
 b_1 left_2_1 -1 right_2_1 -1
 b_1 left_3_1 -1 right_3_1 -1
 b_1 left_4_1 -1 right_4_1 -1
 b_1 left_5_1 -1 right_5_1 -1
 b_2 left_1_2 -1 right_1_2 -1
 b_2 left_2_2 -1 right_2_2 -1
 b_2 left_3_2 -1 right_3_2 -1
 b_2 left_4_2 -1 right_4_2 -1
 b_2 left_5_2 -1 right_5_2 -1
 b_3 left_1_3 -1 right_1_3 -1
 b_3 left_2_3 -1 right_2_3 -1
 b_3 left_3_3 -1 right_3_3 -1
 b_3 left_4_3 -1 right_4_3 -1
 b_3 left_5_3 -1 right_5_3 -1
 BIN1 'MARKER' 'INTORG'
 z_1_4 obj -0.25 once_1 1
 z_1_4 left_1_1 1 left_1_2 1
 z_1_4 right_label_1_4 1
 z_1_5 obj -0.25 once_1 1
 z_1_5 left_1_1 1 right_1_2 -1
 z_1_5 right_label_1_5 1
 z_1_6 obj -0.25 once_1 1
 z_1_6 right_1_1 -1 left_1_3 1
 z_1_6 right_label_1_6 1
 z_1_7 obj -0.25 once_1 1
 z_1_7 right_1_1 -1 right_1_3 -1
 z_1_7 right_label_1_7 1
 z_2_4 obj -0.25 once_2 1
 z_2_4 left_2_1 1 left_2_2 1
 z_2_4 right_label_2_4 1
 z_2_5 obj -0.25 once_2 1
 z_2_5 left_2_1 1 right_2_2 -1
 z_2_5 right_label_2_5 1
 z_2_6 obj -0.25 once_2 1
 z_2_6 right_2_1 -1 left_2_3 1
 z_2_6 right_label_2_6 1
 z_2_7 obj -0.25 once_2 1
 z_2_7 right_2_1 -1 right_2_3 -1
 z_2_7 right_label_2_7 1
 z_3_4 obj -0.25 once_3 1
 z_3_4 left_3_1 1 left_3_2 1
 z_3_4 right_label_3_4 1
 z_3_5 obj -0.25 once_3 1
 z_3_5 left_3_1 1 right_3_2 -1
 z_3_5 right_label_3_5 1
 z_3_6 obj -0.25 once_3 1
 z_3_6 right_3_1 -1 left_3_3 1
 z_3_6 right_label_3_6 1
 z_3_7 obj -0.25 once_3 1
 z_3_7 right_3_1 -1 right_3_3 -1
 z_3_7 right_label_3_7 1
 z_4_4 obj -0.5 once_4 1
 z_4_4 left_4_1 1 left_4_2 1
 z_4_4 right_label_4_4 1
 z_4_5 obj -0.5 once_4 1
 z_4_5 left_4_1 1 right_4_2 -1
 z_4_5 right_label_4_5 1
 z_4_6 obj -0.5 once_4 1
 z_4_6 right_4_1 -1 left_4_3 1
 z_4_6 right_label_4_6 1
 z_4_7 obj -0.5 once_4 1
 z_4_7 right_4_1 -1 right_4_3 -1
 z_4_7 right_label_4_7 1
 z_5_4 obj -0.25 once_5 1
 z_5_4 left_5_1 1 left_5_2 1
 z_5_4 right_label_5_4 1
 z_5_5 obj -0.25 once_5 1
 z_5_5 left_5_1 1 right_5_2 -1
 z_5_5 right_label_5_5 1
 z_5_6 obj -0.25 once_5 1
 z_5_6 right_5_1 -1 left_5_3 1
 z_5_6 right_label_5_6 1
 z_5_7 obj -0.25 once_5 1
 z_5_7 right_5_1 -1 right_5_3 -1
 z_5_7 right_label_5_7 1
 c_1_4 right_label_1_4 -1 right_label_3_4 -1
 c_1_4 label_4 1 order_2_2 -1
 c_1_4 order_3_2 -1
 c_2_4 right_label_2_4 -1 right_label_5_4 -1
 c_2_4 label_4 1 order_3_2 -1
 c_3_4 right_label_4_4 -1 label_4 1
 c_1_5 right_label_1_5 -1 right_label_3_5 -1
 c_1_5 label_5 1 order_1_2 1
 c_1_5 order_2_2 1 order_3_2 1
 c_2_5 right_label_2_5 -1 right_label_5_5 -1
 c_2_5 label_5 1 order_2_2 1
 c_2_5 order_3_2 1
 c_3_5 right_label_4_5 -1 label_5 1
 c_3_5 order_3_2 1
 c_1_6 right_label_1_6 -1 right_label_3_6 -1
 c_1_6 label_6 1 order_2_3 -1
 c_1_6 order_3_3 -1
 c_2_6 right_label_2_6 -1 right_label_5_6 -1
 c_2_6 label_6 1 order_3_3 -1
 c_3_6 right_label_4_6 -1 label_6 1
 c_1_7 right_label_1_7 -1 right_label_3_7 -1
 c_1_7 label_7 1 order_1_3 1
 c_1_7 order_2_3 1 order_3_3 1
 c_2_7 right_label_2_7 -1 right_label_5_7 -1
 c_2_7 label_7 1 order_2_3 1
 c_2_7 order_3_3 1
 c_3_7 right_label_4_7 -1 label_7 1
 c_3_7 order_3_3 1
 BIN1 'MARKER' 'INTEND'
 octgen_one obj 1.5
RHS
 RHS norm_1 1
 RHS norm_2 1
 RHS norm_3 1
 RHS once_1 1
 RHS once_2 1
 RHS once_3 1
 RHS once_4 1
 RHS once_5 1
 RHS left_1_1 0.995
 RHS right_1_1 -1
 RHS left_2_1 0.995
 RHS right_2_1 -1
 RHS left_3_1 0.995
 RHS right_3_1 -1
 RHS left_4_1 0.995
 RHS right_4_1 -1
 RHS left_5_1 0.995
 RHS right_5_1 -1
 RHS left_1_2 0.995
 RHS right_1_2 -1
 RHS left_2_2 0.995
 RHS right_2_2 -1
 RHS left_3_2 0.995
 RHS right_3_2 -1
 RHS left_4_2 0.995
 RHS right_4_2 -1
 RHS left_5_2 0.995
 RHS right_5_2 -1
 RHS left_1_3 0.995
 RHS right_1_3 -1
 RHS left_2_3 0.995
 RHS right_2_3 -1
 RHS left_3_3 0.995
 RHS right_3_3 -1
 RHS left_4_3 0.995
 RHS right_4_3 -1
 RHS left_5_3 0.995
 RHS right_5_3 -1
 RHS label_4 1
 RHS label_5 1
 RHS label_6 1
 RHS label_7 1
BOUNDS
 LO BND a_1_1 -1
 UP BND a_1_1 1
 LO BND a_2_1 -1
 UP BND a_2_1 1
 LO BND a_1_2 -1
 UP BND a_1_2 1
 LO BND a_2_2 -1
 UP BND a_2_2 1
 LO BND a_1_3 -1
 UP BND a_1_3 1
 LO BND a_2_3 -1
 UP BND a_2_3 1
 LO BND ahat_1_1 0
 UP BND ahat_1_1 1
 LO BND ahat_2_1 0
 UP BND ahat_2_1 1
 LO BND ahat_1_2 0
 UP BND ahat_1_2 1
 LO BND ahat_2_2 0
 UP BND ahat_2_2 1
 LO BND ahat_1_3 0
 UP BND ahat_1_3 1
 LO BND ahat_2_3 0
 UP BND ahat_2_3 1
 BV BND s_1_1
 BV BND s_2_1
 BV BND s_1_2
 BV BND s_2_2
 BV BND s_1_3
 BV BND s_2_3
 LO BND b_1 -0.495
 UP BND b_1 0.5
 LO BND b_2 -0.495
 UP BND b_2 0.5
 LO BND b_3 -0.495
 UP BND b_3 0.5
 BV BND z_1_4
 BV BND z_1_5
 BV BND z_1_6
 BV BND z_1_7
 BV BND z_2_4
 BV BND z_2_5
 BV BND z_2_6
 BV BND z_2_7
 BV BND z_3_4
 BV BND z_3_5
 BV BND z_3_6
 BV BND z_3_7
 BV BND z_4_4
 BV BND z_4_5
 FX BND z_4_6 0
 FX BND z_4_7 0
 BV BND z_5_4
 BV BND z_5_5
 BV BND z_5_6
 BV BND z_5_7
 BV BND c_1_4
 BV BND c_2_4
 BV BND c_3_4
 BV BND c_1_5
 BV BND c_2_5
 BV BND c_3_5
 BV BND c_1_6
 BV BND c_2_6
 BV BND c_3_6
 BV BND c_1_7
 BV BND c_2_7
 BV BND c_3_7
 FX BND octgen_one 1
ENDATA
