# Solution for model recorded
# Objective value = 3.5
x1 3
x2 0
x4 1.5
