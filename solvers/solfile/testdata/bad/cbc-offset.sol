Optimal - objective value 1
 0 x#1 1 0
 5 octgen_c6 -7 0
