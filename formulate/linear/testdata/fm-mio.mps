* octgen dialect portable, free format
NAME fm FREE
ROWS
 N obj
 L error
 G a_1
 G a_2
 G b_1
 G b_2
 G b_3
 G count
 L plus_1
 L minus_1
 L plus_2
 L minus_2
COLUMNS
 wp_1 a_1 -1.5109662034355795 a_2 -0.6868028197434453
 wp_1 b_1 0.6868028197434453 b_2 -0.961523947640823
 wp_1 b_3 -0.961523947640823 plus_1 1
 wp_2 a_1 -1 a_2 1
 wp_2 b_1 1 b_2 -1
 wp_2 b_3 1 plus_2 1
 wm_1 a_1 1.5109662034355795 a_2 0.6868028197434453
 wm_1 b_1 -0.6868028197434453 b_2 0.961523947640823
 wm_1 b_3 0.961523947640823 minus_1 1
 wm_2 a_1 1 a_2 -1
 wm_2 b_1 -1 b_2 1
 wm_2 b_3 -1 minus_2 1
 gamma a_1 -1 a_2 -1
 gamma b_1 1 b_2 1
 gamma b_3 1
 u_1 error 0.5 a_1 1
 u_2 error 0.5 a_2 1
 v_1 error 0.25 b_1 1
 v_2 error 0.5 b_2 1
 v_3 error 0.25 b_3 1
 BIN0 'MARKER' 'INTORG'
 r_1 obj 1 count 1
 r_1 plus_1 -10 minus_1 -10
 r_2 obj 1 count 1
 r_2 plus_2 -10 minus_2 -10
 BIN0 'MARKER' 'INTEND'
RHS
 RHS error 0.5
 RHS a_1 1
 RHS a_2 1
 RHS b_1 1
 RHS b_2 1
 RHS b_3 1
 RHS count 1
RANGES
 RNG count 1
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
 BV BND r_1
 BV BND r_2
ENDATA
