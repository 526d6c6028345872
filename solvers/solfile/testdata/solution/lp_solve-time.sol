
Suboptimal solution

Value of objective function: -19.54166667

Actual values of the variables:
x#1                             1
octgen_c2                       2
a&b<c>                        2.5
octgen_c4               -0.333333
w[3](4);                        0
octgen_c6                      -7
octgen_one                      1

Actual values of the constraints:
cap                             3
range                     2.16667
octgen_r4               -0.333333
