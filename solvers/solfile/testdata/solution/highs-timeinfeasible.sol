Model status
Time limit reached

# Primal solution values
Infeasible
Objective -19
# Columns 7
x#1 0.5
octgen_c2 2
a&b<c> 2.5
octgen_c4 -0.33333333333333331
w[3](4); 0
octgen_c6 -7
octgen_one 1
# Rows 3
cap 3
range 2
octgen_r4 0

# Dual solution values
None

# Basis
HiGHS v1
None
