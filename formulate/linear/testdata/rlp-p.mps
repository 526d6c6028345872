* octgen dialect portable, free format
NAME rlp-p FREE
ROWS
 N obj
 G a_1
 G a_2
 G b_1
 G b_2
 G b_3
 G above_1
 L below_1
 G above_2
 L below_2
COLUMNS
 w_1 a_1 -1.5109662034355795 a_2 -0.6868028197434453
 w_1 b_1 0.6868028197434453 b_2 -0.961523947640823
 w_1 b_3 -0.961523947640823 above_1 1
 w_1 below_1 1
 w_2 a_1 -1 a_2 1
 w_2 b_1 1 b_2 -1
 w_2 b_3 1 above_2 1
 w_2 below_2 1
 s_1 obj 0.02 above_1 1
 s_1 below_1 -1
 s_2 obj 0.02 above_2 1
 s_2 below_2 -1
 gamma a_1 -1 a_2 -1
 gamma b_1 1 b_2 1
 gamma b_3 1
 u_1 obj 0.49 a_1 1
 u_2 obj 0.49 a_2 1
 v_1 obj 0.245 b_1 1
 v_2 obj 0.49 b_2 1
 v_3 obj 0.245 b_3 1
RHS
 RHS a_1 1
 RHS a_2 1
 RHS b_1 1
 RHS b_2 1
 RHS b_3 1
BOUNDS
 FR BND w_1
 FR BND w_2
 LO BND s_1 0
 PL BND s_1
 LO BND s_2 0
 PL BND s_2
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
ENDATA
