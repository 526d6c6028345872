Stopped on time - objective value -17.00000000
      0 x#1                        1                       0
      1 octgen_c2                  2                       0
      5 octgen_c6                 -7                       0
      6 octgen_one                 1                       0
