package export

import (
	"strconv"
	"strings"
)

// names gives names that differ from those that are there.
type names struct {
	taken map[string]bool
	tried map[string]int // underscores, or the number, that a name was last given with
}

func newNames(taken []string) *names {
	n := &names{make(map[string]bool), make(map[string]int)}
	for _, name := range taken {
		n.taken[name] = true
	}
	return n
}

// mostUnderscores is how many underscores stand behind a name before numbers do, which
// keep thousands of names of one kind short.
const mostUnderscores = 40

// free returns name, with underscores or a number behind it as long as it is taken, and
// takes it.
func (n *names) free(name string) string {
	free := name
	for k := n.tried[name]; ; k++ {
		if free = name + strings.Repeat("_", min(k, mostUnderscores)); k > mostUnderscores {
			free = name + "_" + strconv.Itoa(k)
		}
		if !n.taken[free] {
			n.tried[name], n.taken[free] = k, true
			return free
		}
	}
}
