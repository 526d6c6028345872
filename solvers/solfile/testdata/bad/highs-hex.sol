Model status
Optimal

# Primal solution values
Feasible
Objective -17
# Columns 7
x#1 0x1
octgen_c2 2
a&b<c> 0
octgen_c4 0
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
