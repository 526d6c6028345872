package hyperplane

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/formulate/internal/merged"
	"github.com/octgen/octgen/tree/constraint"
)

// Data is the training data of the models: rows of equal features and class merged, weights in
// their common unit, non-constant features scaled to [0, 1].
type Data struct {
	g          *grid.Grid
	mu         float64
	x          []float64 // (n, active features) scaled
	low, width []float64 // (active features) of the scaling: x' = (x - low)/width
}

// Data lays out ds. Errors are those of Build.
func (o Options) Data(ctx context.Context, ds *dataset.Dataset) (*Data, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	g, err := grid.New(ctx, ds, o.Training, o.MinLeaf)
	if err != nil {
		return nil, err
	}
	if g.Cost != nil {
		return nil, errors.New("formulate: OCT-H does not support prediction costs")
	}
	on, err := o.Constraints.On(g.DS)
	if err != nil {
		return nil, err
	}
	if err := allow(g, on); err != nil {
		return nil, err
	}
	d := &Data{g: g, mu: o.withDefaults().Mu}
	return d, d.scale()
}

// allow removes the forbidden features.
func allow(g *grid.Grid, on *constraint.On) error {
	if on.Forbidden == nil {
		return nil
	}
	g.Active = slices.DeleteFunc(slices.Clone(g.Active), func(j int) bool { return on.Forbidden[j] })
	if len(g.Active) == 0 {
		return merged.ErrNoFeature
	}
	return nil
}

// scale maps every feature to [0, 1].
func (d *Data) scale() error {
	g, p := d.g, len(d.g.Active)
	d.low, d.width = make([]float64, p), make([]float64, p)
	d.x = make([]float64, g.N*p)
	for jx, j := range g.Active {
		v := g.Vals[j]
		d.low[jx], d.width[jx] = v[0], v[len(v)-1]-v[0]
		if math.IsInf(d.width[jx], 0) {
			return fmt.Errorf("formulate: feature %q ranges from %v to %v, too wide to be scaled to [0, 1]", g.DS.Features[j], v[0], v[len(v)-1])
		}
		for i := range g.N {
			d.x[i*p+jx] = (g.DS.At(i, j) - d.low[jx]) / d.width[jx]
		}
	}
	return nil
}

// Len returns the number of merged rows.
func (d *Data) Len() int { return d.g.N }

// Class returns the class of merged row i.
func (d *Data) Class(i int) int { return int(d.g.Y[i]) }

// Weight returns the weight of merged row i in the common unit of the weights.
func (d *Data) Weight(i int) float64 { return d.g.W[i] }

// Baseline returns Lhat, the error weight of the single leaf in the common unit.
func (d *Data) Baseline() float64 { return d.g.Lhat }

// Scaled returns the non-constant features of merged row i, scaled to [0, 1]; the caller must not
// modify them.
func (d *Data) Scaled(i int) []float64 { return d.row(i) }

// Bound returns a lower bound on the objective of every tree: the errors forced by rows with equal
// features and different classes.
func (d *Data) Bound() float64 { return d.g.Bound() }

func (d *Data) p() int              { return len(d.g.Active) }
func (d *Data) row(i int) []float64 { return d.x[i*d.p() : (i+1)*d.p()] }
