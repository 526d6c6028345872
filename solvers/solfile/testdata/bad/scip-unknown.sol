solution status: optimal
objective value: 1
x#1 unknown (obj:1)
