// What octgen calls of HiGHS's C interface beyond github.com/lanl/highs.
//
// The header of the C interface, interfaces/highs_c_api.h, is not included:
// up to HiGHS 1.11 it defines its constants with external linkage, so only one
// unit of a program can include it, and lanl's binding has that unit.

#ifndef OCTGEN_HIGHS_BRIDGE_H_
#define OCTGEN_HIGHS_BRIDGE_H_

#include <stdint.h>
#include <stdlib.h>

#include "lp_data/HighsCallbackStruct.h"
#include "util/HighsInt.h"

_Static_assert(sizeof(HighsInt) == 4, "octgen needs a HiGHS built with 32-bit HighsInt (HIGHSINT64 off)");

// HIGHS_VERSION_* are from HConfig.h: the version of the headers.
#define OCTGEN_STRING_(x) #x
#define OCTGEN_STRING(x) OCTGEN_STRING_(x)
#define OCTGEN_HIGHS_HEADERS            \
  OCTGEN_STRING(HIGHS_VERSION_MAJOR)    \
  "." OCTGEN_STRING(HIGHS_VERSION_MINOR) \
  "." OCTGEN_STRING(HIGHS_VERSION_PATCH)

void Highs_destroy(void* highs);
const char* Highs_version(void);
HighsInt Highs_versionMajor(void);
HighsInt Highs_versionMinor(void);
void Highs_resetGlobalScheduler(const HighsInt blocking);
HighsInt Highs_run(void* highs);
HighsInt Highs_passModel(void* highs, const HighsInt num_col, const HighsInt num_row,
                         const HighsInt num_nz, const HighsInt q_num_nz, const HighsInt a_format,
                         const HighsInt q_format, const HighsInt sense, const double offset,
                         const double* col_cost, const double* col_lower, const double* col_upper,
                         const double* row_lower, const double* row_upper, const HighsInt* a_start,
                         const HighsInt* a_index, const double* a_value, const HighsInt* q_start,
                         const HighsInt* q_index, const double* q_value,
                         const HighsInt* integrality);
HighsInt Highs_passModelName(const void* highs, const char* name);
HighsInt Highs_passColName(const void* highs, const HighsInt col, const char* name);
HighsInt Highs_passRowName(const void* highs, const HighsInt row, const char* name);
HighsInt Highs_readModel(void* highs, const char* filename);
HighsInt Highs_writeModel(void* highs, const char* filename);
HighsInt Highs_getNumCol(const void* highs);
HighsInt Highs_getNumRow(const void* highs);
HighsInt Highs_getNumNz(const void* highs);
HighsInt Highs_getObjectiveSense(const void* highs, HighsInt* sense);
HighsInt Highs_getOptionType(const void* highs, const char* option, HighsInt* type);
HighsInt Highs_setSolution(void* highs, const double* col_value, const double* row_value,
                           const double* col_dual, const double* row_dual);
HighsInt Highs_getSolution(const void* highs, double* col_value, double* col_dual,
                           double* row_value, double* row_dual);
HighsInt Highs_getModelStatus(const void* highs);
HighsInt Highs_getIntInfoValue(const void* highs, const char* info, HighsInt* value);
HighsInt Highs_getInt64InfoValue(const void* highs, const char* info, int64_t* value);
HighsInt Highs_getDoubleInfoValue(const void* highs, const char* info, double* value);
HighsInt Highs_setCallback(void* highs, HighsCCallbackType user_callback, void* user_callback_data);
HighsInt Highs_startCallback(void* highs, const int callback_type);

// octgen_control is what a running solve and Go share. It lies in C memory:
// the solver's thread reads stop while Go sets it, both atomically.
typedef struct {
  int32_t stop;         // set by Go: end as soon as possible
  int32_t log;          // hand on all log lines, not only those octgen needs
  int32_t iter_reached; // set by the callback: iter_limit ended the solve
  int64_t iter_limit;   // limit on a MIP's LP iterations, 0 for none
  uintptr_t handle;     // cgo.Handle of the Go side
} octgen_control;

// octgen_highs_listen installs octgen's callback, with control as its data.
HighsInt octgen_highs_listen(void* highs, octgen_control* control);

#endif
