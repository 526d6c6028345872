Stopped on iterations - objective value -19.541666666666668
0 x#1 1 0
1 octgen_c2 2 0
2 a&b<c> 2.5 0
3 octgen_c4 -0.3333333333333333 0
4 w[3](4); 0 0
5 octgen_c6 -7 0
6 octgen_one 1 0
