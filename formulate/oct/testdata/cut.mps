* octgen dialect portable, free format
NAME oct FREE
ROWS
 N obj
 E node_1
 E node_2
 E node_3
 E label_1
 E label_2
 E label_3
 L max_splits
* octgen lazy 15
 L cut_1_1
 L cut_2_1
 L cut_3_1
 L cut_4_1
 L cut_5_1
 L cut_1_2
 L cut_2_2
 L cut_3_2
 L cut_4_2
 L cut_5_2
 L cut_1_3
 L cut_2_3
 L cut_3_3
 L cut_4_3
 L cut_5_3
COLUMNS
 BIN0 'MARKER' 'INTORG'
 b_1_1_1 obj 0.5 node_1 1
 b_1_1_1 max_splits 1 cut_1_1 -1
 b_1_1_1 cut_2_1 -1 cut_3_1 -1
 b_1_1_1 cut_4_1 -1 cut_5_1 -1
 b_1_1_1 cut_2_2 -1 cut_3_2 -1
 b_1_1_1 cut_4_2 -1 cut_5_2 -1
 b_1_1_1 cut_1_3 -1
 b_1_1_2 obj 0.5 node_1 1
 b_1_1_2 max_splits 1 cut_1_1 -1
 b_1_1_2 cut_2_1 -1 cut_3_1 -1
 b_1_1_2 cut_4_1 -1 cut_5_1 -1
 b_1_1_2 cut_4_2 -1 cut_5_2 -1
 b_1_1_2 cut_1_3 -1 cut_2_3 -1
 b_1_1_2 cut_3_3 -1
 b_1_2_1 obj 0.5 node_1 1
 b_1_2_1 max_splits 1 cut_1_1 -1
 b_1_2_1 cut_2_1 -1 cut_3_1 -1
 b_1_2_1 cut_4_1 -1 cut_5_1 -1
 b_1_2_1 cut_3_2 -1 cut_4_2 -1
 b_1_2_1 cut_1_3 -1 cut_2_3 -1
 b_1_2_1 cut_5_3 -1
 p_1 node_1 1 node_2 1
 p_1 node_3 1 label_1 -1
 p_2 node_2 1 label_2 -1
 p_3 node_3 1 label_3 -1
 BIN0 'MARKER' 'INTEND'
 w_1_1 label_1 1 cut_1_1 -1
 w_1_1 cut_3_1 -1 cut_1_2 -1
 w_1_1 cut_3_2 -1 cut_1_3 -1
 w_1_1 cut_3_3 -1
 w_2_1 label_1 1 cut_2_1 -1
 w_2_1 cut_5_1 -1 cut_2_2 -1
 w_2_1 cut_5_2 -1 cut_2_3 -1
 w_2_1 cut_5_3 -1
 w_3_1 label_1 1 cut_4_1 -1
 w_3_1 cut_4_2 -1 cut_4_3 -1
 w_1_2 label_2 1 cut_1_2 -1
 w_1_2 cut_3_2 -1
 w_2_2 label_2 1 cut_2_2 -1
 w_2_2 cut_5_2 -1
 w_3_2 label_2 1 cut_4_2 -1
 w_1_3 label_3 1 cut_1_3 -1
 w_1_3 cut_3_3 -1
 w_2_3 label_3 1 cut_2_3 -1
 w_2_3 cut_5_3 -1
 w_3_3 label_3 1 cut_4_3 -1
 g_1 obj -0.25 cut_1_1 1
 g_1 cut_1_2 1 cut_1_3 1
 g_2 obj -0.25 cut_2_1 1
 g_2 cut_2_2 1 cut_2_3 1
 g_3 obj -0.25 cut_3_1 1
 g_3 cut_3_2 1 cut_3_3 1
 g_4 obj -0.5 cut_4_1 1
 g_4 cut_4_2 1 cut_4_3 1
 g_5 obj -0.25 cut_5_1 1
 g_5 cut_5_2 1 cut_5_3 1
 octgen_one obj 1.5
RHS
 RHS node_1 1
 RHS node_2 1
 RHS node_3 1
 RHS max_splits 1
BOUNDS
 BV BND b_1_1_1
 BV BND b_1_1_2
 BV BND b_1_2_1
 BV BND p_1
 BV BND p_2
 BV BND p_3
 LO BND w_1_1 0
 UP BND w_1_1 1
 LO BND w_2_1 0
 UP BND w_2_1 1
 LO BND w_3_1 0
 UP BND w_3_1 1
 LO BND w_1_2 0
 UP BND w_1_2 1
 LO BND w_2_2 0
 UP BND w_2_2 1
 LO BND w_3_2 0
 UP BND w_3_2 1
 LO BND w_1_3 0
 UP BND w_1_3 1
 LO BND w_2_3 0
 UP BND w_2_3 1
 LO BND w_3_3 0
 UP BND w_3_3 1
 LO BND g_1 0
 UP BND g_1 1
 LO BND g_2 0
 UP BND g_2 1
 LO BND g_3 0
 UP BND g_3 1
 LO BND g_4 0
 UP BND g_4 1
 LO BND g_5 0
 UP BND g_5 1
 FX BND octgen_one 1
ENDATA
