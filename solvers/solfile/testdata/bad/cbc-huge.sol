Optimal - objective value 1
 0 a&b<c> 1e999 0
