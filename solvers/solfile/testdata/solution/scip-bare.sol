objective value: -17
x#1                                                     1 	(obj:1)
octgen_c2                                               2 	(obj:1)
octgen_c6                                              -7 	(obj:1)
octgen_one                                              1 	(obj:1)
