//go:build cgo && !nohighs

package highs

// #include "bridge.h"
import "C"

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/octgen/octgen/solvers"
)

// reserved are HiGHS's options that cannot be given as raw ones, with the
// reason.
var reserved = map[string]string{
	"time_limit":              "use the option TimeLimit",
	"mip_max_nodes":           "use the option NodeLimit",
	"simplex_iteration_limit": "use the option IterLimit",
	"ipm_iteration_limit":     "use the option IterLimit",
	"pdlp_iteration_limit":    "use the option IterLimit",
	"mip_rel_gap":             "use the option RelGap",
	"mip_abs_gap":             "use the option AbsGap",
	"threads":                 "use the option Threads",
	"random_seed":             "use the option Seed",
	"output_flag":             "use the option Log",
	"log_to_console":          "use the option Log",
	"log_file":                "use the option Log",
}

func optionError(name, format string, args ...any) error {
	return &solvers.OptionError{Solver: Name, Option: name, Reason: fmt.Sprintf(format, args...)}
}

// configure sets HiGHS's options. isMIP says which of the limits apply.
func (o *object) configure(opt *solvers.Options, isMIP bool) error {
	m := o.model
	type setting struct {
		field string
		err   error
	}
	settings := []setting{
		{"RelGap", m.SetFloat64Option("mip_rel_gap", opt.RelGap)},
		{"AbsGap", m.SetFloat64Option("mip_abs_gap", opt.AbsGap)},
		{"Seed", m.SetIntOption("random_seed", opt.Seed)},
		// HiGHS reports progress together with lines of its log.
		{"Progress", m.SetFloat64Option("mip_min_logging_interval", 0.2)},
	}
	if opt.TimeLimit > 0 {
		settings = append(settings, setting{"TimeLimit", m.SetFloat64Option("time_limit", opt.TimeLimit.Seconds())})
	}
	if opt.Threads > 0 {
		settings = append(settings, setting{"Threads", m.SetIntOption("threads", opt.Threads)})
	}
	if opt.NodeLimit > 0 {
		settings = append(settings, setting{"NodeLimit", m.SetIntOption("mip_max_nodes", clampInt32(opt.NodeLimit))})
	}
	if opt.IterLimit > 0 && !isMIP { // a MIP's is watched by the callback
		n := clampInt32(opt.IterLimit)
		settings = append(settings,
			setting{"IterLimit", m.SetIntOption("simplex_iteration_limit", n)},
			setting{"IterLimit", m.SetIntOption("ipm_iteration_limit", n)})
	}
	for _, s := range settings {
		if s.err != nil {
			return optionError(s.field, "HiGHS refused its value: %v", s.err)
		}
	}
	names := make([]string, 0, len(opt.Raw))
	for name := range opt.Raw {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := o.setRaw(name, opt.Raw[name]); err != nil {
			return err
		}
	}
	return nil
}

func clampInt32(n int64) int { return int(min(n, math.MaxInt32)) }

// setRaw sets an option by HiGHS's own name for it, parsing the value as the
// type that HiGHS says it has.
func (o *object) setRaw(name, value string) error {
	if reason, ok := reserved[name]; ok {
		return optionError(name, "%s", reason)
	}
	s := C.CString(name)
	defer C.free(unsafe.Pointer(s))
	var kind C.HighsInt
	if C.Highs_getOptionType(o.ptr, s, &kind) != 0 {
		return optionError(name, "HiGHS %s has no option of this name", libraryVersion())
	}
	var want string
	var err error
	switch kind {
	case 0:
		want = "true or false"
		var v bool
		if v, err = strconv.ParseBool(strings.ToLower(value)); err == nil {
			err = o.model.SetBoolOption(name, v)
		}
	case 1:
		want = "an integer in its range"
		var v int64
		if v, err = strconv.ParseInt(value, 10, 32); err == nil {
			err = o.model.SetIntOption(name, int(v))
		}
	case 2:
		want = "a number in its range"
		var v float64
		if v, err = strconv.ParseFloat(value, 64); err == nil && math.IsNaN(v) {
			err = strconv.ErrRange
		}
		if err == nil {
			err = o.model.SetFloat64Option(name, v)
		}
	default:
		want = "one of its values"
		err = o.model.SetStringOption(name, value)
	}
	if err != nil {
		return optionError(name, "HiGHS does not accept the value %q; it must be %s", value, want)
	}
	return nil
}
