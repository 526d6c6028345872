solution status: optimal solution found
objective value:                                  3.5
x1                                                  3 	(obj:1)
x4                                                1.5 	(obj:1)
