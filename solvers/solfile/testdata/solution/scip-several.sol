solution status: node limit reached
objective value:   -16
x#1                                                     1 	(obj:1)
octgen_c2                                               2 	(obj:1)
w[3](4);                                                1 	(obj:1)
octgen_c6                                              -7 	(obj:1)
octgen_one                                              1 	(obj:1)
solution status: node limit reached
objective value:   -17
x#1                                                     1 	(obj:1)
octgen_c2                                               2 	(obj:1)
octgen_c6                                              -7 	(obj:1)
octgen_one                                              1 	(obj:1)
solution status: node limit reached
objective value:   -13
x#1                                                     1 	(obj:1)
octgen_c2                                               2 	(obj:1)
w[3](4);                                                4 	(obj:1)
octgen_c6                                              -7 	(obj:1)
octgen_one                                              1 	(obj:1)
