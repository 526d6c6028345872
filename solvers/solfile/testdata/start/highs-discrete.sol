=obj= 0
x#1 1
octgen_c2 2
w[3](4); 0
octgen_one 1
