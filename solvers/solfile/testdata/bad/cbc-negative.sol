Optimal - objective value -19.54166667
      0 cap                      3                       0
      1 range            2.1666667                       0
      2 octgen_r4      -0.33333333                   0.125
     -1 x#1                      1                      -3
      1 octgen_c2                2                      -2
      2 a&b<c>                 2.5                      -1
      3 octgen_c4      -0.33333333                       0
      4 w[3](4);                 0                       1
      5 octgen_c6               -7                       0
      6 octgen_one               1                     -10
