package instances

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
)

// planned is an instance to be built.
type planned struct {
	name, data string // of the files; as messages call the data
	method     *spec.Method
	ds         *dataset.Dataset
}

// plan reads all data of a spec and lists its instances: every method on all rows of every
// data. What can be known to be wrong before a program is built is an error, which wraps
// fit.ErrInput or is a *spec.Error.
func plan(ctx context.Context, s *spec.Spec) ([]planned, error) {
	if _, err := run.ReadTrees(s); err != nil {
		return nil, err
	}
	named := map[string]string{} // by names in small letters, which some file systems hold for the same
	var all []planned
	for i := range s.Data {
		d := &s.Data[i]
		sets, err := run.Whole(s, d)
		if err != nil {
			return nil, err
		}
		for r, ds := range sets {
			data := d.Name
			if len(sets) > 1 {
				data = fmt.Sprintf("%s-%d", d.Name, r+1)
			}
			for j := range s.Methods {
				p := planned{name: fileName(data + "-" + s.Methods[j].Name), data: data, method: &s.Methods[j], ds: ds}
				of, key := data+", "+p.method.Name, strings.ToLower(p.name)
				if other := named[key]; other != "" {
					return nil, fmt.Errorf("%w: %s and %s would both be %s: name them otherwise", fit.ErrInput, other, of, p.name)
				}
				named[key] = of
				if err := p.check(ctx); err != nil {
					return nil, err
				}
				all = append(all, p)
			}
		}
	}
	return all, nil
}

// others are the characters that names of files and models do without.
var others = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)

func fileName(text string) string { return others.ReplaceAllString(text, "_") }

// check refuses a method that is no program, or does not go with the data.
func (p *planned) check(ctx context.Context) error {
	if err := p.method.CheckConstraints(p.data, p.ds); err != nil {
		return err
	}
	o, err := p.method.Options(ctx, p.ds)
	if err != nil {
		return p.mistake(ctx, err)
	}
	if _, ok := o.Method.(problem.Problem); !ok {
		return p.mistake(ctx, fmt.Errorf("method %s is no program; instances are of oct, oct-h and the others that octgen mps has", o.Method.Info().Name))
	}
	if beside, ok := o.Method.(problem.Surrounded); ok {
		if err := beside.Beyond(); err != nil {
			return p.mistake(ctx, err)
		}
	}
	return p.mistake(ctx, fit.CheckOptions(ctx, p.ds, o))
}

// mistake says of which data and method an error is, unless ctx has ended.
func (p *planned) mistake(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("%w: %s, %s: %s", fit.ErrInput, p.data, p.method.Name, strings.TrimPrefix(err.Error(), fit.ErrInput.Error()+": "))
}
