Model status
Optimal

# Primal solution values
Feasible
Objective -19.5416666666667
Objective_bound -19.5416666666667
MIP_rel_gap 0
# Columns 7
x#1 1
octgen_c2 2
a&b<c> 2.5
octgen_c4 -0.3333333333333
w[3](4); 0
octgen_c6 -7
octgen_one 1
# Rows 3
cap 3
range 2.1666666666667
octgen_r4 -0.3333333333333

# Dual solution values
None

# Basis
HiGHS_basis_file v2
None
