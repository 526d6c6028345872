# scores.py: doubly robust scores of observed decisions, standard library only.
# In:  features, action (a, b or c), outcome, propensity (of the action that was taken)
# Out: features and a reward of each action
import csv, sys
rows = list(csv.DictReader(sys.stdin))
actions = sorted({r["action"] for r in rows})
model = {}  # m_k: the mean outcome of action k; a regression on the features would do better
for k in actions:
    taken = [r for r in rows if r["action"] == k]
    weight = sum(1 / float(r["propensity"]) for r in taken)
    model[k] = sum(float(r["outcome"]) / float(r["propensity"]) for r in taken) / weight
features = [f for f in rows[0] if f not in ("action", "outcome", "propensity")]
out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(features + actions)
for r in rows:
    score = dict(model)
    k = r["action"]
    score[k] += (float(r["outcome"]) - model[k]) / float(r["propensity"])
    out.writerow([r[f] for f in features] + [score[a] for a in actions])
