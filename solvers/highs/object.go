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
	"unsafe"

	lanl "github.com/lanl/highs"

	"github.com/octgen/octgen/mio"
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

// listen connects HiGHS's callbacks with control. From then on HiGHS's log goes
// to the callback instead of the console, and is produced only if the console
// is on: so it is switched on here.
func (o *object) listen(control *C.octgen_control) error {
	if C.octgen_highs_listen(o.ptr, control) != 0 {
		return errors.New("highs: HiGHS refused the callbacks")
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
