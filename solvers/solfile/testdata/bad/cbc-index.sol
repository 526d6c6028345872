Optimal - objective value 1
x#1 1 0
