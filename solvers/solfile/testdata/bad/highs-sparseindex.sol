Model status
Optimal

# Primal solution values
Feasible
Objective -19.5416666666667
# Columns -6
x#1 1 0
octgen_c2 2 1
a&b<c> 2.5 2
octgen_c4 -0.3333333333333 3
octgen_c6 -7 5
octgen_one 1 7
