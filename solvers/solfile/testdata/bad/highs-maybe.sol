Model status
Optimal

# Primal solution values
Maybe

# Dual solution values
None

# Basis
HiGHS v1
None
