Infeasible - objective value 2.50000000
      0 x#1                     1                       0
**       1 octgen_c2                   1.5                       0
