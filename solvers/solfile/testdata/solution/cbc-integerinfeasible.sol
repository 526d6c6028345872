Integer infeasible - objective value 1.50000000
      0 x#1                      0.5                       0
      1 octgen_c2                  2                       0
      2 a&b<c>                   2.5                       0
      3 octgen_c4        -0.33333333                       0
      5 octgen_c6                 -7                       0
      6 octgen_one                 1                       0
