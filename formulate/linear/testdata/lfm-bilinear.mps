* octgen dialect portable, free format
NAME lfm FREE
ROWS
 N obj
 G a_1
 G a_2
 G b_1
 G b_2
 G b_3
 E count
COLUMNS
 wp_1 obj 2.176 a_1 -1.5109662034355795
 wp_1 a_2 -0.6868028197434453 b_1 0.6868028197434453
 wp_1 b_2 -0.961523947640823 b_3 -0.961523947640823
 wp_2 obj 2.176 a_1 -1
 wp_2 a_2 1 b_1 1
 wp_2 b_2 -1 b_3 1
 wm_1 obj 2.176 a_1 1.5109662034355795
 wm_1 a_2 0.6868028197434453 b_1 -0.6868028197434453
 wm_1 b_2 0.961523947640823 b_3 0.961523947640823
 wm_2 obj 2.176 a_1 1
 wm_2 a_2 -1 b_1 -1
 wm_2 b_2 1 b_3 -1
 gamma a_1 -1 a_2 -1
 gamma b_1 1 b_2 1
 gamma b_3 1
 u_1 obj 0.49 a_1 1
 u_2 obj 0.49 a_2 1
 v_1 obj 0.245 b_1 1
 v_2 obj 0.49 b_2 1
 v_3 obj 0.245 b_3 1
 r_1 count 1
 r_2 count 1
RHS
 RHS a_1 1
 RHS a_2 1
 RHS b_1 1
 RHS b_2 1
 RHS b_3 1
 RHS count 1
BOUNDS
 LO BND wp_1 0
 UP BND wp_1 98
 LO BND wp_2 0
 UP BND wp_2 98
 LO BND wm_1 0
 UP BND wm_1 98
 LO BND wm_2 0
 UP BND wm_2 98
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
QUADOBJ
 wp_1 r_1 -2.156
 wp_2 r_2 -2.156
 wm_1 r_1 -2.156
 wm_2 r_2 -2.156
ENDATA
