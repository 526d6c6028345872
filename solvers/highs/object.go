//go:build cgo && !nohighs

package highs

// #cgo pkg-config: highs
// #include "bridge.h"
import "C"

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	lanl "github.com/lanl/highs"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// object is a HiGHS instance. It belongs to one thread, and must be closed.
type object struct {
	model *lanl.RawModel
	ptr   unsafe.Pointer // the C++ object, owned by model until close
}

// newObject returns an instance that prints nothing.
func newObject() (*object, error) {
	m := lanl.NewRawModel()
	// The field must be found by reflection: the binding does not export it.
	f := reflect.ValueOf(m).Elem().FieldByName("obj")
	if !f.IsValid() || f.Kind() != reflect.UnsafePointer {
		return nil, errors.New("highs: the binding's RawModel has no field obj of type unsafe.Pointer")
	}
	o := &object{model: m, ptr: *(*unsafe.Pointer)(f.Addr().UnsafePointer())}
	if o.ptr == nil {
		return nil, errors.New("highs: HiGHS made no object (out of memory?)")
	}
	// From here on close frees the object, on the thread that used it, and not
	// the garbage collector.
	runtime.SetFinalizer(m, nil)
	if err := m.SetBoolOption("log_to_console", false); err != nil {
		o.close()
		return nil, err
	}
	return o, nil
}

func (o *object) close() {
	C.Highs_destroy(o.ptr)
	o.ptr = nil
	runtime.KeepAlive(o.model)
}

// logsApart reports whether HiGHS's log goes to the callback whether the console is on or not, as
// since 1.14. Before that it went to the callback instead of the console, and only if that was on.
func logsApart() bool {
	return C.Highs_versionMajor() > 1 || C.Highs_versionMinor() >= 14
}

// listen connects HiGHS's callbacks with control, which from then on take its log.
func (o *object) listen(control *C.octgen_control) error {
	if C.octgen_highs_listen(o.ptr, control) != 0 {
		return errors.New("highs: HiGHS refused the callbacks")
	}
	if logsApart() {
		return nil
	}
	return o.model.SetBoolOption("log_to_console", true)
}

// load passes a model to HiGHS, which copies it.
func (o *object) load(m *mio.Model) error {
	start, index, value := m.Matrix()
	sense := C.HighsInt(1)
	if m.Sense() == mio.Maximize {
		sense = -1
	}
	var integrality []int32
	if m.NumDiscrete() > 0 {
		integrality = make([]int32, m.NumCols())
		for j, t := range m.ColTypes() {
			if t != mio.Continuous {
				integrality[j] = 1
			}
		}
	}
	if m.NumRows() > math.MaxInt32 || m.NumCols() > math.MaxInt32 || len(index) > math.MaxInt32 {
		return fmt.Errorf("highs: %d rows, %d columns, %d nonzeros: HiGHS takes at most 2^31-1 of each", m.NumRows(), m.NumCols(), len(index))
	}
	status := C.Highs_passModel(o.ptr, C.HighsInt(m.NumCols()), C.HighsInt(m.NumRows()), C.HighsInt(len(index)),
		0, 1 /* column-wise */, 1, sense, C.double(m.Offset()),
		doubles(m.Costs()), doubles(m.ColLower()), doubles(m.ColUpper()), doubles(m.RowLower()), doubles(m.RowUpper()),
		ints(start), ints(index), doubles(value), nil, nil, nil, ints(integrality))
	if status < 0 {
		return errors.New("highs: HiGHS refused the model")
	}
	return nil
}

// name passes the model's names, which only writing files needs.
func (o *object) name(m *mio.Model) error {
	var buf []byte
	status := C.HighsInt(0)
	worst := func(s C.HighsInt) {
		if s < status {
			status = s
		}
	}
	if m.Name() != "" {
		buf = append(append(buf, m.Name()...), 0)
		worst(C.Highs_passModelName(o.ptr, (*C.char)(unsafe.Pointer(&buf[0]))))
	}
	for j := range m.NumCols() {
		buf = append(m.AppendColName(buf[:0], j), 0)
		worst(C.Highs_passColName(o.ptr, C.HighsInt(j), (*C.char)(unsafe.Pointer(&buf[0]))))
	}
	for i := range m.NumRows() {
		buf = append(m.AppendRowName(buf[:0], i), 0)
		worst(C.Highs_passRowName(o.ptr, C.HighsInt(i), (*C.char)(unsafe.Pointer(&buf[0]))))
	}
	if status < 0 {
		return errors.New("highs: HiGHS refused a name")
	}
	return nil
}

