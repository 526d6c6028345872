solution status: optimal solution found
objective value:                    -19.5416666666667
x#1                                                 1 	(obj:-3)
octgen_c2                                           2 	(obj:-2)
octgen_c4                          -0.333333333333371 	(obj:0.125)
a&b<c>                                            2.5 	(obj:-1)
octgen_c6                                          -7 	(obj:0)
octgen_one                                          1 	(obj:-10)
indslack_ind_right_1_5_2                            1 	(obj:0)
qmatrixvar                       -1.09884040553461e-08 	(obj:1)
