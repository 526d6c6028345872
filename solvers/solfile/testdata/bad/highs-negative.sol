Model status
Optimal

# Primal solution values
Feasible
Objective -19.5416666666667
# Columns -1
octgen_one 1
# Rows 0
