package parts

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/internal/datatest"
)

func TestSidesTry(t *testing.T) {
	for _, name := range strings.Fields(os.Getenv("SETS")) {
		ds := datatest.Load(t, name)
		s, err := begin(context.Background(), ds, Options{Form: hyperplane.Options{Depth: depth(), Margin: hyperplane.Right}})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
		s.dataBound(ctx)
		began := time.Now()
		s.placing = s.newPlacing(ctx)
		q := s.placing
		s.o.Progress = func(e Event) {
			fmt.Println(name, s.n(), s.p(), e.By, "bound", e.Bound*s.lhat, "value", e.Objective*s.lhat, time.Since(began), q.solver.Learned)
		}
		err = s.place(ctx)
		fmt.Println(name, "end", err, s.bound*s.lhat, s.objective*s.lhat, time.Since(began), q.solver.Learned)

		cancel()
	}
}

func depth() int {
	d, _ := strconv.Atoi(os.Getenv("DEPTH"))
	if d == 0 {
		return 2
	}
	return d
}
