solution status: time limit reached
objective value:                                    5
x1                                                  1 	(obj:1)
x2                                                  2 	(obj:2)
