Optimal - objective value 1
 0 x#1 1