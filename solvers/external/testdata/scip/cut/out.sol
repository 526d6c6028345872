solution status: optimal solution found
objective value:                                  4.5
x1                                                  3 	(obj:1)
x4      