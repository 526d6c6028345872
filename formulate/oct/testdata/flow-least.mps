* octgen dialect portable, free format
NAME oct FREE
ROWS
 N obj
 E node_1
 E node_2
 E node_3
 E flow_1_1
 E flow_2_1
 E flow_3_1
 E flow_4_1
 E flow_5_1
 E flow_1_2
 E flow_2_2
 E flow_3_2
 E flow_4_2
 E flow_5_2
 E flow_1_3
 E flow_2_3
 E flow_3_3
 E flow_4_3
 E flow_5_3
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
 L sink_1_1_1
 L sink_1_2_1
 L sink_1_3_1
 L sink_2_1_1
 L sink_2_2_1
 L sink_2_3_1
 L sink_3_1_1
 L sink_3_2_1
 L sink_3_3_1
 L sink_4_1_1
 L sink_4_2_1
 L sink_4_3_1
 L sink_5_1_1
 L sink_5_2_1
 L sink_5_3_1
 L sink_1_1_2
 L sink_1_2_2
 L sink_1_3_2
 L sink_2_1_2
 L sink_2_2_2
 L sink_2_3_2
 L sink_3_1_2
 L sink_3_2_2
 L sink_3_3_2
 L sink_4_1_2
 L sink_4_2_2
 L sink_4_3_2
 L sink_5_1_2
 L sink_5_2_2
 L sink_5_3_2
 L sink_1_1_3
 L sink_1_2_3
 L sink_1_3_3
 L sink_2_1_3
 L sink_2_2_3
 L sink_2_3_3
 L sink_3_1_3
 L sink_3_2_3
 L sink_3_3_3
 L sink_4_1_3
 L sink_4_2_3
 L sink_4_3_3
 L sink_5_1_3
 L sink_5_2_3
 L sink_5_3_3
 E label_1
 E label_2
 E label_3
 L max_splits
 G least_1
 G least_2
 G least_3
