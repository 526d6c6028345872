Objective -16
# Columns 7
x#1 1
octgen_c2 2
a&b<c> 0
octgen_c4 0
w[3](4); 1
octgen_c6 -7
octgen_one 1
Objective -17
# Columns 7
x#1 1
octgen_c2 2
a&b<c> 0
octgen_c4 0
w[3](4); 0
octgen_c6 -7
octgen_one 1
Objective -13
# Columns 7
x#1 1
octgen_c2 2
a&b<c> 0
octgen_c4 0
w[3](4); 4
octgen_c6 -7
octgen_one 1
