package run

import (
	"fmt"

	"github.com/octgen/octgen/fit"
)

// chosen are the tasks of a run with these options. None, where no name matches, is an
// error; a shard may have none.
func (p *Plan) chosen(o *Options) ([]*Task, error) {
	if o.Batch.Submission > 0 {
		return p.ofBatch(o)
	}
	tasks := p.Matching(o.Only, o.Shard)
	if len(tasks) == 0 && len(p.Matching(o.Only, Shard{})) == 0 {
		return nil, fmt.Errorf("%w: no task matches %q; names are DATA/METHOD/SPLIT, such as %s", fit.ErrInput, o.Only, p.Tasks[0].Name())
	}
	return tasks, nil
}

// ofBatch are the tasks of a batch, in its order.
func (p *Plan) ofBatch(o *Options) ([]*Task, error) {
	ids, err := o.Batch.ids(o.Dir)
	if err != nil {
		return nil, err
	}
	of := make(map[string]*Task, len(p.Tasks))
	for i := range p.Tasks {
		of[p.Tasks[i].ID] = &p.Tasks[i]
	}
	tasks := make([]*Task, 0, len(ids))
	for _, id := range ids {
		t := of[id]
		if t == nil {
			return nil, fmt.Errorf("%w: the task %s of batch %v is none of this spec with these data; they have changed since %s was begun", ErrFolder, id, o.Batch, o.Dir)
		}
		tasks = append(tasks, t)
	}
	return tasks, nil
}
