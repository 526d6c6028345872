# Solution for model recorded
# Objective value = 4.5