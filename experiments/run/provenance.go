package run

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
)

// Provenance says where and by what a record was made. It has no part in what results
// are compared by: tables and trees do not depend on it.
type Provenance struct {
	Host      string `json:"host"`
	Processor string `json:"processor"`          // model, or the architecture where that is not known
	Cores     int    `json:"cores"`              // granted to the process
	Job       string `json:"job,omitempty"`      // of the scheduler
	Array     string `json:"array,omitempty"`    // job and index of the array that the job is of, 12_3
	Restarts  int    `json:"restarts,omitempty"` // of the job, by requeueing
	Version   string `json:"octgen"`             // of octgen
	Go        string `json:"go"`                 // that built it
	Binary    string `json:"binary_sha256"`      // of the program's file
	System    string `json:"system"`             // operating system and architecture
}

// provenance is that of this process.
func provenance(version string) *Provenance {
	p := fixed()
	p.Version = version
	p.Cores = grantedCores()
	p.Job = os.Getenv("SLURM_JOB_ID")
	if array := os.Getenv("SLURM_ARRAY_JOB_ID"); array != "" {
		p.Array = array + "_" + os.Getenv("SLURM_ARRAY_TASK_ID")
	}
	p.Restarts = number("SLURM_RESTART_COUNT")
	return &p
}

// fixed is what stays the same while the process runs.
var fixed = sync.OnceValue(func() Provenance {
	host, _ := os.Hostname() // "" where there is none
	return Provenance{Host: host, Processor: cmp.Or(processor(), runtime.GOARCH), Go: runtime.Version(), Binary: binaryHash(), System: runtime.GOOS + "/" + runtime.GOARCH}
})

// grantedCores are the processors that the process may use, or those that the
// scheduler gave it, where these are fewer.
func grantedCores() int {
	granted := number("SLURM_CPUS_PER_TASK")
	if granted == 0 {
		granted = number("SLURM_CPUS_ON_NODE")
	}
	if granted == 0 {
		return runtime.NumCPU()
	}
	return min(granted, runtime.NumCPU())
}

// number is an environment variable as a number, 0 where it is none.
func number(name string) int {
	n, _ := strconv.Atoi(os.Getenv(name)) // 0 where it is none
	return n
}

// processor is the model of the first processor, "" where the system does not say.
func processor() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer f.Close() // read-only: closing has nothing to report
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.Join(strings.Fields(value), " ")
		}
	}
	return ""
}

// binaryHash is the SHA-256 of the program's file, "" where it cannot be read.
func binaryHash() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close() // read-only: closing has nothing to report
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil))
}
