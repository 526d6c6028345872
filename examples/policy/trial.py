# trial.py: made decisions of three actions by a habit, with known propensities; the best
# policy is "b" from 4 visits on and "a" below for those under 40, "c" for the others.
import random
random.seed(1)
print("age,visits,action,outcome,propensity")
for _ in range(3000):
    age, visits = random.uniform(18, 80), random.uniform(0, 10)
    usual = "a" if age < 50 else "b"                      # who decided had a habit
    action = usual if random.random() < 0.5 else random.choice([k for k in "abc" if k != usual])
    propensity = 0.5 if action == usual else 0.25
    best = ("a" if visits < 4 else "b") if age < 40 else "c"
    outcome = age / 40 + (action == best) + random.gauss(0, 1)
    print(f"{age:.2f},{visits:.2f},{action},{outcome:.4f},{propensity}")