COLUMNS
 BIN0 'MARKER' 'INTORG'
 b_1_1_1 obj 0.5 node_1 1
 b_1_1_1 left_1_1 -1 right_2_1 -1
 b_1_1_1 right_3_1 -1 right_4_1 -1
 b_1_1_1 right_5_1 -1 max_splits 1
 b_1_1_2 obj 0.5 node_1 1
 b_1_1_2 left_1_1 -1 left_2_1 -1
 b_1_1_2 left_3_1 -1 right_4_1 -1
 b_1_1_2 right_5_1 -1 max_splits 1
 b_1_2_1 obj 0.5 node_1 1
 b_1_2_1 left_1_1 -1 left_2_1 -1
 b_1_2_1 right_3_1 -1 right_4_1 -1
 b_1_2_1 left_5_1 -1 max_splits 1
 p_1 node_1 1 node_2 1
 p_1 node_3 1 label_1 -1
 p_1 least_1 -2
 p_2 node_2 1 label_2 -1
 p_2 least_2 -2
 p_3 node_3 1 label_3 -1
 p_3 least_3 -2
 w_1_1 sink_1_1_1 -1 sink_2_1_1 -1
 w_1_1 sink_3_1_1 -1 sink_4_1_1 -1
 w_1_1 sink_5_1_1 -1 label_1 1
 w_2_1 sink_1_2_1 -1 sink_2_2_1 -1
 w_2_1 sink_3_2_1 -1 sink_4_2_1 -1
 w_2_1 sink_5_2_1 -1 label_1 1
 w_3_1 sink_1_3_1 -1 sink_2_3_1 -1
 w_3_1 sink_3_3_1 -1 sink_4_3_1 -1
 w_3_1 sink_5_3_1 -1 label_1 1
 w_1_2 sink_1_1_2 -1 sink_2_1_2 -1
 w_1_2 sink_3_1_2 -1 sink_4_1_2 -1
 w_1_2 sink_5_1_2 -1 label_2 1
 w_2_2 sink_1_2_2 -1 sink_2_2_2 -1
 w_2_2 sink_3_2_2 -1 sink_4_2_2 -1
 w_2_2 sink_5_2_2 -1 label_2 1
 w_3_2 sink_1_3_2 -1 sink_2_3_2 -1
 w_3_2 sink_3_3_2 -1 sink_4_3_2 -1
 w_3_2 sink_5_3_2 -1 label_2 1
 w_1_3 sink_1_1_3 -1 sink_2_1_3 -1
 w_1_3 sink_3_1_3 -1 sink_4_1_3 -1
 w_1_3 sink_5_1_3 -1 label_3 1
 w_2_3 sink_1_2_3 -1 sink_2_2_3 -1
 w_2_3 sink_3_2_3 -1 sink_4_2_3 -1
 w_2_3 sink_5_2_3 -1 label_3 1
 w_3_3 sink_1_3_3 -1 sink_2_3_3 -1
 w_3_3 sink_3_3_3 -1 sink_4_3_3 -1
 w_3_3 sink_5_3_3 -1 label_3 1
 BIN0 'MARKER' 'INTEND'
 z_1_1 flow_1_1 1
 z_2_1 flow_2_1 1
 z_3_1 flow_3_1 1
 z_4_1 flow_4_1 1
 z_5_1 flow_5_1 1
 z_1_2 flow_1_1 -1 flow_1_2 1
 z_1_2 left_1_1 1
 z_2_2 flow_2_1 -1 flow_2_2 1
 z_2_2 left_2_1 1
 z_3_2 flow_3_1 -1 flow_3_2 1
 z_3_2 left_3_1 1
 z_4_2 flow_4_1 -1 flow_4_2 1
 z_4_2 left_4_1 1
 z_5_2 flow_5_1 -1 flow_5_2 1
 z_5_2 left_5_1 1
 z_1_3 flow_1_1 -1 flow_1_3 1
 z_1_3 right_1_1 1
 z_2_3 flow_2_1 -1 flow_2_3 1
 z_2_3 right_2_1 1
 z_3_3 flow_3_1 -1 flow_3_3 1
 z_3_3 right_3_1 1
 z_4_3 flow_4_1 -1 flow_4_3 1
 z_4_3 right_4_1 1
 z_5_3 flow_5_1 -1 flow_5_3 1
 z_5_3 right_5_1 1
 s_1_1_1 obj -0.25 flow_1_1 -1
 s_1_1_1 sink_1_1_1 1 least_1 1
 s_1_2_1 flow_1_1 -1 sink_1_2_1 1
 s_1_2_1 least_1 1
 s_1_3_1 flow_1_1 -1 sink_1_3_1 1
 s_1_3_1 least_1 1
 s_2_1_1 flow_2_1 -1 sink_2_1_1 1
 s_2_1_1 least_1 1
 s_2_2_1 obj -0.25 flow_2_1 -1
 s_2_2_1 sink_2_2_1 1 least_1 1
 s_2_3_1 flow_2_1 -1 sink_2_3_1 1
 s_2_3_1 least_1 1
 s_3_1_1 obj -0.25 flow_3_1 -1
 s_3_1_1 sink_3_1_1 1 least_1 1
 s_3_2_1 flow_3_1 -1 sink_3_2_1 1
 s_3_2_1 least_1 1
 s_3_3_1 flow_3_1 -1 sink_3_3_1 1
 s_3_3_1 least_1 1
 s_4_1_1 flow_4_1 -1 sink_4_1_1 1
 s_4_1_1 least_1 2
 s_4_2_1 flow_4_1 -1 sink_4_2_1 1
 s_4_2_1 least_1 2
 s_4_3_1 obj -0.5 flow_4_1 -1
 s_4_3_1 sink_4_3_1 1 least_1 2
 s_5_1_1 flow_5_1 -1 sink_5_1_1 1
 s_5_1_1 least_1 1
 s_5_2_1 obj -0.25 flow_5_1 -1
 s_5_2_1 sink_5_2_1 1 least_1 1
 s_5_3_1 flow_5_1 -1 sink_5_3_1 1
 s_5_3_1 least_1 1
 s_1_1_2 obj -0.25 flow_1_2 -1
 s_1_1_2 sink_1_1_2 1 least_2 1
 s_1_2_2 flow_1_2 -1 sink_1_2_2 1
 s_1_2_2 least_2 1
 s_1_3_2 flow_1_2 -1 sink_1_3_2 1
 s_1_3_2 least_2 1
 s_2_1_2 flow_2_2 -1 sink_2_1_2 1
 s_2_1_2 least_2 1
 s_2_2_2 obj -0.25 flow_2_2 -1
 s_2_2_2 sink_2_2_2 1 least_2 1
 s_2_3_2 flow_2_2 -1 sink_2_3_2 1
 s_2_3_2 least_2 1
 s_3_1_2 obj -0.25 flow_3_2 -1
 s_3_1_2 sink_3_1_2 1 least_2 1
 s_3_2_2 flow_3_2 -1 sink_3_2_2 1
 s_3_2_2 least_2 1
 s_3_3_2 flow_3_2 -1 sink_3_3_2 1
 s_3_3_2 least_2 1
 s_4_1_2 flow_4_2 -1 sink_4_1_2 1
 s_4_1_2 least_2 2
 s_4_2_2 flow_4_2 -1 sink_4_2_2 1
 s_4_2_2 least_2 2
 s_4_3_2 obj -0.5 flow_4_2 -1
 s_4_3_2 sink_4_3_2 1 least_2 2
 s_5_1_2 flow_5_2 -1 sink_5_1_2 1
 s_5_1_2 least_2 1
 s_5_2_2 obj -0.25 flow_5_2 -1
 s_5_2_2 sink_5_2_2 1 least_2 1
 s_5_3_2 flow_5_2 -1 sink_5_3_2 1
 s_5_3_2 least_2 1
 s_1_1_3 obj -0.25 flow_1_3 -1
 s_1_1_3 sink_1_1_3 1 least_3 1
 s_1_2_3 flow_1_3 -1 sink_1_2_3 1
 s_1_2_3 least_3 1
 s_1_3_3 flow_1_3 -1 sink_1_3_3 1
 s_1_3_3 least_3 1
 s_2_1_3 flow_2_3 -1 sink_2_1_3 1
 s_2_1_3 least_3 1
 s_2_2_3 obj -0.25 flow_2_3 -1
 s_2_2_3 sink_2_2_3 1 least_3 1
 s_2_3_3 flow_2_3 -1 sink_2_3_3 1
 s_2_3_3 least_3 1
 s_3_1_3 obj -0.25 flow_3_3 -1
 s_3_1_3 sink_3_1_3 1 least_3 1
 s_3_2_3 flow_3_3 -1 sink_3_2_3 1
 s_3_2_3 least_3 1
 s_3_3_3 flow_3_3 -1 sink_3_3_3 1
 s_3_3_3 least_3 1
 s_4_1_3 flow_4_3 -1 sink_4_1_3 1
 s_4_1_3 least_3 2
 s_4_2_3 flow_4_3 -1 sink_4_2_3 1
 s_4_2_3 least_3 2
 s_4_3_3 obj -0.5 flow_4_3 -1
 s_4_3_3 sink_4_3_3 1 least_3 2
 s_5_1_3 flow_5_3 -1 sink_5_1_3 1
 s_5_1_3 least_3 1
 s_5_2_3 obj -0.25 flow_5_3 -1
 s_5_2_3 sink_5_2_3 1 least_3 1
 s_5_3_3 flow_5_3 -1 sink_5_3_3 1
 s_5_3_3 least_3 1
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
 BV BND w_1_1
 BV BND w_2_1
 BV BND w_3_1
 BV BND w_1_2
 BV BND w_2_2
 BV BND w_3_2
 BV BND w_1_3
 BV BND w_2_3
 BV BND w_3_3
 FX BND z_1_1 1
 FX BND z_2_1 1
 FX BND z_3_1 1
 FX BND z_4_1 1
 FX BND z_5_1 1
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
 LO BND s_1_1_1 0
 UP BND s_1_1_1 1
 LO BND s_1_2_1 0
 UP BND s_1_2_1 1
 LO BND s_1_3_1 0
 UP BND s_1_3_1 1
 LO BND s_2_1_1 0
 UP BND s_2_1_1 1
 LO BND s_2_2_1 0
 UP BND s_2_2_1 1
 LO BND s_2_3_1 0
 UP BND s_2_3_1 1
 LO BND s_3_1_1 0
 UP BND s_3_1_1 1
 LO BND s_3_2_1 0
 UP BND s_3_2_1 1
 LO BND s_3_3_1 0
 UP BND s_3_3_1 1
 LO BND s_4_1_1 0
 UP BND s_4_1_1 1
 LO BND s_4_2_1 0
 UP BND s_4_2_1 1
 LO BND s_4_3_1 0
 UP BND s_4_3_1 1
 LO BND s_5_1_1 0
 UP BND s_5_1_1 1
 LO BND s_5_2_1 0
 UP BND s_5_2_1 1
 LO BND s_5_3_1 0
 UP BND s_5_3_1 1
 LO BND s_1_1_2 0
 UP BND s_1_1_2 1
 LO BND s_1_2_2 0
 UP BND s_1_2_2 1
 LO BND s_1_3_2 0
 UP BND s_1_3_2 1
 LO BND s_2_1_2 0
 UP BND s_2_1_2 1
 LO BND s_2_2_2 0
 UP BND s_2_2_2 1
 LO BND s_2_3_2 0
 UP BND s_2_3_2 1
 LO BND s_3_1_2 0
 UP BND s_3_1_2 1
 LO BND s_3_2_2 0
 UP BND s_3_2_2 1
 LO BND s_3_3_2 0
 UP BND s_3_3_2 1
 LO BND s_4_1_2 0
 UP BND s_4_1_2 1
 LO BND s_4_2_2 0
 UP BND s_4_2_2 1
 LO BND s_4_3_2 0
 UP BND s_4_3_2 1
 LO BND s_5_1_2 0
 UP BND s_5_1_2 1
 LO BND s_5_2_2 0
 UP BND s_5_2_2 1
 LO BND s_5_3_2 0
 UP BND s_5_3_2 1
 LO BND s_1_1_3 0
 UP BND s_1_1_3 1
 LO BND s_1_2_3 0
 UP BND s_1_2_3 1
 LO BND s_1_3_3 0
 UP BND s_1_3_3 1
 LO BND s_2_1_3 0
 UP BND s_2_1_3 1
 LO BND s_2_2_3 0
 UP BND s_2_2_3 1
 LO BND s_2_3_3 0
 UP BND s_2_3_3 1
 LO BND s_3_1_3 0
 UP BND s_3_1_3 1
 LO BND s_3_2_3 0
 UP BND s_3_2_3 1
 LO BND s_3_3_3 0
 UP BND s_3_3_3 1
 LO BND s_4_1_3 0
 UP BND s_4_1_3 1
 LO BND s_4_2_3 0
 UP BND s_4_2_3 1
 LO BND s_4_3_3 0
 UP BND s_4_3_3 1
 LO BND s_5_1_3 0
 UP BND s_5_1_3 1
 LO BND s_5_2_3 0
 UP BND s_5_2_3 1
 LO BND s_5_3_3 0
 UP BND s_5_3_3 1
 FX BND octgen_one 1
ENDATA
