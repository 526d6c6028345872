Solution
Optimal
