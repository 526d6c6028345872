# Solution for model octgen
# Objective value = -1.9541666666666668e+01
x#1 1
octgen_c2 2
a&b<c> 2.5
octgen_c4 -3.3333333333333331e-01
w[3](4); 0
octgen_c6 -7
octgen_one 1
MPS_Rgrange 3.1666666666666665e+00
