c Problem:    octgen
c Rows:       3
c Columns:    7
c Non-zeros:  5
c Status:     OPTIMAL
c Objective:  obj = -19.54166667 (MINimum)
c
s bas 3 7 f f -19.5416666666667
i 1 u 3 -2
i 2 b 2.16666666666667 0
i 3 l -0.333333333333333 0.125
j 1 u 1 -1
j 2 b 2 0
j 3 u 2.5 -1
j 4 b -0.333333333333333 0
j 5 l 0 1
j 6 s -7 0
j 7 s 1 -10
e o f
