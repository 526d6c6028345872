Model status
Optimal
Primal
