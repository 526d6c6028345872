c Problem:    octgen
c Rows:       3
c Columns:    7
c Non-zeros:  5
c Status:     INTEGER EMPTY
c Objective:  obj = 0 (MINimum)
c
s mip 3 7 n 0
i 1 3
i 2 0
i 3 0
j 1 0
j 2 0
j 3 0
j 4 0
j 5 0
j 6 0
j 7 0
e o f
