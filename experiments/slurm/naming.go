package slurm

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// naming makes the names of the jobs of one folder, by which they are found again:
// octgen-FOLDER-SUBMISSION-OFFSET, offset being the batch of the array's index 0.
type naming struct{ folder string }

// namingOf is that of a folder, by its absolute path.
func namingOf(dir string) naming {
	return naming{fmt.Sprintf("%x", sha256.Sum256([]byte(dir)))[:8]}
}

func (n naming) job(submission, offset int) string {
	return fmt.Sprintf("octgen-%s-%d-%d", n.folder, submission, offset)
}

// parse reads the name of a job of this folder.
func (n naming) parse(name string) (submission, offset int, ok bool) {
	rest, mine := strings.CutPrefix(name, "octgen-"+n.folder+"-")
	if !mine {
		return 0, 0, false
	}
	if _, err := fmt.Sscanf(rest, "%d-%d", &submission, &offset); err != nil {
		return 0, 0, false
	}
	return submission, offset, true
}
