Unbounded - objective value 0.00000000
      0 x#1                     0                      -1
