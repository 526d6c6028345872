solution status: unknown
objective value: -19.541666666666668
x#1 1
octgen_c2 2
a&b<c> 2.5
octgen_c4 -0.3333333333333333
w[3](4); 0
octgen_c6 -7
octgen_one 1
