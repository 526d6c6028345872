Optimal - objective value 1
 0 x#1 1 0
 1 x#9 1 0
 2 a&b<c> 1 0
