# Objective value = 1
x#1 1
octgen_c2