package run

import (
	"fmt"
	"os"
	"path/filepath"
)

// DataOfBatch names the data that the batch's tasks are of: a plan of these is enough.
func DataOfBatch(dir string, b Batch) ([]string, error) {
	if _, err := readManifest(dir); err != nil {
		host, _ := os.Hostname()
		return nil, fmt.Errorf("%w: no run is found in %s on the machine %s: is it on a file system that this machine shares with the one that submitted? (%w)", ErrFolder, dir, host, err)
	}
	ids, err := b.ids(dir)
	if err != nil {
		return nil, err
	}
	tasks, err := readTasks(dir)
	if err != nil {
		return nil, err
	}
	dataOf := make(map[string]string, len(tasks))
	for i := range tasks {
		dataOf[tasks[i].id] = tasks[i].data
	}
	var names []string
	for _, id := range ids {
		name, ok := dataOf[id]
		if !ok {
			return nil, fmt.Errorf("%w: the task %s of batch %v is none of the plan in %s", ErrFolder, id, b, filepath.Join(dir, tasksFile))
		}
		if len(names) == 0 || names[len(names)-1] != name { // tasks go by data
			names = append(names, name)
		}
	}
	return names, nil
}
