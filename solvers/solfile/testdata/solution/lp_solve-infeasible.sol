Unconstrained row octgen_r3 ignored
Further messages of this kind will be suppressed
This problem is infeasible
