Stopped on iterations - objective value 0
0 x#1 1 0
1 octgen_c2 2 0
4 w[3](4); 0 0
6 octgen_one 1 0
