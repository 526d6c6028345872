c Problem:    octgen
c Rows:       3
c Columns:    7
c Non-zeros:  5
c Status:     INTEGER OPTIMAL
c Objective:  obj = -19.54166667 (MINimum)
c
s mip 3 7 o -19.5416666666667
i 1 3
i 2 2.16666666666667
i 3 -0.333333333333333
j 1 1
j 2 2
j 3 2.5
j 4 -0.333333333333333
j 5 0
j 6 -7
j 7 1
e o f
