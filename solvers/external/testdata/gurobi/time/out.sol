# Solution for model recorded
# Objective value = 5
x1 1
x2 2
x4 0
