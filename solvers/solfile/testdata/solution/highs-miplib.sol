=obj= -17
x#1 1
octgen_c2 2
octgen_c6 -7
octgen_one 1
