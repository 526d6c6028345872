package run

import "fmt"

// Prepare makes o.Dir the folder of the plan, to be worked on by jobs of the scheduler,
// or finds that it is, and returns the tasks that have no result in it, in the plan's
// order; with Retry also those whose result is an error or was cut short. A folder that
// has been submitted from before wants Resume or Retry.
func (p *Plan) Prepare(scheduler string, o Options) ([]*Task, error) {
	o.scheduler = scheduler
	tasks, err := p.chosen(&o)
	if err != nil {
		return nil, err
	}
	if err := available(tasks); err != nil {
		return nil, err
	}
	if err := admit(p, &o); err != nil {
		return nil, err
	}
	if Submissions(o.Dir) > 0 && !o.goesOn() {
		return nil, fmt.Errorf("%w: %s has been submitted before; submit what is missing with --resume, or choose another folder with --out", ErrFolder, o.Dir)
	}
	x, err := readIndex(o.Dir)
	if err != nil {
		return nil, err
	}
	var missing []*Task
	for _, t := range tasks {
		if had, ok := x.at[t.ID]; !ok || o.Retry && had.rank < succeeded {
			missing = append(missing, t)
		}
	}
	return missing, nil
}
