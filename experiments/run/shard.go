package run

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/octgen/octgen/fit"
)

// Shard is a part of a plan for one of several processes that share a folder: the tasks
// whose number in the plan leaves Index when divided by Of. The zero Shard is the whole
// plan, in a folder that is not shared.
type Shard struct {
	Index int // 0 .. Of-1
	Of    int // shards
}

// ParseShard reads i/N, such as 0/4 for the first of four shards. What is not one is
// fit.ErrInput.
func ParseShard(text string) (Shard, error) {
	before, after, _ := strings.Cut(text, "/")
	i, err := strconv.Atoi(before)
	n, err2 := strconv.Atoi(after)
	switch {
	case err != nil || err2 != nil || n < 1 || i < 0:
		return Shard{}, fmt.Errorf("%w: %q is no shard; want i/N, such as 0/4 for the first of four", fit.ErrInput, text)
	case i >= n:
		return Shard{}, fmt.Errorf("%w: there is no shard %q: they are counted from 0, the last of %d is %d/%d", fit.ErrInput, text, n, n-1, n)
	}
	return Shard{i, n}, nil
}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Of) }

// has says whether the task with this number in the plan is the shard's.
func (s Shard) has(number int) bool { return s.Of == 0 || number%s.Of == s.Index }

// name is that of the shard's files.
func (s Shard) name() string { return fmt.Sprintf("shard-%d-of-%d", s.Index, s.Of) }
