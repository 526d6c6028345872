# Solution for model octgen
# Objective value = -16
x#1 1
octgen_c2 2
a&b<c> 0
octgen_c4 0
w[3](4); 1
octgen_c6 -7
octgen_one 1
# Solution for model octgen
# Objective value = -17
x#1 1
octgen_c2 2
a&b<c> 0
octgen_c4 0
w[3](4); 0
octgen_c6 -7
octgen_one 1
# Solution for model octgen
# Objective value = -13
x#1 1
octgen_c2 2
a&b<c> 0
octgen_c4 0
w[3](4); 4
octgen_c6 -7
octgen_one 1
