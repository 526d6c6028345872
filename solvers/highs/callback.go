//go:build cgo && !nohighs

package highs

// Files with exported functions may have declarations only in their preamble.

// #include "bridge.h"
import "C"

import (
	"runtime/cgo"
	"unsafe"
)

//export octgenHighsLog
func octgenHighsLog(handle C.uintptr_t, logType C.int, message *C.char) {
	s := cgo.Handle(handle).Value().(*session)
	s.logLine(int(logType), C.GoString(message))
}

//export octgenHighsProgress
func octgenHighsProgress(handle C.uintptr_t, objective, bound C.double, nodes, iter C.int64_t, solution *C.double) {
	s := cgo.Handle(handle).Value().(*session)
	var values []float64
	if solution != nil && s.columns > 0 {
		values = make([]float64, s.columns)
		copy(values, unsafe.Slice((*float64)(unsafe.Pointer(solution)), s.columns))
	}
	s.progress(float64(objective), float64(bound), int64(nodes), int64(iter), values)
}
