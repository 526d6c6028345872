solution status: optimal solution found
objective value:                    -19.5416666666667
x#1                                                     1 	(obj:1)
octgen_c2                                               2 	(obj:1)
a&b<c>                                                2.5 	(obj:1)
octgen_c4                            -0.33333333333333331 	(obj:1)
octgen_c6                                              -7 	(obj:1)
octgen_one                                              1 	(obj:1)
