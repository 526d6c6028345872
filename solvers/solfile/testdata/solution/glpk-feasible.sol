c Problem:    octgen
c Rows:       3
c Columns:    7
c Non-zeros:  5
c Status:     INTEGER NON-OPTIMAL
c Objective:  obj = -17 (MINimum)
c
s mip 3 7 f -17
i 1 3
i 2 0
i 3 0
j 1 1
j 2 2
j 3 0
j 4 0
j 5 0
j 6 -7
j 7 1
e o f
