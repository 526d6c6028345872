package limits

import (
	"context"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	fitted "github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/solvers"
	_ "github.com/octgen/octgen/solvers/external"
	"github.com/octgen/octgen/tree"
)

// Whole fits with the executables that are there, on programs that they do not solve in
// seconds, and a cross-check.
func init() {
	programs := map[string]fit.Options{
		"rlp": {Method: new(fitted.RLP)},
		"oct, bigm": {Method: &fitted.OCT{
			Shape: fitted.Shape{Levels: fitted.Levels{Depth: 3}}, Encoded: fitted.Encoded{Encoding: "bigm"},
		}},
		"cross-check": {Method: &fitted.OCT{Shape: fitted.Shape{Levels: fitted.Levels{Depth: 3}}}, CrossCheck: true},
	}
	for _, solver := range []string{"highs-exe", "cbc", "glpk"} {
		if s, err := solvers.Lookup(solver); err != nil || s.Available() != nil {
			continue
		}
		for name, o := range programs {
			o.Solver = solver
			methods = append(methods, method{name + ", " + solver, func(ctx context.Context, ds *dataset.Dataset) (*tree.Tree, error) {
				end, _ := ctx.Deadline()
				o := o
				o.Solve.TimeLimit = time.Until(end)
				res, err := fit.Run(context.WithoutCancel(ctx), ds, o)
				return of(res, err, func() *tree.Tree { return res.Tree })
			}})
		}
	}
}
