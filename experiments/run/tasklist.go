package run

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/octgen/octgen/internal/atomicfile"
)

// tasksFile lists the tasks of the plan, so that those who gather results, or ask how
// far a run is, need not find the data: a line each, in the plan's order.
const tasksFile = "tasks.csv"

var tasksHeader = []string{"id", "data", "method", "split"}

// listedTask is a line of tasks.csv.
type listedTask struct{ id, data, method, split string }

// putTasks writes tasks.csv unless it is there.
func putTasks(dir string, tasks []Task) error {
	path := filepath.Join(dir, tasksFile)
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		c := csv.NewWriter(w)
		_ = c.Write(tasksHeader) // errors stay until Error
		for i := range tasks {
			t := &tasks[i]
			_ = c.Write([]string{t.ID, t.Data, t.Method, t.Split})
		}
		c.Flush()
		return c.Error()
	})
}

// readTasks reads tasks.csv. A folder without it was begun by an octgen that did not
// write it: none, without an error.
func readTasks(dir string) ([]listedTask, error) {
	path := filepath.Join(dir, tasksFile)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close() // read-only: closing has nothing to report
	c := csv.NewReader(f)
	c.FieldsPerRecord = len(tasksHeader)
	var tasks []listedTask
	for {
		line, err := c.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w; take the file away and go on with --resume, which writes it again", ErrFolder, path, err)
		}
		tasks = append(tasks, listedTask{line[0], line[1], line[2], line[3]})
	}
	return tasks[min(1, len(tasks)):], nil // without the header
}
