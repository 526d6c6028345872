* octgen dialect portable, free format
NAME oct FREE
ROWS
 N obj
 E split_1
 E stump_1
COLUMNS
 d_1 obj 0.5 split_1 -1
 d_1 stump_1 1
 u_1_1_1_2_1 obj -0.75 split_1 1
 u_1_1_1_2_2 obj -0.75 split_1 1
 u_1_1_1_3_2 obj -1 split_1 1
 u_1_1_2_3_2 obj -0.75 split_1 1
 u_1_2_1_3_1 obj -0.75 split_1 1
 u_1_2_2_1_1 obj -0.75 split_1 1
 u_1_2_2_3_1 obj -1 split_1 1
 c_1_1 obj -0.5 stump_1 1
 c_2_1 obj -0.5 stump_1 1
 c_3_1 obj -0.5 stump_1 1
 octgen_one obj 1.5
RHS
 RHS stump_1 1
BOUNDS
 LO BND d_1 0
 UP BND d_1 1
 LO BND u_1_1_1_2_1 0
 UP BND u_1_1_1_2_1 1
 LO BND u_1_1_1_2_2 0
 UP BND u_1_1_1_2_2 1
 LO BND u_1_1_1_3_2 0
 UP BND u_1_1_1_3_2 1
 LO BND u_1_1_2_3_2 0
 UP BND u_1_1_2_3_2 1
 LO BND u_1_2_1_3_1 0
 UP BND u_1_2_1_3_1 1
 LO BND u_1_2_2_1_1 0
 UP BND u_1_2_2_1_1 1
 LO BND u_1_2_2_3_1 0
 UP BND u_1_2_2_3_1 1
 LO BND c_1_1 0
 UP BND c_1_1 1
 LO BND c_2_1 0
 UP BND c_2_1 1
 LO BND c_3_1 0
 UP BND c_3_1 1
 FX BND octgen_one 1
ENDATA
