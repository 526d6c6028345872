solution status: optimal
objective value: 1
x#7 1 (obj:1)