// size returns the dimensions of the loaded model.
func (o *object) size() (cols, rows, nonzeros int) {
	return int(C.Highs_getNumCol(o.ptr)), int(C.Highs_getNumRow(o.ptr)), int(C.Highs_getNumNz(o.ptr))
}

// maximizes reports the sense of the loaded model.
func (o *object) maximizes() bool {
	sense := C.HighsInt(1)
	C.Highs_getObjectiveSense(o.ptr, &sense)
	return sense < 0
}

func (o *object) readFile(path string) error {
	s := C.CString(path)
	defer C.free(unsafe.Pointer(s))
	if C.Highs_readModel(o.ptr, s) < 0 {
		return fmt.Errorf("highs: HiGHS cannot read %s", path)
	}
	return nil
}

func (o *object) writeFile(path string) error {
	s := C.CString(path)
	defer C.free(unsafe.Pointer(s))
	if C.Highs_writeModel(o.ptr, s) < 0 {
		return fmt.Errorf("highs: HiGHS cannot write %s", path)
	}
	return nil
}

// setStart passes a point for a MIP to start from. HiGHS answers 0 even for an
// infeasible one, so the point must have been checked.
func (o *object) setStart(x []float64) error {
	if C.Highs_setSolution(o.ptr, doubles(x), nil, nil, nil) < 0 {
		return errors.New("highs: HiGHS refused the start")
	}
	return nil
}

// answer is what HiGHS says after a run.
type answer struct {
	runStatus   int // -1 error, 0 ok, 1 warning: a limit, mostly
	modelStatus int
	mip         bool      // HiGHS's MIP solver answered
	values      []float64 // of a primal feasible solution, else nil
	objective   float64
	mipBound    float64
	nodes, iter int64
	iterReached bool // the iteration limit of a MIP ended the run
}

// run solves the loaded model and reads the answer.
func (o *object) run() answer {
	a := answer{runStatus: int(C.Highs_run(o.ptr))}
	a.modelStatus = int(C.Highs_getModelStatus(o.ptr))
	a.objective = o.doubleInfo("objective_function_value")
	a.mipBound = o.doubleInfo("mip_dual_bound")
	a.nodes = o.int64Info("mip_node_count") // -1 after the solve of an LP
	a.mip = a.nodes >= 0
	a.nodes = max(0, a.nodes)
	for _, name := range []string{"simplex_iteration_count", "ipm_iteration_count", "pdlp_iteration_count"} {
		a.iter += max(0, int64(o.intInfo(name)))
	}
	if cols, _, _ := o.size(); o.intInfo("primal_solution_status") == 2 && cols > 0 {
		a.values = make([]float64, cols)
		if C.Highs_getSolution(o.ptr, doubles(a.values), nil, nil, nil) < 0 {
			a.values = nil
		}
	}
	return a
}

func (o *object) intInfo(name string) int {
	var v C.HighsInt
	s := C.CString(name)
	defer C.free(unsafe.Pointer(s))
	C.Highs_getIntInfoValue(o.ptr, s, &v)
	return int(v)
}

func (o *object) int64Info(name string) int64 {
	var v C.int64_t
	s := C.CString(name)
	defer C.free(unsafe.Pointer(s))
	C.Highs_getInt64InfoValue(o.ptr, s, &v)
	return int64(v)
}

func (o *object) doubleInfo(name string) float64 {
	v := C.double(math.NaN())
	s := C.CString(name)
	defer C.free(unsafe.Pointer(s))
	C.Highs_getDoubleInfoValue(o.ptr, s, &v)
	return float64(v)
}

// endThread frees what HiGHS keeps for the calling thread.
func endThread() { C.Highs_resetGlobalScheduler(1) }

// libraryVersion is that of the library linked, headerVersion that of the
// headers compiled with.
func libraryVersion() string { return C.GoString(C.Highs_version()) }
func headerVersion() string  { return C.OCTGEN_HIGHS_HEADERS }

func doubles(s []float64) *C.double { return (*C.double)(unsafe.SliceData(s)) }
func ints(s []int32) *C.HighsInt    { return (*C.HighsInt)(unsafe.SliceData(s)) }

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
