* octgen dialect portable, free format
NAME lfm FREE
ROWS
 N obj
 G a_1
 G a_2
 G b_1
 G b_2
 G b_3
 G count
 E absent_1
 E absent_2
COLUMNS
 wp_1 a_1 -1.5109662034355795 a_2 -0.6868028197434453
 wp_1 b_1 0.6868028197434453 b_2 -0.961523947640823
 wp_1 b_3 -0.961523947640823
 wp_2 a_1 -1 a_2 1
 wp_2 b_1 1 b_2 -1
 wp_2 b_3 1
 wm_1 a_1 1.5109662034355795 a_2 0.6868028197434453
 wm_1 b_1 -0.6868028197434453 b_2 0.961523947640823
 wm_1 b_3 0.961523947640823
 wm_2 a_1 1 a_2 -1
 wm_2 b_1 -1 b_2 1
 wm_2 b_3 -1
 gamma a_1 -1 a_2 -1
 gamma b_1 1 b_2 1
 gamma b_3 1
 u_1 obj 0.5 a_1 1
 u_2 obj 0.5 a_2 1
 v_1 obj 0.25 b_1 1
 v_2 obj 0.5 b_2 1
 v_3 obj 0.25 b_3 1
 r_1 obj 0.25 count 1
 r_1 absent_1 1
 r_2 obj 0.25 count 1
 r_2 absent_2 1
 c_1 absent_1 1
 c_2 absent_2 1
RHS
 RHS a_1 1
 RHS a_2 1
 RHS b_1 1
 RHS b_2 1
 RHS b_3 1
 RHS absent_1 1
 RHS absent_2 1
RANGES
 RNG count 2
BOUNDS
 LO BND wp_1 0
 PL BND wp_1
 LO BND wp_2 0
 PL BND wp_2
 LO BND wm_1 0
 PL BND wm_1
 LO BND wm_2 0
 PL BND wm_2
 FR BND gamma
 LO BND u_1 0
 PL BND u_1
 LO BND u_2 0
 PL BND u_2
 LO BND v_1 0
 PL BND v_1
 LO BND v_2 0
 PL BND v_2
 LO BND v_3 0
 PL BND v_3
 LO BND r_1 0
 UP BND r_1 1
 LO BND r_2 0
 UP BND r_2 1
 LO BND c_1 0
 UP BND c_1 1
 LO BND c_2 0
 UP BND c_2 1
SOS
 S1 use_1
    wp_1 1
    wm_1 2
    c_1 3
 S1 use_2
    wp_2 1
    wm_2 2
    c_2 3
ENDATA
